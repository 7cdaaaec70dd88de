// Figures of an experiment as SVG files. It runs in Node, from the bundle that the build makes.
import { type ComponentChild, Fragment, type VNode } from 'preact'
import type { ReportFigure } from '../../experiment/report-data.ts'
import { type Language, language } from '../i18n/i18n.ts'
import { PAPER_COLOURS } from '../report/chart-parts.ts'
import { experimentFigure } from '../report/experiment-figures.tsx'

/** The colours and lines of a report on paper. */
const STYLE =
  'svg{font:12px system-ui,sans-serif;background:#fff}path{fill:none}text{fill:#1c1b22}' +
  '.axes text{fill:#5d5a66}.axes .axis-title{fill:#1c1b22}.grid{stroke:#e4e2ea}' +
  '.tick,.base{stroke:#a9a5b5}.lines path{stroke-width:1.7;stroke-linejoin:round}' +
  '.lines circle{fill:#fff;stroke-width:1.6}.labels path{stroke-width:2.2}' +
  '.labels .leader{stroke:#a9a5b5;stroke-width:.7}.value{fill:#5d5a66}.bar{stroke-width:12}' +
  '.bar.pale{stroke-opacity:.5}.interval{stroke:#1c1b22;stroke-width:1.4}' +
  '.bars circle{fill:#fff;fill-opacity:.75;stroke:#1c1b22;stroke-width:1.1}'
const PAINT = PAPER_COLOURS.map((colour, at) => `.c${at}{stroke:${colour};color:${colour}}`).join(
  '',
)
const BANDS = '.bands path{stroke:none;fill:currentColor;fill-opacity:.12}'

export function drawFigure(figure: ReportFigure, chosen: Language): string {
  language.value = chosen
  const text = svgText(experimentFigure(figure, 'wide'))
  const style = `<style>${STYLE}${PAINT}${BANDS}</style>`
  const head = '<svg xmlns="http://www.w3.org/2000/svg" '
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text.replace('<svg ', head).replace('>', `>${style}`)}\n`
}

/** A drawing as text: components are called, elements and their attributes are written. */
function svgText(child: ComponentChild | readonly ComponentChild[]): string {
  if (Array.isArray(child)) return child.map(svgText).join('')
  if (typeof child === 'string' || typeof child === 'number') return escaped(String(child))
  if (!isElement(child)) return ''
  const { type, props } = child
  if (type === Fragment) return svgText(props.children)
  // Drawings keep no state, so a call is enough.
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
