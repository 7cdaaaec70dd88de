// The structure of a page's blocks for writing: list items, quotes, table rows, headings, code.
// Pure layout (a table around everything, a list whose entries are whole posts) is removed here, so
// that writers see only real lists and tables.
//
// The relevant containers are nodes, numbered in reading order; 0 is the page. Every other
// container belongs to the nearest node around it.
import { ELEMENT, flagsOf } from '../html/html-names.ts'
import { hintHash } from './hints.ts'
import type { Outline } from './outline.ts'

export const NODE_KIND = {
  page: 0,
  list: 1,
  numbered: 2,
  terms: 3,
  item: 4,
  term: 5,
  description: 6,
  quote: 7,
  table: 8,
  row: 9,
  cell: 10,
  heading: 11,
  code: 12,
} as const

const { dir, menu, ul, h1, h2, h3, h4, h5, h6, listing, pre, td, th } = ELEMENT
const KIND_OF = new Uint8Array(256)
for (const element of [ul, menu, dir]) KIND_OF[element] = NODE_KIND.list
KIND_OF[ELEMENT.ol] = NODE_KIND.numbered
KIND_OF[ELEMENT.dl] = NODE_KIND.terms
KIND_OF[ELEMENT.li] = NODE_KIND.item
KIND_OF[ELEMENT.dt] = NODE_KIND.term
KIND_OF[ELEMENT.dd] = NODE_KIND.description
KIND_OF[ELEMENT.blockquote] = NODE_KIND.quote
KIND_OF[ELEMENT.table] = NODE_KIND.table
KIND_OF[ELEMENT.tr] = NODE_KIND.row
for (const element of [td, th]) KIND_OF[element] = NODE_KIND.cell
for (const element of [h1, h2, h3, h4, h5, h6]) KIND_OF[element] = NODE_KIND.heading
for (const element of [pre, listing]) KIND_OF[element] = NODE_KIND.code

/** Page sections: a list, a quote or a table around one is layout. */
const { article, section, main, nav, header, footer } = ELEMENT
const IS_PART = flagsOf([article, section, main, nav, header, footer])
const IS_LIST = flagsOf([NODE_KIND.list, NODE_KIND.numbered, NODE_KIND.terms])
const IS_ENTRY = flagsOf([NODE_KIND.item, NODE_KIND.description])
const IS_GROUP = flagsOf([NODE_KIND.list, NODE_KIND.numbered, NODE_KIND.terms, NODE_KIND.table])
const IS_INDENTED = flagsOf([NODE_KIND.item, NODE_KIND.description, NODE_KIND.quote])
/** Bits of the kinds of which one must be around it; 0: any. */
const WITHIN = new Int32Array(16)
WITHIN[NODE_KIND.item] = (1 << NODE_KIND.list) | (1 << NODE_KIND.numbered)
WITHIN[NODE_KIND.term] = WITHIN[NODE_KIND.description] = 1 << NODE_KIND.terms
WITHIN[NODE_KIND.row] = 1 << NODE_KIND.table

/** For nested lists and quotes; deeper ones are not indented any further. */
const MAX_LEVEL = 8
/** A list item or a quote with more blocks is a part of the page, and so is a long one with several. */
const MAX_ENTRY_BLOCKS = 12
const MAX_ENTRY_BYTES = 2000
const FEW_BLOCKS = 3
/** A heading without its end tag contains the text below it. */
const MAX_HEADING_BLOCKS = 3
/** Beyond these a table contains prose. */
const MAX_CELL_BLOCKS = 8
const MAX_ROW_BYTES = 3000
const MAX_PROSE_BYTES = 400

/** Of PageStructure; the wider ones come first. */
const INT_COLUMNS = 10
const BYTE_COLUMNS = 4

const PRESENTATION = hintHash('presentation')

