// A hidden part of a page, from the element that hides it to the end of that element. End tags are
// often omitted or misplaced, so the elements inside are kept on a stack and closed as the
// standard's tree builder closes them: a paragraph by the next block, a link by the next link, and
// everything by the end of its parent.
import { ELEMENT, flagsOf, TABLE_RANK, TRAIT, TRAITS } from './html-names.ts'
import type { HtmlScanner } from './html-scanner.ts'

/** Deeper elements are only counted, so that a search stays cheap. */
const MAX_DEPTH = 96

/** How an element closes others and is closed, by the standard, one bit each. */
const SPECIAL = 1
/** An end tag does not reach beyond it, except for those of tables. */
const SCOPE = 2
/** Closed by the adoption agency: elements in it may stay open without it. */
const FORMATTING = 4
const CLOSES_P = 8
const HEADING = 16
/** Formatting around it does not apply inside. */
const MARKER = 32
const RULES = rulesOf()

const DT_OR_DD = flagsOf([ELEMENT.dt, ELEMENT.dd])
const NOT_AROUND_ITEMS = flagsOf([ELEMENT.address, ELEMENT.div, ELEMENT.p])
const RUBY_TEXT = flagsOf([ELEMENT.rt, ELEMENT.rp])
const OPTION = flagsOf([ELEMENT.option])
const OPTION_OR_GROUP = flagsOf([ELEMENT.option, ELEMENT.optgroup])

function rulesOf(): Uint8Array {
  const { block, cell, empty } = TRAIT
  const e = ELEMENT
  const rules = Uint8Array.from(TRAITS, (traits) => {
    const isBlock = (traits & block) !== 0 && (traits & empty) === 0
    return (isBlock || (traits & cell) !== 0 ? SPECIAL : 0) | (isBlock ? CLOSES_P : 0)
  })
  const add = (bits: number, ...elements: number[]): void => {
    for (const element of elements) rules[element] = (rules[element] ?? 0) | bits
  }
  const remove = (bits: number, ...elements: number[]): void => {
    for (const element of elements) rules[element] = (rules[element] ?? 0) & ~bits
  }
  add(SPECIAL, e.button, e.object, e.select, e.noscript, e.noframes, e.template)
  remove(SPECIAL, e.legend, e.optgroup, e.option, e.dialog)
  remove(CLOSES_P, e.body, e.html, e.frameset, e.legend, e.optgroup, e.option, e.caption)
  remove(CLOSES_P, e.tbody, e.tfoot, e.thead, e.tr)
  add(CLOSES_P, e.hr)
  add(SCOPE | MARKER, e.td, e.th, e.caption, e.object, e.template)
  add(SCOPE, e.table)
  add(HEADING, e.h1, e.h2, e.h3, e.h4, e.h5, e.h6)
  add(FORMATTING, e.a, e.b, e.big, e.code, e.em, e.font, e.i, e.nobr, e.s, e.small)
  add(FORMATTING, e.strike, e.strong, e.tt, e.u)
  return rules
}

export type HiddenContext = {
  /** In a link, which the next link ends. */
  readonly inLink: boolean
  /** Directly in SVG or MathML. */
  readonly isForeign: boolean
}

export const END_EFFECT = {
  /** None on the hidden part. */
  no: 0,
  yes: 1,
  /** It ended the hidden part if an element of that name is open around it. */
  withOuter: 2,
} as const
export type EndEffect = (typeof END_EFFECT)[keyof typeof END_EFFECT]

export class HiddenContent {
  readonly #names = new Int32Array(MAX_DEPTH)
  /** By number; 0 for unknown names, and for elements that ended before their content. */
  readonly #elements = new Uint8Array(MAX_DEPTH)
  #depth = 0
  #tooDeep = 0
  #root = 0
  #inLink = false
  #isForeign = false
  /** Elements below this index of the stack stay open, whatever follows. */
  #fence = 0
  #fencedTooDeep = 0

  get isOpen(): boolean {
    return this.#depth > 0
  }

  /** The element that hides its content. */
  get root(): number {
    return this.#root
  }

  reset(): void {
    this.#depth = 0
    this.#fence = 0
  }

  /** The element whose start tag was just read hides its content. */
  begin(tag: HtmlScanner, { inLink, isForeign }: HiddenContext): void {
    this.#depth = 0
    this.#tooDeep = 0
    this.#root = tag.element
    this.#inLink = inLink
    this.#isForeign = isForeign
    this.#push(tag)
  }

