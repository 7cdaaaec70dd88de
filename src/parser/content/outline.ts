// A reduced tree of a page: containers (the elements that contain blocks), and the blocks of text between
// them, in reading order. Everything that is judged after the one pass over a page is judged on this: main
// content, tables, lists, kind of page.
//
// A container is a row in parallel arrays, and so is a block; there is no object per node. Containers know
// their range of blocks and of text, so that a sum over one is the difference of two running totals.
//
// Inline elements are left out, and most of the standard's rules about misnested ones. Omitted end tags are
// added; an end tag without an open element is ignored.
import { MAX_BLOCKS, MAX_CONTAINERS, MAX_DEPTH } from '../assembly/layout.ts'
import {
  BEHAVIOUR,
  CLOSED_BY_SAME,
  CLOSES_P,
  ELEMENT,
  HEADING,
  IS_CONTAINER,
  isPre,
  TABLE_PART,
  TRAIT,
  TRAITS,
} from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import type { PageMemory } from '../html/page-memory.ts'
import type { TextSink } from '../html/text-sink.ts'
import { readHints } from './hints.ts'
import { OpenContainers } from './open-containers.ts'
import { amountOf, BlockRows, ContainerRows, type TextAmount } from './outline-rows.ts'
import { OutlineState } from './outline-state.ts'

/** Shorter cells are read as one row, longer ones are separate blocks. */
const MAX_CELL_BYTES = 100

/** A position in the text, and the state of the outline there. */
export type OutlineMark = {
  readonly text: number
  readonly containers: number
  /** The innermost container, and its depth. */
  readonly innermost: number
  readonly depth: number
}

export class Outline {
  readonly containers: ContainerRows
  readonly blocks: BlockRows
  readonly #memory: PageMemory
  readonly #text: TextSink
  readonly #open: OpenContainers
  readonly #now: OutlineState
  #isXml = false

  constructor(memory: PageMemory, text: TextSink) {
    this.#memory = memory
    this.#text = text
    this.containers = new ContainerRows(memory)
    this.blocks = new BlockRows(memory)
    this.#open = new OpenContainers(memory, this.containers)
    this.#now = new OutlineState(memory.state)
  }

  open(isXml: boolean): void {
    const memory = this.#memory
    this.#isXml = isXml
    this.containers.open(memory)
    this.blocks.open(memory)
    this.#open.open(memory)
    this.#now.reset(memory.state)
    this.#open.push(this.containers.add(0, -1, 0, 0))
  }

  /** Some of the page was beyond the limits: further content belongs to the last rows. */
  get cut(): boolean {
    return this.#now.cut
  }

  /** In preformatted text line ends and spaces are kept. */
  get inPre(): boolean {
    return this.#now.pres > 0
  }

