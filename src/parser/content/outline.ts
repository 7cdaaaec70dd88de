// What is left of a page's tree: containers (the elements that hold blocks), and the blocks of text
// between their edges, in reading order. Everything that is judged after the one pass over a page
// is judged on this: main content, tables, lists, kind of page.
//
// A container is a row in parallel arrays, and so is a block; nothing here is an object per node.
// Containers know the range of blocks and of text they span, so that a sum over one is the
// difference of two running totals.
//
// Left out: inline elements, and most of what the standard says about misnested ones. End tags
// that may be left out are put in; an end tag that nothing opened is passed over.
import { ELEMENT, TRAIT, TRAITS } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import type { TextSink } from '../html/text-sink.ts'
import {
  BEHAVIOUR,
  CLOSED_BY_LIKE,
  CLOSES_P,
  HEADING,
  HOLDS,
  isFallback,
  isPre,
  LIST,
  SCOPE,
  TABLE_PART,
  TABLE_RANK,
} from './element-behaviour.ts'
import { readHints } from './hints.ts'
import { BlockRows, ContainerRows } from './outline-rows.ts'
import { amountOf, type TextAmount } from './text-amount.ts'

/** Deeper elements belong to the last container that was noted. */
const MAX_DEPTH = 256
/** Of one page. What comes after belongs to the last ones, and the page is flagged. */
const MAX_CONTAINERS = 30_000
const MAX_BLOCKS = 30_000
/** Cells up to this length are read as one row, longer ones stand for themselves. */
const MAX_CELL_BYTES = 100

/** A place in the text, and what there was of the outline when it was reached. */
export type OutlineMark = {
  readonly text: number
  /** How many. */
  readonly containers: number
  /** The one it is in, and how deep that lies. */
  readonly innermost: number
  readonly depth: number
}

export class Outline {
  readonly containers = new ContainerRows()
  readonly blocks = new BlockRows()
  /** Some of the page was beyond what is kept of one. */
  cut = false
  readonly #text: TextSink
  readonly #stack = new Int32Array(MAX_DEPTH)
  #depth = 0
  #tooDeep = 0
  #isXml = false
  #pres = 0
  /** Where the block that is being read began, in the text and in the page. */
  #from = 0
  #sourceFrom = 0
  #lastBreak = -1
  /** Where the text of the open link began; -1 outside of links. */
  #linkFrom = -1
  #linkBytes = 0
  #links = 0
  #rowCells = 0

  constructor(text: TextSink) {
    this.#text = text
  }

  open(isXml: boolean): void {
    this.#isXml = isXml
    this.containers.clear()
    this.blocks.clear()
    this.cut = false
    this.#depth = 0
    this.#tooDeep = 0
    this.#pres = 0
    this.#from = 0
    this.#sourceFrom = 0
    this.#lastBreak = -1
    this.#linkFrom = -1
    this.#linkBytes = 0
    this.#links = 0
    this.#rowCells = 0
    this.#stack[this.#depth++] = this.containers.add(0, -1, 0, 0)
  }

  /** In preformatted text line ends and blanks stay as they are. */
  get inPre(): boolean {
    return this.#pres > 0
  }