export class PageStructure {
  /** Per container: its node. */
  readonly nodeOf: Int32Array
  /** The columns below have one entry per node. */
  count = 1
  readonly row: Int32Array
  readonly kind: Uint8Array
  readonly up: Int32Array
  /** Itself, or the nearest ancestor that is not removed. */
  readonly form: Int32Array
  /** The outermost list or table around: its blocks have no blank lines between them. */
  readonly group: Int32Array
  /** The table row around; 0 outside. */
  readonly tableRow: Int32Array
  /** The number of indented nodes from the page down to it. */
  readonly level: Uint8Array
  /** For a list item its position, from 1; for a list, a row or a table its width. */
  readonly number: Int32Array
  readonly #outline: Outline
  readonly #isFlat: Uint8Array
  readonly #isLayout: Uint8Array
  /** The nearest list item and the nearest table; itself if it is one. */
  readonly #entry: Int32Array
  readonly #table: Int32Array
  /** Blocks in it, without those of lists within a list item. */
  readonly #blocks: Int32Array

  constructor(outline: Outline) {
    const { count } = outline.containers
    this.#outline = outline
    // One allocation: as many small ones would take longer than filling them.
    const room = new ArrayBuffer(count * (INT_COLUMNS * 4 + BYTE_COLUMNS))
    let at = 0
    const int32 = (): Int32Array => {
      at += 4 * count
      return new Int32Array(room, at - 4 * count, count)
    }
    const uint8 = (): Uint8Array => {
      at += count
      return new Uint8Array(room, at - count, count)
    }
    this.nodeOf = int32()
    this.row = int32()
    this.up = int32()
    this.form = int32()
    this.group = int32()
    this.tableRow = int32()
    this.number = int32()
    this.#entry = int32()
    this.#table = int32()
    this.#blocks = int32()
    this.kind = uint8()
    this.level = uint8()
    this.#isFlat = uint8()
    this.#isLayout = uint8()
    this.#gather()
    for (let node = 1; node < this.count; node++) this.#weigh(node)
    for (let node = 1; node < this.count; node++) this.#settle(node)
  }

