// The links of a page as a full HTML parser sees them: what our scanner is held against.
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { type CanonicalUrl, canonicalise } from '../../src/core/url.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const HTML = 'http://www.w3.org/1999/xhtml'

/** Targets of a, area, iframe and frame, each once, the page itself left out. */
export function referenceLinks(html: string, url: CanonicalUrl): Set<string> {
  const hrefs: string[] = []
  const bases: string[] = []
  for (const element of elementsOf(parse(html, { scriptingEnabled: false }))) {
    const href = linkOf(element)
    if (href !== undefined) hrefs.push(href)
    const base = element.tagName === 'base' ? attribute(element, 'href') : undefined
    if (base !== undefined) bases.push(base)
  }
  const base = (bases[0] === undefined ? null : canonicalise(bases[0], url)) ?? url
  const links = new Set<string>()
  for (const href of hrefs) {
    const link = canonicalise(href, base)
    if (link !== null && link !== url) links.add(link)
  }
  return links
}

/** In document order, without recursion: hostile pages nest deeper than any stack. */
function* elementsOf(document: Node): Generator<Element> {
  const stack: Node[] = [document]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('childNodes' in node) stack.push(...node.childNodes.toReversed())
    // A declared shadow tree is part of the page; any other template is not.
    if ('content' in node && attribute(node, 'shadowrootmode') !== undefined) {
      stack.push(node.content)
    }
    if ('tagName' in node) yield node
  }
}

function linkOf(element: Element): string | undefined {
  if (element.tagName === 'a') return attribute(element, 'href') ?? attribute(element, 'xlink:href')
  if (element.namespaceURI !== HTML) return undefined
  if (element.tagName === 'area') return attribute(element, 'href')
  const isFrame = element.tagName === 'iframe' || element.tagName === 'frame'
  return isFrame ? attribute(element, 'src') : undefined
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => (attr.prefix ? `${attr.prefix}:` : '') + attr.name === name)
    ?.value
}
