// The links and the visible words of a page as a full HTML parser sees them: what our scanner is held
// against.
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5'
import { type CanonicalUrl, canonicalise } from '../../src/core/url.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const HTML = 'http://www.w3.org/1999/xhtml'

/**
 * Targets of a, area, iframe and frame, each once, the page itself left out. What is in `<noscript>` and
 * `<noframes>` counts, but reaches only as far as a browser with scripts and frames reads them.
 */
export function referenceLinks(html: string, url: CanonicalUrl): Set<string> {
  const hrefs: string[] = []
  const bases: string[] = []
  for (const element of elementsOf(parse(html))) {
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

/** Elements whose text nobody sees, or only above the words it is about. */
const UNSEEN = new Set(
  'script style title template noscript noembed noframes iframe textarea datalist audio video canvas rp rt math desc head'.split(
    ' ',
  ),
)

/** The words a browser shows, in order. Formulas are left out: they are written in another form. */
export function referenceWords(html: string): string[] {
  /** A blank stands for the end of an element that parts words. */
  const stack: (Node | ' ')[] = [parse(html)]
  const pieces: string[] = []
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node === ' ') {
      pieces.push(node)
      continue
    }
    if (node.nodeName === '#text' && 'value' in node) pieces.push(node.value)
    if ('tagName' in node) {
      if (isUnseen(node)) continue
      if (PARTING.has(node.tagName)) {
        pieces.push(' ')
        stack.push(' ')
      }
    }
    if ('childNodes' in node) stack.push(...node.childNodes.toReversed())
  }
  return wordsOf(pieces.join(''))
}

export function wordsOf(text: string): string[] {
  return text.replaceAll('\u00ad', '').match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Elements that part words. */
const PARTING = new Set(
  'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp'.split(
    ' ',
  ),
)

function isUnseen(element: Element): boolean {
  if (UNSEEN.has(element.tagName)) return true
  if (element.tagName === 'dialog' && attribute(element, 'open') === undefined) return true
  const hidden = attribute(element, 'hidden')
  return (
    hidden !== undefined && hidden.toLowerCase() !== 'until-found' && element.namespaceURI === HTML
  )
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
    if (!('tagName' in node)) continue
    if (FALLBACKS.has(node.tagName) && node.namespaceURI === HTML) stack.push(markupOf(node))
    yield node
  }
}

const FALLBACKS = new Set(['noscript', 'noframes'])

/** The text in an element, read as markup. */
function markupOf({ childNodes }: Element): Node {
  const text = childNodes.map((child) => ('value' in child ? child.value : '')).join('')
  return parseFragment(text, { scriptingEnabled: false })
}

function linkOf(element: Element): string | undefined {
  if (element.tagName === 'a') return attribute(element, 'href') ?? attribute(element, 'xlink:href')
  if (element.namespaceURI !== HTML) return undefined
  if (element.tagName === 'area') {
    return attribute(element, 'nohref') === undefined ? attribute(element, 'href') : undefined
  }
  const isFrame = element.tagName === 'iframe' || element.tagName === 'frame'
  return isFrame ? attribute(element, 'src') : undefined
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => (attr.prefix ? `${attr.prefix}:` : '') + attr.name === name)
    ?.value
}