  /** Closes everything at the end of the page. */
  close(at: number): void {
    this.#flush(at)
    while (this.#open.depth > 0) this.#pop(at)
  }

  /** A start tag of HTML at `at`. */
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
    if ((behaviour & IS_CONTAINER) === 0 || (this.#isXml && tag.selfClosing)) return
    this.#closeImplied(element, behaviour, at)
    if (this.#now.tooDeep > 0 || this.#open.depth === MAX_DEPTH) {
      this.#now.tooDeep++
      this.#now.cut = true
    } else this.#push(tag, at)
  }

  end(tag: HtmlScanner, at: number): void {
    const { element } = tag
    const traits = TRAITS[element] ?? 0
    if ((traits & TRAIT.block) !== 0) this.#break(at)
    else if ((traits & TRAIT.cell) !== 0) this.#text.space()
    if (((BEHAVIOUR[element] ?? 0) & IS_CONTAINER) === 0) return
    if (this.#now.tooDeep > 0) {
      this.#now.tooDeep--
      return
    }
    const place = this.#open.findOpen(tag)
    if (place > 0 && place < this.#open.depth - 1) this.#break(at)
    this.#closeTo(place, at)
  }

  startLink(): void {
    if (this.#now.linkFrom < 0) this.#now.links++
    this.#now.linkFrom = this.#text.mark
  }

  endLink(): void {
    if (this.#now.linkFrom < 0) return
    this.#now.linkBytes = this.#openLinkBytes()
    this.#now.linkFrom = -1
  }

  /** The text since a mark: total, in links, and in blocks of whole sentences. */
  amountSince(mark: number): TextAmount {
    const openBytes = this.#text.mark - Math.max(mark, this.#now.from)
    return amountOf(this.blocks, mark, { textBytes: openBytes, linkBytes: this.#openLinkBytes() })
  }

  get innermost(): number {
    return this.#open.innermost
  }

  mark(): OutlineMark {
    const { count } = this.containers
    const depth = this.#open.depth
    return { text: this.#text.mark, containers: count, innermost: this.innermost, depth }
  }

  get inLink(): boolean {
    return this.#now.linkFrom >= 0
  }

  get isInTable(): boolean {
    return this.#open.isInTable
  }

  /** Whether the last form is nested in another one and thus ignored. */
  get isInForm(): boolean {
    const place = this.#open.findForm()
    return place > 0 && this.#open.findForm(place - 1) > 0
  }

  /** Whether the container of a mark is still open. */
  isOpen({ innermost, depth }: OutlineMark): boolean {
    return this.#open.depth >= depth && this.#open.rows[depth - 1] === innermost
  }

  /** Whether an end tag closes the container of a mark, or one around it. */
  endsAround(tag: HtmlScanner, { depth }: OutlineMark): boolean {
    const { element } = tag
    if (this.#now.tooDeep > 0) return false
    // These end tags close everything.
    if (element === ELEMENT.body || element === ELEMENT.html) return true
    const place = element === ELEMENT.form ? this.#open.findForm() : this.#open.findOpen(tag)
    return place > 0 && place < depth
  }

  /** Removes the text since a mark from the outline: it is hidden. */
  rewind({ text: mark, containers: first, innermost }: OutlineMark): void {
    const { blocks, containers } = this
    while (blocks.count > 0 && (blocks.textFrom[blocks.count - 1] ?? 0) >= mark) blocks.count--
    this.#cutLastBlock(mark)
    for (let row = first; row < containers.count; row++) {
      containers.textFrom[row] = containers.textTo[row] = mark
      containers.blockFrom[row] = containers.blockTo[row] = blocks.count
    }
    // Ancestors may have ended within.
    for (let row = innermost; row >= 0; row = containers.parent[row] ?? -1) {
      if ((containers.textTo[row] ?? 0) < mark) break
      containers.textTo[row] = mark
      containers.blockTo[row] = Math.min(containers.blockTo[row] ?? 0, blocks.count)
    }
    if (this.#now.from > mark) this.#now.from = mark
    if (this.#now.linkFrom > mark) this.#now.linkFrom = mark
    this.#now.lastBreak = -1
  }

  /** Without white space at its new end, like the text as a whole. */
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

  /** Of the open block. */
  #openLinkBytes(): number {
    if (this.#now.linkFrom < 0) return this.#now.linkBytes
    return (
      this.#now.linkBytes +
      Math.max(0, this.#text.mark - Math.max(this.#now.linkFrom, this.#now.from))
    )
  }

  /** The edge of a block, unless lines are kept as they are. */
  #break(at: number): void {
    this.#text.line()
    if (this.#now.pres === 0) this.#flush(at)
  }

  /** One `<br>` is a line end within a block, two end the block. */
  #lineBreak(at: number): void {
    if (this.#now.pres > 0) {
      this.#text.line()
      return
    }
    const isSecond = this.#now.lastBreak === this.#text.mark && this.#now.from < this.#text.mark
    this.#text.line()
    if (isSecond) this.#flush(at)
    this.#now.lastBreak = this.#text.mark
  }

  /** Short cells of a row are one block, so that a table of numbers is not a heap of fragments. */
  #cell(at: number): void {
    const bytes = this.#text.mark - this.#now.from
    if (this.#now.pres > 0 || bytes > MAX_CELL_BYTES * this.#now.rowCells) this.#break(at)
    else this.#text.cell()
    this.#now.rowCells++
  }

  #flush(at: number): void {
    const { blocks } = this
    const { textFrom, textTo } = this.#text.trimmed(this.#now.from)
    if (textTo > textFrom) {
      if (this.#now.linkFrom >= 0) {
        this.#now.linkBytes += Math.max(0, textTo - Math.max(this.#now.linkFrom, this.#now.from))
      }
      if (blocks.count < MAX_BLOCKS) {
        const node = this.#open.innermost
        const row = blocks.add(node, textFrom, textTo)
        blocks.sourceFrom[row] = this.#now.sourceFrom
        blocks.sourceTo[row] = at
        blocks.linkBytes[row] = Math.min(this.#now.linkBytes, textTo - textFrom)
        blocks.links[row] = this.#now.links
      } else {
        this.#now.cut = true
      }
    }
    this.#now.from = this.#text.mark
    this.#now.sourceFrom = at
    this.#now.linkBytes = 0
    this.#now.links = this.#now.linkFrom >= 0 ? 1 : 0
    this.#now.rowCells = 0
  }

  #push(tag: HtmlScanner, at: number): void {
    const { containers } = this
    const parent = this.#open.innermost
    if (containers.count >= MAX_CONTAINERS) {
      this.#now.cut = true
      this.#now.tooDeep++
      return
    }
    const row = containers.add(tag.element, parent, this.#text.mark, this.blocks.count)
    containers.nameHash[row] = tag.nameHash
    containers.sourceFrom[row] = at
    readHints(tag, containers)
    if (isPre(tag.element)) this.#now.pres++
    this.#open.push(row)
  }

  #pop(at: number): void {
    const { containers } = this
    const row = this.#open.innermost
    const element = containers.element[row] ?? 0
    if (isPre(element)) {
      this.#text.line()
      this.#flush(at)
      this.#now.pres--
    }
    containers.textTo[row] = this.#text.mark
    containers.blockTo[row] = this.blocks.count
    this.#open.depth--
  }

  /** Closes the container at this index of the stack and all within; nothing for 0. */
  #closeTo(place: number, at: number): void {
    while (place > 0 && this.#open.depth > place) this.#pop(at)
  }

  /** Closes the containers that cannot stay open when an element of this name begins. */
  #closeImplied(element: number, behaviour: number, at: number): void {
    if ((behaviour & TABLE_PART) !== 0) this.#closeTo(this.#open.findTablePart(element), at)
    else if (CLOSED_BY_SAME.has(element)) this.#closeTo(this.#open.findSame(element), at)
    else if (element === ELEMENT.button) this.#closeTo(this.#open.findButton(), at)
    else if ((behaviour & HEADING) !== 0) {
      const top = this.#open.depth - 1
      if (((BEHAVIOUR[this.#open.elementAt(top)] ?? 0) & HEADING) !== 0) this.#closeTo(top, at)
    }
    if ((behaviour & CLOSES_P) !== 0) this.#closeTo(this.#open.findParagraph(), at)
  }
}