  /** The open elements stay open until `unfence`. */
  fence(): void {
    this.#fence = this.#depth
    this.#fencedTooDeep = this.#tooDeep
  }

  /** Closes what was opened since the fence; true when that was the hidden part itself. */
  unfence(): boolean {
    const fence = this.#fence
    this.#fence = 0
    this.#tooDeep = fence === 0 ? 0 : this.#fencedTooDeep
    const isOver = fence === 0 && this.#depth > 0
    this.#depth = fence
    return isOver
  }

  /** A start tag inside; true when it ended the hidden part and comes after it. */
  start(tag: HtmlScanner): boolean {
    this.#closeBefore(tag.element)
    if (this.#depth === 0) return true
    if (((TRAITS[tag.element] ?? 0) & TRAIT.empty) !== 0 || this.#isIgnored(tag.element)) {
      return false
    }
    if (this.#depth === MAX_DEPTH) this.#tooDeep++
    else this.#push(tag)
    return false
  }

  end(tag: HtmlScanner): EndEffect {
    if (this.#tooDeep > 0) {
      this.#tooDeep--
      return END_EFFECT.no
    }
    const { element, nameHash } = tag
    const rules = RULES[element] ?? 0
    const isTablePart = element === ELEMENT.table || (TABLE_RANK[element] ?? 0) > 0
    for (let at = this.#depth - 1; at >= this.#fence; at--) {
      const open = this.#elements[at] ?? 0
      if (this.#names[at] === nameHash || (rules & (RULES[open] ?? 0) & HEADING) !== 0) {
        this.#close(at, rules)
        return this.#depth === 0 ? END_EFFECT.yes : END_EFFECT.no
      }
      if (this.#isBarrier(element, open, isTablePart)) return END_EFFECT.no
    }
    return this.#fence > 0 ? END_EFFECT.no : this.#endedByOuter(element)
  }

  /** An element around it ended. */
  leave(): void {
    this.#depth = 0
  }

  /** A start tag ended the SVG or MathML around it; true when the hidden part ended with it. */
  leaveForeign(): boolean {
    if (!this.#isForeign || this.#depth === 0 || this.#fence > 0) return false
    this.#depth = 0
    return true
  }

  /** Forms do not nest, so the inner one is ignored, like rows and cells without a table. */
  #isIgnored(element: number): boolean {
    if (element === ELEMENT.form) return this.#find(ELEMENT.form, 0) >= 0
    if ((TABLE_RANK[element] ?? 0) === 0) return false
    for (let at = this.#depth - 1; at >= 0; at--) {
      const open = this.#elements[at] ?? 0
      const isPart = (TABLE_RANK[open] ?? 0) > 0
      if (isPart || open === ELEMENT.table || open === ELEMENT.template) return false
    }
    return true
  }

  #push({ element, nameHash }: HtmlScanner): void {
    this.#names[this.#depth] = nameHash
    this.#elements[this.#depth] = element
    this.#depth++
  }

  /** Whether the search for the start of an end tag's `element` stops at an open element. */
  #isBarrier(element: number, open: number, isTablePart: boolean): boolean {
    if (isTablePart) return open === ELEMENT.table || open === ELEMENT.template
    const rules = RULES[open] ?? 0
    if (element === ELEMENT.p) return (rules & SCOPE) !== 0 || open === ELEMENT.button
    if (element === ELEMENT.li && (open === ELEMENT.ul || open === ELEMENT.ol)) return true
    const own = RULES[element] ?? 0
    if ((own & (SPECIAL | HEADING)) !== 0) return (rules & SCOPE) !== 0
    if ((own & FORMATTING) !== 0) return (rules & MARKER) !== 0
    return (rules & SPECIAL) !== 0
  }

  /** Closes an element; a formatting element leaves the blocks in it open. */
  #close(at: number, rules: number): void {
    if (at === 0 || (rules & FORMATTING) === 0 || !this.#hasSpecialAbove(at)) this.#depth = at
    else this.#names[at] = this.#elements[at] = 0
  }

  #hasSpecialAbove(at: number): boolean {
    for (let above = at + 1; above < this.#depth; above++) {
      if (((RULES[this.#elements[above] ?? 0] ?? 0) & SPECIAL) !== 0) return true
    }
    return false
  }

  /** Closes the elements that cannot stay open when an element begins. */
  #closeBefore(element: number): void {
    const rules = RULES[element] ?? 0
    if ((rules & CLOSES_P) !== 0) {
      this.#closeFrom(this.#find(ELEMENT.p, SCOPE, ELEMENT.button))
    }
    const isTablePart = (TABLE_RANK[element] ?? 0) > 0
    if (isTablePart) this.#closeTableParts(TABLE_RANK[element] ?? 0)
    else if ((rules & HEADING) !== 0) this.#closeTop(HEADING)
    else if (element === ELEMENT.a || element === ELEMENT.nobr) {
      const at = this.#find(element, element === ELEMENT.a ? MARKER : SCOPE)
      if (at >= 0) this.#close(at, FORMATTING)
      else if (element === ELEMENT.a && this.#inLink && !this.#hasSpecialAbove(-1)) {
        this.#closeFrom(0)
      }
    } else if (element === ELEMENT.li || DT_OR_DD[element] === 1) {
      this.#closeFrom(this.#findItem(element))
    } else if (element === ELEMENT.button || element === ELEMENT.select) {
      this.#closeFrom(this.#find(element, SCOPE))
    } else if (element === ELEMENT.option) this.#closeTopOf(OPTION)
    else if (element === ELEMENT.optgroup) this.#closeTopOf(OPTION_OR_GROUP)
    else if (RUBY_TEXT[element] === 1) this.#closeTopOf(RUBY_TEXT)
  }

  #closeFrom(at: number): void {
    if (at < this.#fence || at < 0) return
    this.#depth = at
    this.#tooDeep = 0
  }

  #closeTop(rules: number): void {
    const top = this.#elements[this.#depth - 1] ?? 0
    if (((RULES[top] ?? 0) & rules) !== 0) this.#closeFrom(this.#depth - 1)
  }

  #closeTopOf(elements: Uint8Array): void {
    while (this.#depth > this.#fence && elements[this.#elements[this.#depth - 1] ?? 0] === 1) {
      this.#depth--
    }
  }

  /** The innermost open element of a name, before any with these rules or `other`; -1 for none. */
  #find(element: number, barrier: number, other = -1): number {
    for (let at = this.#depth - 1; at >= this.#fence; at--) {
      const open = this.#elements[at] ?? 0
      if (open === element) return at
      if (((RULES[open] ?? 0) & barrier) !== 0 || open === other) return -1
    }
    return -1
  }

