// Writes the chosen blocks of a page as Markdown (CommonMark, with GitHub's tables and
// strikethrough): headings, nested and numbered lists, fenced code, quotes, tables, links and
// images with absolute URLs. It is made only on request, because it reads the page a second time
// for its inline markup. No text of a page becomes markup.
import { ELEMENT } from '../html/html-names.ts'
import type { HtmlReading } from '../html/html-reader.ts'
import { HtmlScanner } from '../html/html-scanner.ts'
import type { LinkResolver } from '../parts/link-resolver.ts'
import { codeLanguage } from './code-language.ts'
import { Footnotes, withoutBackLinks } from './footnotes.ts'
import { readInlines } from './inline-reader.ts'
import { escapeText, longestTicks } from './markdown-escape.ts'
import { inlineMarkdown } from './markdown-inline.ts'
import { MarkdownLines } from './markdown-lines.ts'
import {
  type Between,
  type InlineOptions,
  type Inlines,
  MARK,
  type Piece,
} from './markdown-units.ts'
import { firstNumber, NODE_KIND, PageStructure } from './page-structure.ts'
import type { Posts } from './post-authors.ts'
import { type CellPieces, TableRows, tableLines } from './table-rows.ts'
import { WrittenFormulas } from './written-formulas.ts'

export type MarkdownOptions = {
  /** Per block of the outline: 1 for those to write. */
  readonly chosen: Uint8Array
  /** Written first, as a heading; the main content does not repeat it. */
  readonly title: string
  /** Set to the page's base. */
  readonly resolver: LinkResolver
  readonly isXml: boolean
  /** For a thread. */
  readonly posts?: Posts
}

type Read = Pick<HtmlReading, 'outline' | 'text' | 'source' | 'replaced'>

const NO_POSTS: Posts = { starts: new Map(), bylines: new Set() }
/** For all links and images together; the following ones become plain text. */
const MAX_URL_CHARACTERS = 4_000_000
const FRAGMENT = /#[\w\-.~!$'+,;=:@/?%]{1,200}$/

export function markdown(reading: Read, options: MarkdownOptions): string {
  const formulas = new WrittenFormulas(reading.source)
  const text = new MarkdownWriter(reading, formulas, options).write()
  const title = titleMarkdown(options.title, formulas)
  return title === '' ? text : `# ${headingText(title)}\n\n${text}`
}

function titleMarkdown(title: string, formulas: WrittenFormulas): string {
  const piece: Piece = { text: title, marks: 0, href: '', src: '', cell: 0 }
  const pieces = formulas.of([piece])
  if (pieces.length === 1 && pieces[0] === piece) return escapeText(title)
  return inlineMarkdown(pieces, { resolve: () => null, lineEnd: ' ', without: 0 })
}

