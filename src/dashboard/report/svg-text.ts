// A drawing as text, for a file: components are called, elements and their attributes written.
import { type ComponentChild, Fragment, type VNode } from 'preact'

export function svgText(child: ComponentChild | readonly ComponentChild[]): string {
  if (Array.isArray(child)) return child.map(svgText).join('')
  if (typeof child === 'string' || typeof child === 'number') return escaped(String(child))
  if (!isElement(child)) return ''
  const { type, props } = child
  if (type === Fragment) return svgText(props.children)
  // Drawings keep no state, so that calling them is all there is to it.
  if (typeof type === 'function') return svgText(Reflect.apply(type, undefined, [props]))
  const { children, ...rest } = props
  const attributes = Object.entries(rest).map(attributeText).join('')
  const inner = svgText(children)
  return inner === '' ? `<${type}${attributes}/>` : `<${type}${attributes}>${inner}</${type}>`
}

type Drawn = VNode<{ readonly children?: ComponentChild | readonly ComponentChild[] }>

function isElement(child: unknown): child is Drawn {
  return typeof child === 'object' && child !== null && 'type' in child && 'props' in child
}

function attributeText([name, value]: readonly [string, unknown]): string {
  const isWritten = ['string', 'number'].includes(typeof value) && name !== 'key'
  return isWritten ? ` ${name}="${escaped(String(value))}"` : ''
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
