// Reads links with their anchor text: the words between `<a>` and its end, or the alternative text
// of an image in it.
import { collapseWhiteSpace } from '../about/clean-text.ts'
import { relOf } from '../about/page-notes.ts'
import { ATTRIBUTE } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import { type TextSink, truncate } from '../html/text-sink.ts'
import { LinkList } from './link-list.ts'
import type { TextPieces } from './text-pieces.ts'

const MAX_ALT = 300
const NOFOLLOW = /(?:^| )nofollow(?: |$)/

export class AnchorReader {
  readonly #tag: HtmlScanner
  readonly #text: TextSink
  links = new LinkList()
  #spans = new AnchorSpans()
  /** Index in the link list of the link whose anchor text is being read; -1 for none. */
  #place = -1
  #mark = 0
  /** Offset of the link in the page. */
  #at = 0
  #alt = ''

  constructor(tag: HtmlScanner, text: TextSink) {
    this.#tag = tag
    this.#text = text
  }

  open(): void {
    this.links = new LinkList()
    this.#spans = new AnchorSpans()
    this.#place = -1
  }

  /** An `<a>`; it also ends the one before, because links do not nest. */
  start(): void {
    const tag = this.#tag
    this.finish()
    const place = this.add(tag.has(ATTRIBUTE.href) ? ATTRIBUTE.href : ATTRIBUTE['xlink:href'], '')
    if (place < 0) return
    this.#place = place
    this.#mark = this.#text.mark
    this.#at = tag.at
    this.#alt = ''
  }

  /** Adds the link in an attribute of the tag; returns its index, -1 for none. */
  add(attribute: number, anchor: string): number {
    const tag = this.#tag
    if (!tag.has(attribute)) return -1
    const rel = relOf(tag)
    const place = this.links.add(tag.value(attribute), rel, isNofollow(rel))
    if (anchor !== '' && place >= 0 && this.links.lacksAnchor(place)) {
      this.links.setAnchor(place, anchor)
    }
    return place
  }

  get lacksWords(): boolean {
    return this.#place >= 0 && this.#alt === ''
  }

  /** The alternative text of an image stands in for missing anchor text. */
  takeAlt(alt: string): void {
    if (this.lacksWords) this.#alt = alt
  }

  /**
   * The text since a mark, which begins at offset `at` of the page, is about to be removed. Links
   * in it keep their words; a link around it gets them if it has no others.
   */
  hideSince(mark: number, at: number): void {
    if (this.#place >= 0 && this.#at >= at) this.finish()
    else if (this.lacksWords) this.#alt = this.#text.lineSince(mark, MAX_ANCHOR)
    this.#spans.hideSince(at, this.#text)
  }

  /** Whether a link is open that began at or after offset `at` of the page. */
  isOpenSince(at: number): boolean {
    return this.#place >= 0 && this.#at >= at
  }

  finish(): void {
    const place = this.#place
    if (place < 0) return
    const { mark } = this.#text
    this.#spans.add({ place, at: this.#at, from: this.#mark, to: mark, alt: this.#alt })
    this.#place = -1
  }

  /** After the whole page was read: gives the links their words, and the words around them. */
  describe(text: TextPieces): void {
    this.#spans.describe(this.links, text)
  }
}

export function altOf(tag: HtmlScanner): string {
  const alt = tag.value(ATTRIBUTE.alt)
  return alt === '' ? '' : truncate(collapseWhiteSpace(truncate(alt, 4 * MAX_ALT)), MAX_ALT)
}

export function isNofollow(rel: string): boolean {
  return rel !== '' && NOFOLLOW.test(rel)
}

const MAX_ANCHOR = 300
/** Per page, in characters: a page full of links says little about each. */
const MAX_CONTEXTS = 50_000
const MAX_SPANS = 20_000

/** `place`: index in the link list. `at`: offset in the page. `alt`: stands in for missing words. */
type AnchorSpan = {
  readonly place: number
  readonly at: number
  readonly from: number
  readonly to: number
  readonly alt: string
}

/**
 * Where the anchor texts of a page are in its text. The words themselves, and those around them, are
 * extracted after the whole page was read: then it is known which text is visible and what follows a link.
 */
class AnchorSpans {
  readonly #spans: AnchorSpan[] = []
  /** The words of hidden links, by index. */
  readonly #hidden = new Map<number, string>()

