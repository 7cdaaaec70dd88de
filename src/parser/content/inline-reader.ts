// Reads the emphasis, code, links, images and rules within chosen blocks, which the outline leaves out. It
// scans the page a second time, so this is done only for Markdown. If this scan finds other words in a
// block than the first one did, the block is written as it was read first, without its inline markup.
import { ForeignContent } from '../html/foreign-content.ts'
import { ATTRIBUTE, ELEMENT, isFallback, TRAIT, TRAITS } from '../html/html-names.ts'
import type { HtmlReading } from '../html/html-reader.ts'
import { HtmlScanner, MARKUP } from '../html/html-scanner.ts'
import { rawTextEnd } from '../html/raw-text.ts'
import type { ReplacedPart } from '../html/replaced-parts.ts'
import { TextSink } from '../html/text-sink.ts'
import { altOf } from '../parts/anchor-reader.ts'
import { imageSource } from '../parts/image-list.ts'
import { type Between, type Inlines, MARK, type Piece } from './markdown-units.ts'

type Edge = Omit<Piece, 'text' | 'marks'> & {
  readonly from: number
  readonly alt: string
  marks: number
}

const LESS = 60
const SPACE = 32
/**
 * Stands for an image while its block is read, so that spaces around it are ordinary gaps. No UTF-8
 * text has this byte.
 */
const IMAGE_BYTE = 0xff
const IMAGE = { bytes: Uint8Array.of(IMAGE_BYTE), latin1: '\xff' }
/** A page of nothing but markup between its words gives no more than this. */
const MAX_EDGES = 200_000
/** Longer text on a button is part of the text. */
const MAX_BUTTON_WORDS = 4
/** Elements with an id, per page. */
const MAX_TARGETS = 20_000
/** The smallest visible image. */
const MIN_PIXELS = 4
const { b, strong, em, i, del, s, strike, code, kbd, samp, tt, sup, sub } = ELEMENT
/** Marks with the elements that set them. */
const MARKED = [
  [MARK.strong, [b, strong]],
  [MARK.emphasis, [em, i]],
  [MARK.deleted, [del, s, strike]],
  [MARK.code, [code, kbd, samp, tt]],
  [MARK.raised, [sup]],
  [MARK.lowered, [sub]],
] as const
/** By element: its index in that list. */
const MARKS_OF = new Map<number, number>(
  MARKED.flatMap(([, elements], place) => elements.map((element) => [element, place] as const)),
)
/** Names by element number, for elements with raw text, whose end tag is searched. */
const RAW_NAMES: string[] = []
for (const [name, number] of Object.entries(ELEMENT)) {
  if (((TRAITS[number] ?? 0) & (TRAIT.raw | TRAIT.escapable)) !== 0) RAW_NAMES[number] = name
}

type Read = Pick<HtmlReading, 'outline' | 'text' | 'source' | 'replaced'>

/** The inline markup of the blocks that are 1 in `wanted`. */
export function readInlines(reading: Read, wanted: Uint8Array, isXml: boolean): Inlines {
  return new InlineReader(reading, wanted, isXml).read()
}

class InlineReader {
  readonly #reading: Read
  readonly #read: Buffer
  readonly #wanted: Uint8Array
  readonly #isXml: boolean
  readonly #scanner = new HtmlScanner()
  readonly #text = new TextSink()
  readonly #foreign = new ForeignContent()
  readonly #pieces = new Map<number, readonly Piece[]>()
  readonly #between: Between[] = []
  readonly #targets = new Map<string, number>()
  #edgeCount = 0
  /** The block that is being read, or the next one. */
  #block = 0
  #isWithin = false
  #edges: Edge[] = []
  /** The number of open elements that set each mark. */
  readonly #marks = new Int32Array(MARKED.length)
  #href = ''
  #cell = 0
  /** The edge where the open button begins; -1 outside. */
  #button = -1
  /** The next container whose tag follows, and the next skipped range. */
  #container = 1
  #replaced = 0
  /** The number of foreign elements that were open where the current range began. */
  #foreignDepth = 0
  readonly #endless = new Set<number>()

  constructor(reading: Read, wanted: Uint8Array, isXml: boolean) {
    this.#reading = reading
    this.#read = reading.text.bytes
    this.#wanted = wanted
    this.#isXml = isXml
  }

  read(): Inlines {
    const scanner = this.#scanner
    scanner.open(this.#reading.source)
    scanner.allowsCdata = this.#isXml
    this.#text.open(scanner.length)
    const { count } = this.#reading.outline.blocks
    const end = scanner.length
    for (let from = 0; from < end && this.#block < count; ) {
      this.#moveTo(from)
      from = this.#passed(from) ?? this.#readOne(from)
    }
    this.#moveTo(end)
    scanner.close()
    return { pieces: this.#pieces, between: this.#between, targets: this.#targets }
  }

  get #takesText(): boolean {
    return this.#isWithin && this.#wanted[this.#block] === 1
  }

  /** Where to continue after a skipped range at this offset; null without one. */
  #passed(from: number): number | null {
    const scanner = this.#scanner
    const part = this.#reading.replaced.list[this.#replaced]
    if (part !== undefined && from >= part.from) {
      this.#replaced++
      if (part.tex !== '' && from === part.from) this.#formula(part)
      if (from < part.to) return part.to
    }
    if (from < scanner.length) return null
    scanner.release()
    this.#foreign.cutTo(this.#foreignDepth)
    return from
  }

