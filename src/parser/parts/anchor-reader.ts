// Links with their anchor text: the words between `<a>` and its end, or the picture that stands there.

import { relOf } from '../about/page-notes.ts'
import { tidied } from '../about/tidied.ts'
import { ATTRIBUTE } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import { shortened, type TextSink } from '../html/text-sink.ts'
import { AnchorSpans, MAX_ANCHOR } from './anchor-spans.ts'
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