  #gather(): void {
    const { count, element, parent } = this.#outline.containers
    const { nodeOf } = this
    for (let row = 1; row < count; row++) {
      const name = element[row] ?? 0
      const up = nodeOf[parent[row] ?? 0] ?? 0
      const kind = KIND_OF[name] ?? 0
      if (kind !== 0) nodeOf[row] = this.#add(row, kind, up)
      else {
        nodeOf[row] = up
        if (IS_PART[name] === 1) this.#markLayout(up)
      }
    }
  }

  #add(row: number, kind: number, up: number): number {
    const { blockFrom, blockTo } = this.#outline.containers
    const node = this.count++
    const blocks = (blockTo[row] ?? 0) - (blockFrom[row] ?? 0)
    this.row[node] = row
    this.kind[node] = kind
    this.up[node] = up
    this.#blocks[node] = blocks
    const entry = this.#entry[up] ?? 0
    const table = this.#table[up] ?? 0
    this.#entry[node] = IS_ENTRY[kind] === 1 ? node : entry
    this.#table[node] = kind === NODE_KIND.table ? node : table
    if (IS_LIST[kind] === 1) this.#blocks[entry] = (this.#blocks[entry] ?? 0) - blocks
    // Neither a table nor code can be within a line.
    else if (kind === NODE_KIND.table || kind === NODE_KIND.code) {
      this.#isFlat[table] = 1
      if (kind === NODE_KIND.table && this.#isPresentation(row)) this.#isFlat[node] = 1
    } else if (kind === NODE_KIND.heading) {
      this.#markLayout(up)
      if (blocks > MAX_HEADING_BLOCKS) this.#isFlat[node] = 1
    } else if (kind === NODE_KIND.item || kind === NODE_KIND.cell) this.#number(node, kind, up)
    return node
  }

  /** Its tag says that it is for presentation. */
  #isPresentation(row: number): boolean {
    const { words, wordFrom, wordTo } = this.#outline.containers
    for (let at = wordFrom[row] ?? 0; at < (wordTo[row] ?? 0); at++) {
      if (words[at] === PRESENTATION) return true
    }
    return false
  }

  #number(node: number, kind: number, up: number): void {
    const number = (this.number[up] ?? 0) + 1
    this.number[up] = number
    if (kind === NODE_KIND.item) this.number[node] = number
  }

  /** Marks every ancestor as layout, up to one that is already marked. */
  #markLayout(up: number): void {
    for (let node = up; node > 0 && this.#isLayout[node] === 0; node = this.up[node] ?? 0) {
      this.#isLayout[node] = 1
    }
  }

  /** Whether its size shows that it, or the list it is an item of, is layout. */
  #weigh(node: number): void {
    const kind = this.kind[node] ?? 0
    const blocks = this.#blocks[node] ?? 0
    const up = this.up[node] ?? 0
    if (IS_ENTRY[kind] === 1 || kind === NODE_KIND.quote) {
      const isLong = blocks > FEW_BLOCKS && this.#bytes(node) > MAX_ENTRY_BYTES
      if (blocks > MAX_ENTRY_BLOCKS || isLong)
        this.#isFlat[kind === NODE_KIND.quote ? node : up] = 1
    } else if (kind === NODE_KIND.cell) {
      const isProse = blocks > 1 && this.#bytes(up) > MAX_PROSE_BYTES
      if (blocks > MAX_CELL_BLOCKS || isProse) this.#isFlat[this.#table[node] ?? 0] = 1
    } else if (kind === NODE_KIND.row) {
      if (this.#bytes(node) > MAX_ROW_BYTES) this.#isFlat[up] = 1
      this.number[up] = Math.max(this.number[up] ?? 0, this.number[node] ?? 0)
    }
  }

  #bytes(node: number): number {
    const { textFrom, textTo } = this.#outline.containers
    const row = this.row[node] ?? 0
    return (textTo[row] ?? 0) - (textFrom[row] ?? 0)
  }

  #settle(node: number): void {
    const kind = this.kind[node] ?? 0
    const up = this.up[node] ?? 0
    const isFlat = this.#mustBeFlat(node, kind, up)
    const group = this.group[up] ?? 0
    const level = this.level[up] ?? 0
    this.form[node] = isFlat ? (this.form[up] ?? 0) : node
    this.group[node] = group !== 0 || isFlat || IS_GROUP[kind] === 0 ? group : node
    this.tableRow[node] = kind === NODE_KIND.row && !isFlat ? node : (this.tableRow[up] ?? 0)
    this.level[node] = !isFlat && IS_INDENTED[kind] === 1 ? level + 1 : level
  }

  #mustBeFlat(node: number, kind: number, up: number): boolean {
    if (this.#isFlat[node] === 1 || kind === NODE_KIND.cell) return true
    if (this.#isLayout[node] === 1 && kind !== NODE_KIND.heading) return true
    if (kind === NODE_KIND.table) return (this.number[node] ?? 0) < 2
    if (IS_INDENTED[kind] === 1 && (this.level[up] ?? 0) >= MAX_LEVEL) return true
    const within = WITHIN[kind] ?? 0
    return within !== 0 && (this.form[up] !== up || ((within >> (this.kind[up] ?? 0)) & 1) === 0)
  }
}

/** Whether the content of a node of this kind has a marker or an indentation. */
export function isIndented(kind: number): boolean {
  return IS_INDENTED[kind] === 1
}

const START = /^<ol\s(?:[^>]*\s)?start\s*=\s*(?:["']\s*)?(\d{1,9})(?!\d)/i
/** Characters of a tag: enough to find an attribute in. */
const MAX_TAG = 256

/** The first number of the numbered list whose tag is at this offset of the page. */
export function firstNumber(page: Buffer, at: number): number {
  const start = START.exec(page.toString('latin1', at, at + MAX_TAG))
  return start === null ? 1 : Number(start[1])
}
