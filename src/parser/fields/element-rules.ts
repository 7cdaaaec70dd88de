// How elements open and close each other in HTML, by the numbers of their names. The rules are those of the
// standard's tree builder, as far as documents without misplaced formatting need them.
import { ELEMENT, type ElementName, flagsOf, hashOf, TRAIT } from '../html/html-names.ts'

function flags(names: string): Uint8Array {
  return flagsOf(names.split(' ').map((name) => ELEMENT[name as ElementName]))
}

const HEADINGS = 'h1 h2 h3 h4 h5 h6'
const SECTIONS =
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer ' +
  'header hgroup main menu nav ol p search section summary ul pre listing form hr xmp plaintext table'

/** Their start tag ends a paragraph. */
export const ENDS_PARAGRAPH = flags(`${SECTIONS} ${HEADINGS}`)
export const HEADING = flags(HEADINGS)
/** Their end tag ends everything in them. */
export const SECTION = flags(`${SECTIONS} button object`)
/** The search for an open element stops at these. */
export const SCOPE = flags('caption html table td th object template')
export const BUTTON_SCOPE = flags('caption html table td th object template button')
export const LIST_SCOPE = flags('caption html table td th object template ol ul')
/** Their end tags may be left out. */
export const IMPLIED = flags('dd dt li optgroup option p rp rt')
/** A start tag of an entry passes these when it looks for an entry to end. */
export const PASSED = flags('address div p')
export const TABLE_PARTS = flags('caption colgroup col tbody thead tfoot tr td th')
export const ROW_GROUP = flags('tbody thead tfoot')
/** Other elements do not belong directly into these. */
export const TABLE_FRAME = flags('table tbody thead tfoot tr')
export const IN_TABLE_FRAME = flags('script style template form')
export const RUBY = flags('rt rp')
/** An end tag of another name does not reach beyond these. */
export const SPECIAL = flags(
  `${SECTIONS} ${HEADINGS} base basefont bgsound body br button caption col colgroup dd dt embed frame ` +
    'frameset head html iframe img input keygen li link meta noembed noframes noscript object param script ' +
    'select source style tbody td template textarea tfoot th thead title tr track wbr',
)
export const FORMATTING = flags('a b big code em font i nobr s small strike strong tt u')

/** Hashes of the names of elements that nobody has to write. */
export const NAMES = {
  html: hashOf('html'),
  head: hashOf('head'),
  body: hashOf('body'),
  tbody: hashOf('tbody'),
  tr: hashOf('tr'),
  colgroup: hashOf('colgroup'),
  p: hashOf('p'),
  br: hashOf('br'),
} as const

/** Whether what is in an element with these traits is text, whatever it looks like. */
export function isRaw(traits: number): boolean {
  return (traits & (TRAIT.raw | TRAIT.escapable)) !== 0
}

/** Whether these bytes of a page are white space alone. */
export function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((bytes[at] ?? 0) > 32) return false
  return true
}