  #formula({ tex, isDisplay }: ReplacedPart): void {
    if (!this.#takesText) return
    const bytes = Buffer.from(tex)
    this.#edge({ marks: MARK.math | (isDisplay ? MARK.display : 0) })
    this.#text.takeRaw({ bytes, latin1: '' }, 0, bytes.length)
    this.#edge()
  }

  /** Reads text up to the next tag, or the tag; returns where to continue. */
  #readOne(from: number): number {
    const scanner = this.#scanner
    if (scanner.bytes[from] !== LESS) {
      if (this.#takesText) return this.#text.take(scanner, from, scanner.length)
      const next = scanner.latin1.indexOf('<', from)
      return next < 0 ? scanner.length : next
    }
    scanner.at = from
    const markup = scanner.read()
    if (markup === MARKUP.startTag) this.#start(from)
    else if (markup === MARKUP.endTag) this.#end()
    else if (markup === MARKUP.cdata) {
      if (this.#takesText) this.#text.takeRaw(scanner, scanner.from, scanner.to)
    } else if (markup === MARKUP.none) {
      if (this.#takesText) this.#text.takeRaw(scanner, from, from + 1)
      scanner.at = from + 1
    }
    return scanner.at
  }

  /** Ends the blocks that end before this offset, and begins the one it is in. */
  #moveTo(at: number): void {
    const { count, sourceFrom, sourceTo } = this.#reading.outline.blocks
    while (this.#block < count && at >= (sourceTo[this.#block] ?? 0)) {
      if (this.#isWithin) this.#finish()
      this.#block++
    }
    if (this.#isWithin || this.#block >= count || at < (sourceFrom[this.#block] ?? 0)) return
    this.#isWithin = true
    this.#text.rewind(0)
    this.#marks.fill(0)
    this.#button = -1
    this.#edges = []
    this.#edge()
  }

  #finish(): void {
    this.#isWithin = false
    const isWhole = this.#wanted[this.#block] === 1 && this.#edgeCount <= MAX_EDGES
    if (isWhole && this.#hasSameWords()) this.#pieces.set(this.#block, this.#cut())
  }

  /** The following text may have other marks than the text before. */
  #edge({ src = '', alt = '', marks: own = 0 }: Partial<Edge> = {}): void {
    if (!this.#isWithin || this.#wanted[this.#block] !== 1) return
    if (this.#edgeCount++ > MAX_EDGES) return
    const marks = MARKED.reduce(
      (all, [mark], place) => ((this.#marks[place] ?? 0) > 0 ? all | mark : all),
      own,
    )
    const href = this.#href
    this.#edges.push({ from: this.#text.mark, marks, href, src, alt, cell: this.#cell })
  }

  #hasSameWords(): boolean {
    const { blocks } = this.#reading.outline
    const own = this.#text.bytes
    const to = blocks.textTo[this.#block] ?? 0
    let at = 0
    for (let there = blocks.textFrom[this.#block] ?? 0; there < to; there++) {
      const byte = this.#read[there] ?? 0
      if (byte <= SPACE) continue
      while (at < own.length && own[at] !== byte && isNoWord(own[at] ?? 0)) at++
      if (own[at++] !== byte) return false
    }
    while (at < own.length && isNoWord(own[at] ?? 0)) at++
    return at === own.length
  }

  #cut(): readonly Piece[] {
    const end = this.#text.bytes.length
    return this.#edges.flatMap(({ from, alt, ...edge }, place) => {
      const to = Math.min(end, this.#edges[place + 1]?.from ?? end)
      const text = from < to ? this.#text.slice(from, to) : ''
      if (edge.src === '') return text === '' ? [] : [{ ...edge, text }]
      return [{ ...edge, text: alt }]
    })
  }

  #start(at: number): void {
    const scanner = this.#scanner
    const { element } = scanner
    const traits = TRAITS[element] ?? 0
    const row = this.#containerAt(at)
    this.#noteTarget(element)
    if (this.#foreign.isOpen || element === ELEMENT.svg || element === ELEMENT.math) {
      if (this.#startForeign()) return
    }
    if ((traits & TRAIT.cell) !== 0) this.#startCell(row)
    else if (element === ELEMENT.br) this.#text.line()
    else if (element === ELEMENT.img) this.#image(at)
    else if (element === ELEMENT.hr) this.#rule(at)
    else if (!(this.#isXml && scanner.selfClosing)) this.#open(element)
    if ((traits & (TRAIT.raw | TRAIT.escapable)) !== 0) this.#skipRaw(element)
    else if (isFallback(element) && !this.#isXml) this.#confine(element)
  }

  /** Elements that begin in a fallback end with it. */
  #confine(element: number): void {
    const scanner = this.#scanner
    if (scanner.length < scanner.bytes.length || this.#endless.has(element)) return
    const name = element === ELEMENT.noscript ? 'noscript' : 'noframes'
    const end = rawTextEnd(scanner.latin1, name, scanner.at)
    this.#foreignDepth = this.#foreign.depth
    if (end < scanner.length) scanner.confine(end)
    else this.#endless.add(element)
  }

  #noteTarget(element: number): void {
    const scanner = this.#scanner
    const isNamed = element === ELEMENT.a && scanner.has(ATTRIBUTE.name)
    if ((!isNamed && !scanner.has(ATTRIBUTE.id)) || this.#targets.size >= MAX_TARGETS) return
    const id = scanner.value(isNamed ? ATTRIBUTE.name : ATTRIBUTE.id)
    if (id !== '' && !this.#targets.has(id)) this.#targets.set(id, this.#block)
  }

  #startForeign(): boolean {
    const scanner = this.#scanner
    const isForeign = this.#foreign.open(scanner)
    scanner.allowsCdata = this.#isXml || this.#foreign.isInnermost
    return isForeign
  }

  #skipRaw(element: number): void {
    const scanner = this.#scanner
    if (this.#isXml && scanner.selfClosing) return
    const to = rawTextEnd(scanner.latin1, RAW_NAMES[element] ?? '', scanner.at)
    if (element === ELEMENT.xmp && this.#takesText) this.#text.takeRaw(scanner, scanner.at, to)
    scanner.at = to
  }

  #end(): void {
    const scanner = this.#scanner
    if (this.#foreign.isOpen) {
      this.#foreign.close(scanner)
      scanner.allowsCdata = this.#isXml || this.#foreign.isInnermost
    }
    const { element } = scanner
    if (element === ELEMENT.a) this.#link('')
    else if (element === ELEMENT.button) this.#endButton()
    else if (((TRAITS[element] ?? 0) & TRAIT.cell) !== 0) this.#text.space()
    else this.#mark(element, -1)
  }

  /** The row of the container whose tag is here; 0 without one. */
  #containerAt(at: number): number {
    const { count, sourceFrom } = this.#reading.outline.containers
    while (this.#container < count && (sourceFrom[this.#container] ?? 0) < at) this.#container++
    return sourceFrom[this.#container] === at && this.#container < count ? this.#container : 0
  }

  #startCell(row: number): void {
    this.#text.cell()
    this.#cell = row
    this.#edge()
  }

  #open(element: number): void {
    if (element === ELEMENT.a) this.#link(this.#scanner.value(ATTRIBUTE.href))
    else if (element === ELEMENT.button) {
      this.#button = this.#edges.length
      this.#edge()
    } else this.#mark(element, 1)
  }

  /** Only a closed button counts: an unclosed tag must not swallow text. */
  #endButton(): void {
    const from = this.#button
    if (from < 0) return
    this.#button = -1
    const text = this.#text.slice(this.#edges[from]?.from ?? 0, this.#text.mark).trim()
    if (text.endsWith('?') || text.split(/\s+/).length > MAX_BUTTON_WORDS) return
    for (const edge of this.#edges.slice(from)) edge.marks |= MARK.button
    this.#edge()
  }

  #link(href: string): void {
    if (href === this.#href) return
    this.#href = href
    this.#edge()
  }

  #mark(element: number, by: 1 | -1): void {
    const mark = MARKS_OF.get(element)
    if (mark === undefined) return
    this.#marks[mark] = Math.max(0, (this.#marks[mark] ?? 0) + by)
    this.#edge()
  }

  #image(at: number): void {
    const scanner = this.#scanner
    const src = imageSource(scanner)
    if (src === '' || isTiny(scanner, ATTRIBUTE.width) || isTiny(scanner, ATTRIBUTE.height)) return
    const alt = altOf(scanner)
    if (this.#takesText) {
      this.#edge({ src, alt })
      this.#text.takeRaw(IMAGE, 0, 1)
      this.#edge()
    } else this.#note(at, { text: alt, marks: 0, href: this.#href, src, cell: 0 })
  }

  #rule(at: number): void {
    if (!this.#isWithin || this.#text.mark === 0) this.#note(at, null)
  }

  #note(at: number, image: Piece | null): void {
    const block = this.#block
    const isBetween = block > 0 && this.#wanted[block - 1] === 1 && this.#wanted[block] === 1
    if (isBetween && this.#edgeCount++ <= MAX_EDGES) this.#between.push({ block, at, image })
  }
}

function isNoWord(byte: number): boolean {
  return byte <= SPACE || byte === IMAGE_BYTE
}

function isTiny(tag: HtmlScanner, attribute: number): boolean {
  return tag.has(attribute) && Number.parseInt(tag.value(attribute), 10) < MIN_PIXELS
}