/** A `#` at its end would be read as the end of the heading. */
function headingText(text: string): string {
  return text.replace(/#$/, '\\#')
}

/**
 * Readers without footnotes would take a note of one word for a link reference definition, and show
 * nothing.
 */
function endOfNote([first = '', ...others]: readonly string[]): string {
  return others.length === 0 && !first.includes(' ') ? ' &nbsp;' : ''
}

/** Text that is not Markdown, unchanged. */
export function codeBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1))
  return text === '' ? '' : `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

class MarkdownWriter {
  readonly #reading: Read
  readonly #chosen: Uint8Array
  readonly #resolver: LinkResolver
  readonly #form: PageStructure
  readonly #lines: MarkdownLines
  readonly #inlines: Inlines
  readonly #posts: Posts
  readonly #notes: Footnotes
  readonly #formulas: WrittenFormulas
  /** The list item of the last footnote. */
  #noteItem = 0
  readonly #scanner = new HtmlScanner()
  #urlCharacters = MAX_URL_CHARACTERS
  /** The first item between blocks that is not written yet. */
  #nextBetween = 0

  constructor(
    reading: Read,
    formulas: WrittenFormulas,
    { chosen, resolver, isXml, posts }: MarkdownOptions,
  ) {
    this.#reading = reading
    this.#formulas = formulas
    this.#chosen = chosen
    this.#resolver = resolver
    this.#form = new PageStructure(reading.outline)
    this.#lines = new MarkdownLines(this.#form, (list) =>
      firstNumber(reading.source, this.#sourceOf(list)),
    )
    this.#inlines = readInlines(reading, chosen, isXml)
    this.#posts = posts ?? NO_POSTS
    this.#notes = new Footnotes(this.#inlines, (block) => this.#mayBeNote(block))
    this.#scanner.open(reading.source)
  }

  write(): string {
    const { count } = this.#reading.outline.blocks
    let block = 0
    while (block < count) {
      if (this.#chosen[block] !== 1) block++
      else {
        this.#writeBetween(block)
        this.#writePost(block)
        block = this.#posts.bylines.has(block) ? block + 1 : this.#writeBlock(block)
      }
    }
    this.#scanner.close()
    return this.#lines.toString()
  }

  #nodeOf(block: number): number {
    return this.#form.nodeOf[this.#reading.outline.blocks.container[block] ?? 0] ?? 0
  }

  /** Offset of a node's tag in the page. */
  #sourceOf(node: number): number {
    return this.#reading.outline.containers.sourceFrom[this.#form.row[node] ?? 0] ?? 0
  }

  /** Returns the next block. */
  #writeBlock(block: number): number {
    const { form, kind, tableRow, up } = this.#form
    const node = this.#nodeOf(block)
    const row = tableRow[node] ?? 0
    if (row !== 0) return this.#writeTable(block, up[row] ?? 0)
    const own = form[node] ?? 0
    const path = this.#lines.pathOf(node)
    if (this.#writeNote(block, path)) return block + 1
    if (kind[own] === NODE_KIND.code) {
      if (!this.#isGutter(block)) this.#lines.write(path, this.#codeLines(block, own))
    } else if (kind[own] === NODE_KIND.heading) this.#writeHeading(block, own, path)
    else this.#writeParagraph(block, path, kind[own] === NODE_KIND.term)
    return block + 1
  }

  /** Writes a rule between the posts of a thread, and the author of the next one. */
  #writePost(block: number): void {
    const author = this.#posts.starts.get(block)
    if (author === undefined) return
    if (!this.#lines.isEmpty) this.#lines.write([], ['---'])
    this.#lines.write([], [`**${escapeText(author)}**`])
  }

  #mayBeNote(block: number): boolean {
    const { form, kind, tableRow } = this.#form
    const node = this.#nodeOf(block)
    const own = kind[form[node] ?? 0]
    return (
      this.#chosen[block] === 1 &&
      (tableRow[node] ?? 0) === 0 &&
      own !== NODE_KIND.code &&
      own !== NODE_KIND.heading
    )
  }

  /** Writes a block of a footnote; false when it is none. */
  #writeNote(block: number, path: readonly number[]): boolean {
    const label = this.#notes.labelOf(block)
    const item = this.#noteItem === 0 ? -1 : path.indexOf(this.#noteItem)
    if (label === '' && item < 0) return false
    const { kind } = this.#form
    const last = path.at(-1) ?? 0
    const isItem = kind[last] === NODE_KIND.item || kind[last] === NODE_KIND.description
    if (label !== '') this.#noteItem = isItem ? last : 0
    const around = label === '' ? path.slice(0, item) : isItem ? path.slice(0, -1) : path
    const lines = this.#inline(withoutBackLinks(this.#piecesOf(block)), '\\\n').split('\n')
    const [first = '', ...others] = lines
    const start = label === '' ? `    ${first}` : `[^${label}]: ${first}${endOfNote(lines)}`
    this.#lines.write(around, [start, ...others.map((line) => `    ${line}`)])
    return true
  }

  /** Whether a code block contains only the line numbers of the code beside it. */
  #isGutter(block: number): boolean {
    const { form, kind } = this.#form
    const next = form[this.#nodeOf(block + 1)] ?? 0
    if (this.#chosen[block + 1] !== 1 || kind[next] !== NODE_KIND.code) return false
    const numbers = this.#textOf(block).trim().split(/\s+/)
    const first = Number(numbers[0])
    return first >= 1 && numbers.every((number, place) => number === String(first + place))
  }

  #codeLines(block: number, node: number): readonly string[] {
    const { containers } = this.#reading.outline
    const language = codeLanguage(this.#scanner, containers, this.#form.row[node] ?? 0)
    return codeBlock(this.#textOf(block), language).split('\n')
  }

  #writeHeading(block: number, node: number, path: readonly number[]): void {
    const element = this.#reading.outline.containers.element[this.#form.row[node] ?? 0] ?? 0
    const text = this.#inline(this.#piecesOf(block), ' ', MARK.strong)
    const level = '#'.repeat(element - ELEMENT.h1 + 1)
    if (text !== '') this.#lines.write(path, [`${level} ${headingText(text)}`])
  }

  #writeParagraph(block: number, path: readonly number[], isTerm: boolean): void {
    const pieces = this.#piecesOf(block).map((piece) => ({
      ...piece,
      text: piece.text.replaceAll('\x1f', '\n'),
      marks: isTerm ? (piece.marks & ~MARK.button) | MARK.strong : piece.marks,
    }))
    const text = this.#inline(pieces, '\\\n')
    if (text !== '') this.#lines.write(path, text.split('\n'), isTerm)
  }

  /** Writes all rows of the table from this block on; returns the next block. */
  #writeTable(first: number, table: number): number {
    const { count } = this.#reading.outline.blocks
    const { tableRow, up } = this.#form
    const rows = new TableRows({
      reading: this.#reading,
      form: this.#form,
      inlines: this.#inlines,
      scanner: this.#scanner,
    })
    let block = first
    for (; block < count; block++) {
      const row = tableRow[this.#nodeOf(block)] ?? 0
      if (row === 0 || up[row] !== table) break
      if (this.#chosen[block] === 1) rows.add(block, row)
    }
    const path = this.#lines.pathOf(table)
    const found = rows.cells()
    const cells = found.map((row) =>
      row.map(({ pieces, ...span }) => ({ text: this.#inline(pieces, '<br>'), ...span })),
    )
    const hasColumns = cells.some((row) => row.filter(({ text }) => text !== '').length > 1)
    if (hasColumns) this.#lines.write(path, tableLines(cells, rows.isHeaded))
    else this.#writeCells(path, found)
    return block
  }

  /** For a table with only one written cell in each row: the table was layout. */
  #writeCells(path: readonly number[], rows: readonly (readonly CellPieces[])[]): void {
    for (const { pieces } of rows.flat()) {
      const text = this.#inline(pieces, '\\\n')
      if (text !== '') this.#lines.write(path, text.split('\n'))
    }
  }

  /** Writes images and rules before a block, in the lists and quotes they share with it. */
  #writeBetween(block: number): void {
    const { between } = this.#inlines
    for (; this.#nextBetween < between.length; this.#nextBetween++) {
      const one = between[this.#nextBetween]
      if (one === undefined || one.block > block) return
      if (one.block < block) continue
      const text = one.image === null ? '---' : this.#inline([one.image], '\\\n')
      if (text !== '') this.#lines.write(this.#pathBetween(one), [text])
    }
  }

  #pathBetween({ at, block }: Between): readonly number[] {
    const { group } = this.#form
    const node = this.#nodeOf(block)
    const path = this.#lines.pathOf(node).filter((step) => this.#sourceOf(step) < at)
    const last = this.#lines.path
    const isInGroup = group[node] !== 0 && group[node] === group[this.#nodeOf(block - 1)]
    // At the end of an item: outside, it would end the list.
    return isInGroup && path.length < last.length ? last : path
  }

  #textOf(block: number): string {
    const { textFrom, textTo } = this.#reading.outline.blocks
    return this.#reading.text.slice(textFrom[block] ?? 0, textTo[block] ?? 0)
  }

  #piecesOf(block: number): readonly Piece[] {
    const pieces = this.#inlines.pieces.get(block)
    if (pieces !== undefined) return this.#notes.piecesOf(block, pieces)
    return [{ text: this.#textOf(block), marks: 0, href: '', src: '', cell: 0 }]
  }

  #inline(pieces: readonly Piece[], lineEnd: InlineOptions['lineEnd'], without = 0): string {
    const resolve = (href: string): string | null => this.#resolve(href)
    return inlineMarkdown(this.#formulas.of(pieces), { resolve, lineEnd, without })
  }

  #resolve(href: string): string | null {
    // Only a control.
    if (this.#urlCharacters < 0 || href.trim() === '#') return null
    const url = this.#resolver.resolve(href)
    if (url === null) return null
    this.#urlCharacters -= url.length
    return url + (FRAGMENT.exec(href)?.[0] ?? '')
  }
}