  /** A link may have several spans. */
  add(span: AnchorSpan): void {
    if (this.#spans.length < MAX_SPANS) this.#spans.push(span)
  }

  /** The text from offset `at` of the page on is about to be removed. */
  hideSince(at: number, text: TextSink): void {
    let first = this.#spans.length
    while (first > 0 && (this.#spans[first - 1]?.at ?? 0) >= at) first--
    for (const { place, from, to, alt } of this.#spans.splice(first)) {
      const words = text.lineBetween(from, to, MAX_ANCHOR) || alt
      if (words !== '' && !this.#hidden.has(place)) this.#hidden.set(place, words)
    }
  }

  /** Gives each link its first anchor text, preferably a visible one, and its first context. */
  describe(links: LinkList, text: TextPieces): void {
    let room = MAX_CONTEXTS
    for (const { place, from, to, alt } of this.#spans) {
      if (links.lacksAnchor(place)) links.setAnchor(place, text.line(from, to, MAX_ANCHOR) || alt)
      if (room <= 0 || !links.lacksContext(place)) continue
      const context = linkContext(text, from, to)
      links.setContext(place, context)
      room -= context.length
    }
    for (const [place, words] of this.#hidden) {
      if (links.lacksAnchor(place)) links.setAnchor(place, words)
    }
  }
}

/** Characters on each side; some are two code units long. */
const REACH = 100
const NEW_LINE = 10
const SPACE = 32
const WORD = /[\p{L}\p{N}]/u

/**
 * The words around a link within its block, between two offsets: what a page says about the target besides
 * the anchor text. An ellipsis stands for the anchor: `See the … for all options.` '' without any.
 */
export function linkContext(text: TextPieces, from: number, to: number): string {
  const { bytes } = text
  // A space at the anchor's end may have become the line end of its block.
  const endsBlock = bytes[to] === NEW_LINE || (to > from && bytes[to - 1] === NEW_LINE)
  const beginsBlock = from === 0 || bytes[from - 1] === NEW_LINE
  // After an anchor without words, either the next block may begin or its own may continue.
  if (beginsBlock && (endsBlock || from === to)) return ''
  const before = beginsBlock ? '' : wordsIn(text.line(startOfReach(bytes, from), from, 2 * REACH))
  const after = endsBlock ? '' : wordsIn(text.line(to, endOfReach(bytes, to), 2 * REACH))
  if (before === '') return after === '' ? '' : `… ${after}`
  return after === '' ? `${before} …` : `${before} … ${after}`
}

/** '' for a full stop, a bar between two links and the like. */
function wordsIn(line: string): string {
  return WORD.test(line) ? line : ''
}

/** The first start of a word before the anchor, within reach and within the block. */
function startOfReach(bytes: Uint8Array, from: number): number {
  let characters = 0
  let wordStart = from
  let characterStart = from
  for (let at = from - 1; at >= 0; at--) {
    const byte = bytes[at] ?? 0
    if (byte === NEW_LINE) return at + 1
    if (byte <= SPACE) wordStart = at + 1
    if ((byte & 0xc0) === 0x80) continue
    // Scripts without spaces are cut between any two characters.
    if (++characters > REACH) return wordStart === from ? characterStart : wordStart
    characterStart = at
  }
  return 0
}

/** The last end of a word after the anchor. */
function endOfReach(bytes: Uint8Array, from: number): number {
  let characters = 0
  let wordEnd = from
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === NEW_LINE) return at
    if (byte <= SPACE) wordEnd = at
    if ((byte & 0xc0) === 0x80) continue
    if (++characters > REACH) return wordEnd === from ? at : wordEnd
  }
  return bytes.length
}
