// The other side of the comparison: Mozilla's Readability on linkedom, the lightest document object
// it works on. Its own `textContent` glues the last word of a paragraph to the first of the next, so
// the text is taken from the element it has chosen, with a line for each block.
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'

const BLOCKS = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BR CAPTION CENTER DD DETAILS DIV DL DT FIGCAPTION FIGURE FOOTER ' +
    'FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH ' +
    'THEAD TR UL'
  ).split(' '),
)
const ELEMENT = 1
const TEXT = 3

export const name = 'Readability'

export function extract(html) {
  const { document } = parseHTML(rooted(html))
  const article = new Readability(document, { serializer: textOf }).parse()
  return {
    text: article?.content ?? '',
    title: article?.title ?? '',
    author: article?.byline ?? '',
    date: (article?.publishedTime ?? '').slice(0, 10),
    description: article?.excerpt ?? '',
    lang: article?.lang ?? '',
    kind: '',
  }
}

/** Without an `html` tag linkedom would take the first other one for the root. */
function rooted(html) {
  return /<html[\s>]/i.test(html) ? html : html.replace(/^\s*(?:<!doctype[^>]*>)?/i, '$&<html>')
}

/** With a stack of its own: pages are nested deeper than a call stack may be. */
function textOf(root) {
  const pieces = []
  const stack = [root]
  while (stack.length > 0) {
    const node = stack.pop()
    if (typeof node === 'string') pieces.push(node)
    else if (node.nodeType === TEXT) pieces.push(node.data)
    else if (node.nodeType === ELEMENT) {
      const isBlock = BLOCKS.has(node.tagName.toUpperCase())
      if (isBlock) {
        pieces.push('\n')
        stack.push('\n')
      }
      stack.push(...[...node.childNodes].reverse())
    }
  }
  return pieces.join('')
}
