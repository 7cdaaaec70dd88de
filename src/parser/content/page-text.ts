// The chosen blocks of a page as plain text, which is stored, searched and exported: paragraphs are
// separated, list items and table rows have their own lines, and code keeps its indentation. It is
// copied piece by piece into one buffer and decoded once, because this runs for every page.
import type { HtmlReading } from '../html/html-reader.ts'
import { firstNumber, isIndented, NODE_KIND, PageStructure } from './page-structure.ts'

const TAB = 9
const NEW_LINE = 10
/** Separates the cells of a row, see html/text-sink.ts. */
const CELL = 31
const SPACE = 32
const HYPHEN = 45
const DOT = 46
const ZERO = 48
const GREATER = 62
const PIPE = 124
/** The lead byte of a pilcrow: documentation uses it to link to its own headings. */
const C2 = 0xc2
const PILCROW = 0xb6

/** Longer than the prefix of any line. */
const MAX_MARKS = 128

type Read = Pick<HtmlReading, 'outline' | 'text' | 'source'>

/** The text of the blocks that are 1 in `chosen`. */
export function pageText(reading: Read, chosen: Uint8Array): string {
  return new TextWriter(reading).write(chosen)
}

class TextWriter {
  readonly #outline: HtmlReading['outline']
  readonly #form: PageStructure
  readonly #bytes: Buffer
  readonly #source: Buffer
  #out: Buffer = Buffer.alloc(0)
  #at = 0
  /** The next line end and the next cell edge in the text. */
  #lineAt = -1
  #cellAt = -1
  /** The prefix of each further line of the block. */
  readonly #indent = new Uint8Array(MAX_MARKS)
  #indentBytes = 0
  /** Nodes from the outermost to the innermost, while prefixes are written. */
  readonly #path = new Int32Array(MAX_MARKS)
  /** 1 for list items whose marker is written. */
  readonly #isMarked: Uint8Array
  /** The numbered list of the last item, and its first number. */
  #numbered = 0
  #first = 1
  #group = 0
  #row = 0
  /** Where the last block ended in the text, and how far cells were searched. */
  #textTo = 0
  #seenContainers = 0

  constructor({ outline, text, source }: Read) {
    this.#outline = outline
    this.#form = new PageStructure(outline)
    this.#bytes = text.bytes
    this.#source = source
    this.#isMarked = new Uint8Array(this.#form.count)
  }

  write(chosen: Uint8Array): string {
    const { count, textFrom, textTo } = this.#outline.blocks
    let needed = MAX_MARKS
    for (let block = 0; block < count; block++) {
      if (chosen[block] === 1) needed += (textTo[block] ?? 0) - (textFrom[block] ?? 0) + 16
    }
    if (needed === MAX_MARKS) return ''
    this.#out = Buffer.allocUnsafeSlow(needed)
    for (let block = 0; block < count; block++) if (chosen[block] === 1) this.#block(block)
    return withPlainLines(this.#out.toString('utf8', 0, this.#at))
  }

  #block(block: number): void {
    const { container, textFrom, textTo } = this.#outline.blocks
    const form = this.#form
    const node = form.nodeOf[container[block] ?? 0] ?? 0
    const from = textFrom[block] ?? 0
    let to = textTo[block] ?? 0
    const kind = form.kind[form.form[node] ?? 0] ?? 0
    if (kind === NODE_KIND.heading || kind === NODE_KIND.term) to = this.#withoutPilcrow(from, to)
    if (to <= from) return
    this.#reserve(to - from)
    const row = form.tableRow[node] ?? 0
    const group = form.group[node] ?? 0
    if (row !== 0 && row === this.#row) this.#joinCell(from)
    else {
      if (this.#at > 0) this.#gap(group !== 0 && group === this.#group)
      this.#mark(node, row)
    }
    this.#copy(from, to, row !== 0)
    this.#group = group
    this.#row = row
    this.#textTo = to
  }

  #reserve(bytes: number): void {
    const needed = this.#at + bytes + MAX_MARKS
    if (needed <= this.#out.length) return
    const larger = Buffer.allocUnsafeSlow(2 * needed)
    larger.set(this.#out.subarray(0, this.#at))
    this.#out = larger
  }

  #put(byte: number): void {
    this.#out[this.#at++] = byte
  }

  #gap(isClose: boolean): void {
    this.#put(NEW_LINE)
    if (!isClose) this.#put(NEW_LINE)
  }

  #bar(): void {
    this.#put(SPACE)
    this.#put(PIPE)
    this.#put(SPACE)
  }

