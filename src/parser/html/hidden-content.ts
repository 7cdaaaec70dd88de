// The part of a page that is not shown, from the element that hides it to where that element ends.
// End tags are often left out, so the elements inside are remembered: the hidden part also ends
// where something around it does.
import { ELEMENT, TRAIT, TRAITS } from './html-names.ts'
import type { HtmlScanner } from './html-scanner.ts'

/** Deeper elements are only counted, so that looking for one stays cheap. */
const MAX_DEPTH = 96
/** Elements that end where their next sibling begins. */
const SELF_ENDING = new Set([
  ELEMENT.dd,
  ELEMENT.dt,
  ELEMENT.li,
  ELEMENT.option,
  ELEMENT.p,
  ELEMENT.rp,
  ELEMENT.rt,
  ELEMENT.td,
  ELEMENT.th,
  ELEMENT.tr,
])

export class HiddenContent {
  readonly #names = new Int32Array(MAX_DEPTH)
  #depth = 0
  #tooDeep = 0
  #root = 0

  get isOpen(): boolean {
    return this.#depth > 0
  }

  /** The element that hides what is in it. */
  get root(): number {
    return this.#root
  }

  reset(): void {
    this.#depth = 0
  }

  /** The element whose start tag was just read hides what is in it. */
  begin(tag: HtmlScanner): void {
    this.#names[0] = tag.nameHash
    this.#depth = 1
    this.#tooDeep = 0
    this.#root = tag.element
  }

  /** A start tag within; true when it ended the hidden part, and stands behind it. */
  start(tag: HtmlScanner): boolean {
    const traits = TRAITS[tag.element] ?? 0
    if (this.#depth === 1 && this.#endsBefore(tag, traits)) {
      this.#depth = 0
      return true
    }
    if ((traits & TRAIT.empty) !== 0) return false
    if (this.#depth === MAX_DEPTH) this.#tooDeep++
    else this.#names[this.#depth++] = tag.nameHash
    return false
  }

  /** An end tag; true when it ended the hidden part. */
  end(tag: HtmlScanner): boolean {
    if (this.#tooDeep > 0) {
      this.#tooDeep--
      return false
    }
    for (let at = this.#depth - 1; at >= 0; at--) {
      if (this.#names[at] !== tag.nameHash) continue
      this.#depth = at
      return at === 0
    }
    if (!this.#endsWith(tag)) return false
    this.#depth = 0
    return true
  }

  #endsBefore(tag: HtmlScanner, traits: number): boolean {
    if (this.#root === ELEMENT.p) return (traits & TRAIT.block) !== 0
    return this.#root === tag.element && SELF_ENDING.has(tag.element)
  }

  /** Not opened in here, so around: nothing but a template outlives what it is in. */
  #endsWith(tag: HtmlScanner): boolean {
    if (this.#root === ELEMENT.template || tag.element === ELEMENT.p) return false
    if (tag.element === ELEMENT.ruby) return true
    return ((TRAITS[tag.element] ?? 0) & (TRAIT.block | TRAIT.cell)) !== 0
  }
}