  /** Ends what is still open with the page. */
  close(at: number): void {
    this.#flush(at)
    while (this.#depth > 0) this.#pop(at)
  }

  /** A start tag of HTML that stands at `at`. */
  start(tag: HtmlScanner, at: number): void {
    const { element } = tag
    const behaviour = BEHAVIOUR[element] ?? 0
    if (element === ELEMENT.br) {
      this.#lineBreak(at)
      return
    }
    const traits = TRAITS[element] ?? 0
    if ((traits & TRAIT.block) !== 0) this.#break(at)
    else if ((traits & TRAIT.cell) !== 0) this.#cell(at)
    if ((behaviour & HOLDS) === 0 || (this.#isXml && tag.selfClosing)) return
    this.#closeImplied(element, behaviour, at)
    if (this.#tooDeep > 0 || this.#depth === MAX_DEPTH) {
      this.#tooDeep++
      this.cut = true
    } else this.#push(tag, at)
  }

  end(tag: HtmlScanner, at: number): void {
    const { element } = tag
    const traits = TRAITS[element] ?? 0
    if ((traits & TRAIT.block) !== 0) this.#break(at)
    else if ((traits & TRAIT.cell) !== 0) this.#text.space()
    if (((BEHAVIOUR[element] ?? 0) & HOLDS) === 0) return
    if (this.#tooDeep > 0) {
      this.#tooDeep--
      return
    }
    const place = this.#findOpen(tag)
    if (place > 0 && place < this.#depth - 1) this.#break(at)
    this.#closeTo(place, at)
  }

  startLink(): void {
    if (this.#linkFrom < 0) this.#links++
    this.#linkFrom = this.#text.mark
  }

  endLink(): void {
    if (this.#linkFrom < 0) return
    this.#linkBytes = this.#openLinkBytes()
    this.#linkFrom = -1
  }

  /** How much text there is from a mark on: in all, in links, and in blocks of whole sentences. */
  amountSince(mark: number): TextAmount {
    const openBytes = this.#text.mark - Math.max(mark, this.#from)
    return amountOf(this.blocks, mark, { textBytes: openBytes, linkBytes: this.#openLinkBytes() })
  }

  /** The container that is being read. */
  get innermost(): number {
    return this.#stack[this.#depth - 1] ?? 0
  }

  mark(): OutlineMark {
    const { count } = this.containers
    const depth = this.#depth
    return { text: this.#text.mark, containers: count, innermost: this.innermost, depth }
  }

  get inLink(): boolean {
    return this.#linkFrom >= 0
  }

  /** Whether what is being read stands in a table. */
  get isInTable(): boolean {
    for (let place = this.#depth - 1; place > 0; place--) {
      if (this.#elementAt(place) === ELEMENT.table) return true
    }
    return false
  }

  /** Whether the form that was begun last stands in another one, and so is none. */
  get isInForm(): boolean {
    const place = this.#findForm()
    return place > 0 && this.#findForm(place - 1) > 0
  }

  /** Whether the container of a mark has not ended since. */
  isOpen({ innermost, depth }: OutlineMark): boolean {
    return this.#depth >= depth && this.#stack[depth - 1] === innermost
  }

  /** Whether an end tag that comes now ends the container of a mark, or one around it. */
  endsAround(tag: HtmlScanner, { depth }: OutlineMark): boolean {
    const { element } = tag
    if (this.#tooDeep > 0) return false
    // These are not looked for, and end everything.
    if (element === ELEMENT.body || element === ELEMENT.html) return true
    const place = element === ELEMENT.form ? this.#findForm() : this.#findOpen(tag)
    return place > 0 && place < depth
  }

  #findForm(from = this.#depth - 1): number {
    let place = from
    while (place > 0 && this.#elementAt(place) !== ELEMENT.form) place--
    return place
  }

  /** Forgets what was noted of the text from a mark on: it turned out not to be shown. */
  rewind({ text: mark, containers: first, innermost }: OutlineMark): void {
    const { blocks, containers } = this
    while (blocks.count > 0 && (blocks.textFrom[blocks.count - 1] ?? 0) >= mark) blocks.count--
    this.#cutLastBlock(mark)
    for (let row = first; row < containers.count; row++) {
      containers.textFrom[row] = containers.textTo[row] = mark
      containers.blockFrom[row] = containers.blockTo[row] = blocks.count
    }
    // Those around it may have ended within.
    for (let row = innermost; row >= 0; row = containers.parent[row] ?? -1) {
      if ((containers.textTo[row] ?? 0) < mark) break
      containers.textTo[row] = mark
      containers.blockTo[row] = Math.min(containers.blockTo[row] ?? 0, blocks.count)
    }
    if (this.#from > mark) this.#from = mark
    if (this.#linkFrom > mark) this.#linkFrom = mark
    this.#lastBreak = -1
  }

  /** Without blanks at its new end: the text as a whole has none there either. */
  #cutLastBlock(mark: number): void {
    const { blocks } = this
    const last = blocks.count - 1
    if (last < 0 || (blocks.textTo[last] ?? 0) <= mark) return
    const from = blocks.textFrom[last] ?? 0
    const { textTo } = this.#text.trimmed(from, mark)
    blocks.textTo[last] = textTo
    blocks.linkBytes[last] = Math.min(blocks.linkBytes[last] ?? 0, textTo - from)
    if (textTo === from) blocks.count--
  }

  /** Of the block that is being read. */
  #openLinkBytes(): number {
    if (this.#linkFrom < 0) return this.#linkBytes
    return this.#linkBytes + Math.max(0, this.#text.mark - Math.max(this.#linkFrom, this.#from))
  }

  /** The edge of a block, unless lines are kept as they are. */
  #break(at: number): void {
    this.#text.line()
    if (this.#pres === 0) this.#flush(at)
  }

  /** One `<br>` is a line end within a block, two are the end of the block. */
  #lineBreak(at: number): void {
    if (this.#pres > 0) {
      this.#text.line()
      return
    }
    const isSecond = this.#lastBreak === this.#text.mark && this.#from < this.#text.mark
    this.#text.line()
    if (isSecond) this.#flush(at)
    this.#lastBreak = this.#text.mark
  }

  /** Short cells of a row are one block, so that a table of numbers is no heap of scraps. */
  #cell(at: number): void {
    const bytes = this.#text.mark - this.#from
    if (this.#pres > 0 || bytes > MAX_CELL_BYTES * this.#rowCells) this.#break(at)
    else this.#text.cell()
    this.#rowCells++
  }

  #flush(at: number): void {
    const { blocks } = this
    const { textFrom, textTo } = this.#text.trimmed(this.#from)
    if (textTo > textFrom) {
      if (this.#linkFrom >= 0) {
        this.#linkBytes += Math.max(0, textTo - Math.max(this.#linkFrom, this.#from))
      }
      if (blocks.count < MAX_BLOCKS) {
        const node = this.#stack[this.#depth - 1] ?? 0
        const row = blocks.add(node, textFrom, textTo)
        blocks.sourceFrom[row] = this.#sourceFrom
        blocks.sourceTo[row] = at
        blocks.linkBytes[row] = Math.min(this.#linkBytes, textTo - textFrom)
        blocks.links[row] = this.#links
      } else {
        this.cut = true
      }
    }
    this.#from = this.#text.mark
    this.#sourceFrom = at
    this.#linkBytes = 0
    this.#links = this.#linkFrom >= 0 ? 1 : 0
    this.#rowCells = 0
  }

  #push(tag: HtmlScanner, at: number): void {
    const { containers } = this
    const parent = this.#stack[this.#depth - 1] ?? 0
    if (containers.count >= MAX_CONTAINERS) {
      this.cut = true
      this.#tooDeep++
      return
    }
    const row = containers.add(tag.element, parent, this.#text.mark, this.blocks.count)
    containers.nameHash[row] = tag.nameHash
    containers.sourceFrom[row] = at
    readHints(tag, containers)
    if (isPre(tag.element)) this.#pres++
    this.#stack[this.#depth++] = row
  }

  #pop(at: number): void {
    const { containers } = this
    const row = this.#stack[this.#depth - 1] ?? 0
    const element = containers.element[row] ?? 0
    if (isPre(element)) {
      this.#text.line()
      this.#flush(at)
      this.#pres--
    }
    containers.textTo[row] = this.#text.mark
    containers.blockTo[row] = this.blocks.count
    this.#depth--
  }

  /** Ends the container at this place of the stack and all within; nothing for 0. */
  #closeTo(place: number, at: number): void {
    while (place > 0 && this.#depth > place) this.#pop(at)
  }

  #elementAt(place: number): number {
    return this.containers.element[this.#stack[place] ?? 0] ?? 0
  }

  /** Ends what cannot be open any more when an element of this name begins. */
  #closeImplied(element: number, behaviour: number, at: number): void {
    if ((behaviour & TABLE_PART) !== 0) this.#closeTo(this.#findTablePart(element), at)
    else if (CLOSED_BY_LIKE.has(element)) this.#closeTo(this.#findLike(element), at)
    else if (element === ELEMENT.button) this.#closeTo(this.#findButton(), at)
    else if ((behaviour & HEADING) !== 0) {
      const top = this.#depth - 1
      if (((BEHAVIOUR[this.#elementAt(top)] ?? 0) & HEADING) !== 0) this.#closeTo(top, at)
    }
    if ((behaviour & CLOSES_P) !== 0) this.#closeTo(this.#findParagraph(), at)
  }

  #findParagraph(): number {
    let place = this.#depth - 1
    while (place > 0 && mayStandInLine(this.#elementAt(place))) place--
    return this.#elementAt(place) === ELEMENT.p ? place : 0
  }

  /** Buttons do not nest. */
  #findButton(): number {
    for (let place = this.#depth - 1; place > 0; place--) {
      const open = this.#elementAt(place)
      if (open === ELEMENT.button) return place
      if (((BEHAVIOUR[open] ?? 0) & SCOPE) !== 0) return 0
    }
    return 0
  }

  /** An open `<li>` that the next one ends, and the like. */
  #findLike(element: number): number {
    const other =
      element === ELEMENT.dt ? ELEMENT.dd : element === ELEMENT.dd ? ELEMENT.dt : element
    for (let place = this.#depth - 1; place > 0; place--) {
      const open = this.#elementAt(place)
      if (open === element || open === other) return place
      if (((BEHAVIOUR[open] ?? 0) & (SCOPE | LIST)) !== 0) return 0
    }
    return 0
  }

  /** The outermost part of the innermost table that a new row, cell or section ends. */
  #findTablePart(element: number): number {
    const rank = TABLE_RANK[element] ?? 0
    let found = 0
    for (let place = this.#depth - 1; place > 0; place--) {
      const open = this.#elementAt(place)
      if (open === ELEMENT.table || isFallback(open)) return found
      const openRank = TABLE_RANK[open] ?? 0
      if (openRank > 0 && openRank <= rank) found = place
    }
    return 0
  }

  #findOpen(tag: HtmlScanner): number {
    const { element, nameHash } = tag
    if (element === ELEMENT.body || element === ELEMENT.html) return 0
    const top = this.#depth - 1
    // A form ends where its end tag stands, but what is open in it stays open.
    if (element === ELEMENT.form) return this.#elementAt(top) === element ? top : 0
    const inTable = element === ELEMENT.table || (TABLE_RANK[element] ?? 0) > 0
    const isItem = element === ELEMENT.li
    for (let place = top; place > 0; place--) {
      if (this.containers.nameHash[this.#stack[place] ?? 0] === nameHash) return place
      if (isFallback(element)) continue
      if (isFallback(this.#elementAt(place))) return 0
      const behaviour = BEHAVIOUR[this.#elementAt(place)] ?? 0
      if (inTable ? this.#elementAt(place) === ELEMENT.table : (behaviour & SCOPE) !== 0) return 0
      if (isItem && (behaviour & LIST) !== 0) return 0
    }
    return 0
  }
}

function mayStandInLine(element: number): boolean {
  return element === 0 || element === ELEMENT.label
}