  /** Continues a table row: with a bar when a cell began since the last block. */
  #joinCell(from: number): void {
    const { containers } = this.#outline
    const form = this.#form
    const { count, textFrom } = containers
    let at = Math.max(this.#seenContainers, (form.row[this.#row] ?? 0) + 1)
    let isNew = false
    for (; at < count && (textFrom[at] ?? 0) <= from; at++) {
      const node = form.nodeOf[at] ?? 0
      const isCell = form.kind[node] === NODE_KIND.cell && form.row[node] === at
      if (isCell && (textFrom[at] ?? 0) > this.#textTo) isNew = true
    }
    this.#seenContainers = at
    if (isNew) this.#bar()
    else this.#put(SPACE)
  }

  /** Writes the prefix of a block's first line, and stores that of the others. */
  #mark(node: number, row: number): void {
    const form = this.#form
    this.#indentBytes = 0
    if (form.level[node] === 0) return
    // Blocks of a table row are in its line; only the ancestors of the table add indentation.
    let at = row === 0 ? (form.form[node] ?? 0) : (form.form[form.up[row] ?? 0] ?? 0)
    let depth = 0
    for (; at > 0; at = form.form[form.up[at] ?? 0] ?? 0) {
      if (isIndented(form.kind[at] ?? 0)) this.#path[depth++] = at
    }
    while (depth > 0) {
      const step = this.#path[--depth] ?? 0
      const kind = form.kind[step] ?? 0
      if (kind === NODE_KIND.quote) this.#markQuote()
      else this.#markEntry(step, kind)
    }
  }

  #markQuote(): void {
    this.#put(GREATER)
    this.#put(SPACE)
    this.#indent[this.#indentBytes++] = GREATER
    this.#indent[this.#indentBytes++] = SPACE
  }

  #markEntry(node: number, kind: number): void {
    const form = this.#form
    this.#indent[this.#indentBytes++] = SPACE
    this.#indent[this.#indentBytes++] = SPACE
    if (kind === NODE_KIND.description || this.#isMarked[node] === 1) {
      this.#put(SPACE)
      this.#put(SPACE)
      return
    }
    this.#isMarked[node] = 1
    const list = form.up[node] ?? 0
    if (form.kind[list] === NODE_KIND.numbered) {
      this.#putNumber(this.#firstNumber(list) + (form.number[node] ?? 0) - 1)
      this.#put(DOT)
    } else this.#put(HYPHEN)
    this.#put(SPACE)
  }

  #firstNumber(list: number): number {
    if (list === this.#numbered) return this.#first
    const { sourceFrom } = this.#outline.containers
    this.#numbered = list
    this.#first = firstNumber(this.#source, sourceFrom[this.#form.row[list] ?? 0] ?? 0)
    return this.#first
  }

  #putNumber(number: number): void {
    if (number >= 10) this.#putNumber(Math.floor(number / 10))
    this.#put(ZERO + (number % 10))
  }

  #copy(from: number, to: number, inRow: boolean): void {
    const bytes = this.#bytes
    let at = from
    for (let mark = this.#nextMark(at); mark < to; mark = this.#nextMark(at)) {
      this.#at += bytes.copy(this.#out, this.#at, at, mark)
      at = mark + 1
      if (bytes[mark] === CELL) this.#bar()
      else if (inRow) this.#put(SPACE)
      else this.#nextLine(bytes[at] === NEW_LINE)
      this.#reserve(to - at)
    }
    this.#at += bytes.copy(this.#out, this.#at, at, to)
  }

  /** The next line end or cell edge. */
  #nextMark(from: number): number {
    if (this.#lineAt < from) this.#lineAt = placeOf(this.#bytes, NEW_LINE, from)
    if (this.#cellAt < from) this.#cellAt = placeOf(this.#bytes, CELL, from)
    return Math.min(this.#lineAt, this.#cellAt)
  }

  /** Ends a line of the block; only the first of several blank lines is kept. */
  #nextLine(isBlank: boolean): void {
    const out = this.#out
    let end = this.#at
    while (end > 0 && (out[end - 1] === SPACE || out[end - 1] === TAB)) end--
    this.#at = end
    if (out[end - 1] !== NEW_LINE || out[end - 2] !== NEW_LINE) this.#put(NEW_LINE)
    if (isBlank) return
    for (let at = 0; at < this.#indentBytes; at++) this.#put(this.#indent[at] ?? 0)
  }

  #withoutPilcrow(from: number, to: number): number {
    const bytes = this.#bytes
    let end = to
    if (bytes[end - 1] !== PILCROW || bytes[end - 2] !== C2) return end
    end -= 2
    while (end > from && (bytes[end - 1] ?? 0) <= SPACE) end--
    return end
  }
}

/** The end of the bytes when there is none. */
function placeOf(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from)
  return at < 0 ? bytes.length : at
}

/** Unicode's own line ends would split a line of NDJSON for some programs. */
function withPlainLines(text: string): string {
  const has = text.includes('\u2028') || text.includes('\u2029') || text.includes('\u0085')
  return has ? text.replace(/[\u0085\u2028\u2029]/g, '\n') : text
}
