// Links with their anchor text: the words between `<a>` and its end, or the picture that stands there.

import { tidied } from '../about/clean-text.ts'
import { relOf } from '../about/page-notes.ts'
import { ATTRIBUTE } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import { shortened, type TextSink } from '../html/text-sink.ts'
import { LinkList } from './link-list.ts'
import type { TextPieces } from './text-pieces.ts'

const MAX_ALT = 300
const NOFOLLOW = /(?:^| )nofollow(?: |$)/

export class AnchorReader {
  readonly #tag: HtmlScanner
  readonly #text: TextSink
  links = new LinkList()
  #spans = new AnchorSpans()
  /** The link whose anchor text is being read, by its place in the list; -1 for none. */
  #place = -1
  #mark = 0
  /** Where it stands in the page. */
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

  /** An `<a>`; it also ends the one before, since links do not nest. */
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

  /** Adds the link that an attribute of the tag holds; says under which place, -1 for none. */
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

  /** What a picture in the link shows stands for words when there are none. */
  takeAlt(alt: string): void {
    if (this.lacksWords) this.#alt = alt
  }

  /**
   * The text from a mark on, of what stands in the page from `at` on, is about to be taken back.
   * Links in it keep their words; for a link around it they stand in if it has no others.
   */
  hideSince(mark: number, at: number): void {
    if (this.#place >= 0 && this.#at >= at) this.finish()
    else if (this.lacksWords) this.#alt = this.#text.lineSince(mark, MAX_ANCHOR)
    this.#spans.hideSince(at, this.#text)
  }

  /** Whether a link is open that stands in the page from `at` on. */
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

  /** Once the page was read: gives the links their words, and those around them. */
  describe(text: TextPieces): void {
    this.#spans.describe(this.links, text)
  }
}

export function altOf(tag: HtmlScanner): string {
  const alt = tag.value(ATTRIBUTE.alt)
  return alt === '' ? '' : shortened(tidied(shortened(alt, 4 * MAX_ALT)), MAX_ALT)
}

export function isNofollow(rel: string): boolean {
  return rel !== '' && NOFOLLOW.test(rel)
}

// Where the anchor texts of a page lie in its text. The words themselves, and those around them, are
// cut out once the page was read: then it is known which text is shown and what follows a link.

const MAX_ANCHOR = 300
/** Of one page, in characters: a page that is all links says little about each. */
const MAX_CONTEXTS = 50_000
const MAX_SPANS = 20_000

/** `place`: of the link in its list. `at`: where it stands in the page. `alt`: if it has no words. */
type AnchorSpan = {
  readonly place: number
  readonly at: number
  readonly from: number
  readonly to: number
  readonly alt: string
}

class AnchorSpans {
  readonly #spans: AnchorSpan[] = []
  /** The words of links that are not shown, by their place. */
  readonly #hidden = new Map<number, string>()

  /** A link may have several. */
  add(span: AnchorSpan): void {
    if (this.#spans.length < MAX_SPANS) this.#spans.push(span)
  }

  /** The text of what stands in the page from `at` on is about to be taken back. */
  hideSince(at: number, text: TextSink): void {
    let first = this.#spans.length
    while (first > 0 && (this.#spans[first - 1]?.at ?? 0) >= at) first--
    for (const { place, from, to, alt } of this.#spans.splice(first)) {
      const words = text.lineBetween(from, to, MAX_ANCHOR) || alt
      if (words !== '' && !this.#hidden.has(place)) this.#hidden.set(place, words)
    }
  }

  /** Gives each link its first anchor text, if possible one that is shown, and its first context. */
  describe(links: LinkList, text: TextPieces): void {
    let room = MAX_CONTEXTS
    for (const { place, from, to, alt } of this.#spans) {
      if (links.lacksAnchor(place)) links.setAnchor(place, text.line(from, to, MAX_ANCHOR) || alt)
      if (room <= 0 || !links.lacksContext(place)) continue
      const context = contextOf(text, from, to)
      links.setContext(place, context)
      room -= context.length
    }
    for (const [place, words] of this.#hidden) {
      if (links.lacksAnchor(place)) links.setAnchor(place, words)
    }
  }
}

// The words around a link, up to the edges of its block: what a page says about a target besides
// the anchor text. The place of the anchor is shown by an ellipsis: `See the … for all options.`

/** Characters on each side; some are two units long in a string. */
const REACH = 100
const NEW_LINE = 10
const SPACE = 32
const WORD = /[\p{L}\p{N}]/u

/** '' when there are no words around the anchor that lies between the two places. */
export function contextOf(text: TextPieces, from: number, to: number): string {
  const { bytes } = text
  // A blank at the anchor's end may have become the line end of its block.
  const endsBlock = bytes[to] === NEW_LINE || (to > from && bytes[to - 1] === NEW_LINE)
  const beginsBlock = from === 0 || bytes[from - 1] === NEW_LINE
  // Behind an anchor without words the next block may begin as well as its own go on.
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

/** The first place before, as far as the reach and the block go, at which a word begins. */
function startOfReach(bytes: Uint8Array, from: number): number {
  let characters = 0
  let wordStart = from
  let characterStart = from
  for (let at = from - 1; at >= 0; at--) {
    const byte = bytes[at] ?? 0
    if (byte === NEW_LINE) return at + 1
    if (byte <= SPACE) wordStart = at + 1
    if ((byte & 0xc0) === 0x80) continue
    // Scripts without blanks are cut between any two characters.
    if (++characters > REACH) return wordStart === from ? characterStart : wordStart
    characterStart = at
  }
  return 0
}

/** The last place behind at which a word ends. */
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