  /** The open list item that a new one ends. */
  #findItem(element: number): number {
    const isDescription = DT_OR_DD[element] === 1
    for (let at = this.#depth - 1; at >= this.#fence; at--) {
      const open = this.#elements[at] ?? 0
      if (open === element || (isDescription && DT_OR_DD[open] === 1)) return at
      if (((RULES[open] ?? 0) & SPECIAL) !== 0 && NOT_AROUND_ITEMS[open] !== 1) return -1
    }
    return -1
  }

  /** A new row or cell ends those before it with everything open in them. */
  #closeTableParts(rank: number): void {
    let found = this.#partAbove(-1, rank)
    for (let at = this.#depth - 1; at >= this.#fence; at--) {
      const open = this.#elements[at] ?? 0
      const openRank = TABLE_RANK[open] ?? 0
      if (openRank > rank || open === ELEMENT.table || open === ELEMENT.template) {
        found = this.#partAbove(at, rank)
        break
      }
    }
    this.#closeFrom(found)
  }

  /** The lowest table part above an index of the stack that a new one of this rank ends; -1 for none. */
  #partAbove(at: number, rank: number): number {
    for (let above = at + 1; above < this.#depth; above++) {
      const openRank = TABLE_RANK[this.#elements[above] ?? 0] ?? 0
      if (openRank > 0 && openRank <= rank) return above
    }
    return -1
  }

  /** The end tag of an element that was not opened in here: of one around it, or of none. */
  #endedByOuter(element: number): EndEffect {
    // The end of the last two is decided by their own reader (fallback-reader.ts).
    if (this.#root === ELEMENT.template || element === ELEMENT.noscript) return END_EFFECT.no
    if (element === ELEMENT.noframes) return END_EFFECT.no
    if (((RULES[element] ?? 0) & SPECIAL) !== 0) return END_EFFECT.withOuter
    if (this.#isForeign && element !== ELEMENT.svg && element !== ELEMENT.math) return END_EFFECT.no
    if (element === ELEMENT.a && !this.#inLink) return END_EFFECT.no
    // Inline content ends with inline elements only.
    if (this.#hasSpecialAbove(-1)) return END_EFFECT.no
    this.#depth = 0
    return END_EFFECT.yes
  }
}
