// Tracks whether the scan is inside SVG or MathML, where names have no HTML meaning: a `<style>` or
// `<title>` there is not raw text, and CDATA sections are text. This follows the tree builder's
// rules with a stack of foreign elements only. The HTML elements around them are not known, so an
// HTML end tag is assumed to close the foreign content it is in.
import { ATTRIBUTE, ELEMENT, hashOf, TRAIT, TRAITS } from './html-names.ts'
import type { HtmlScanner } from './html-scanner.ts'

/** Deeper elements are only counted, so that a search stays cheap. */
const MAX_DEPTH = 96

const SVG = 1
const MATH = 2
/** Foreign elements with HTML content (HTML integration points). */
const HTML_INSIDE = 4
/** The same, except for two names. */
const MATH_TEXT_INSIDE = 8
/** MathML that may contain SVG. */
const SVG_INSIDE = 16
const ANNOTATION_XML = hashOf('annotation-xml')

export class ForeignContent {
  readonly #names = new Int32Array(MAX_DEPTH)
  readonly #kinds = new Uint8Array(MAX_DEPTH)
  #depth = 0
  #tooDeep = 0

  reset(): void {
    this.#depth = 0
    this.#tooDeep = 0
  }

  get depth(): number {
    return this.#depth
  }

  /** Closes deeper elements. */
  cutTo(depth: number): void {
    if (this.#depth <= depth) return
    this.#depth = depth
    this.#tooDeep = 0
  }

  get #top(): number {
    return this.#depth === 0 ? HTML_INSIDE : (this.#kinds[this.#depth - 1] ?? 0)
  }

  /** Some foreign element is open, whatever is innermost. */
  get isOpen(): boolean {
    return this.#depth > 0
  }

  /** The innermost content is foreign. */
  get isInnermost(): boolean {
    return (this.#top & (HTML_INSIDE | MATH_TEXT_INSIDE)) === 0
  }

  /** Handles a start tag; true when its element is foreign. */
  open(tag: HtmlScanner): boolean {
    if (this.#isHtml(tag)) {
      if (tag.element === ELEMENT.svg) this.#push(tag, SVG)
      else if (tag.element === ELEMENT.math) this.#push(tag, MATH)
      else return false
      return true
    }
    if (isBreakout(tag)) {
      this.#leave()
      return false
    }
    const kind = this.#top & (SVG | MATH)
    this.#push(tag, kind | insideOf(kind, tag))
    return true
  }

  /** Handles an end tag; true when it closed a foreign element. */
  close(tag: HtmlScanner): boolean {
    if (this.#tooDeep > 0) {
      this.#tooDeep--
      return true
    }
    for (let at = this.#depth - 1; at >= 0; at--) {
      if (this.#names[at] === tag.nameHash) {
        this.#depth = at
        return true
      }
      if (((this.#kinds[at] ?? 0) & HTML_INSIDE) !== 0) return false
    }
    if (mayBeOpen(tag.element)) this.#leave()
    return false
  }

  #isHtml(tag: HtmlScanner): boolean {
    const top = this.#top
    if ((top & HTML_INSIDE) !== 0) return true
    if ((top & MATH_TEXT_INSIDE) !== 0) {
      return tag.element !== ELEMENT.mglyph && tag.element !== ELEMENT.malignmark
    }
    return (top & SVG_INSIDE) !== 0 && tag.element === ELEMENT.svg
  }

  #push(tag: HtmlScanner, kind: number): void {
    if (tag.selfClosing) return
    if (this.#depth === MAX_DEPTH) {
      this.#tooDeep++
      return
    }
    this.#names[this.#depth] = tag.nameHash
    this.#kinds[this.#depth] = kind
    this.#depth++
  }

  /** Closes all foreign elements up to where HTML is allowed. */
  #leave(): void {
    this.#tooDeep = 0
    while (this.#depth > 0 && this.isInnermost) this.#depth--
  }
}

function insideOf(kind: number, tag: HtmlScanner): number {
  const { element } = tag
  if (kind === SVG) {
    const html =
      element === ELEMENT.foreignobject || element === ELEMENT.desc || element === ELEMENT.title
    return html ? HTML_INSIDE : 0
  }
  if (element >= ELEMENT.mi && element <= ELEMENT.mtext) return MATH_TEXT_INSIDE
  if (tag.nameHash !== ANNOTATION_XML) return 0
  const encoding = tag.value(ATTRIBUTE.encoding).toLowerCase()
  const isHtml = encoding === 'text/html' || encoding === 'application/xhtml+xml'
  return isHtml ? HTML_INSIDE : SVG_INSIDE
}

/** Whether an HTML element of this name may have been open when the foreign content began. */
function mayBeOpen(element: number): boolean {
  const traits = TRAITS[element] ?? 0
  return element !== 0 && (traits & (TRAIT.raw | TRAIT.escapable | TRAIT.empty)) === 0
}

function isBreakout(tag: HtmlScanner): boolean {
  if (((TRAITS[tag.element] ?? 0) & TRAIT.breakout) !== 0) return true
  if (tag.element !== ELEMENT.font) return false
  return tag.has(ATTRIBUTE.color) || tag.has(ATTRIBUTE.face) || tag.has(ATTRIBUTE.size)
}
