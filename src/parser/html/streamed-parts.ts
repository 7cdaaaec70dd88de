// Parts of a page that came late. A server that renders with React sends a page before all of it is
// there: `<template id="B:1">` keeps a place, the part follows as `<div hidden id="S:1">`, and a
// script moves it. Often the whole article is such a part. Here the parts are put in their places
// as the script would do it.
//
// While a page is read, places and parts are noted; a page that has parts is then read once more,
// in order. Each part is put in one place only, so a page hardly grows.
import { ATTRIBUTE, ELEMENT } from './html-names.ts'
import type { HtmlScanner } from './html-scanner.ts'

/** Of one page; later ones stay where and as they are. */
const MAX_NOTES = 4000
/** A prefix that the site may choose, the kind, and a number that place and part share. */
const ID = /^(.{0,40})([BPS]):([0-9a-f]{1,8})$/
const MAX_ID = 50
const PLACE_END = '</template>'
const PART_START = Buffer.from('<div>')
const PART_END = Buffer.from('</div>')

/** A stretch of the page that is not read where it stands. */
type Note = {
  readonly key: string
  readonly from: number
  to: number
  /** What is in a part; null for a place. */
  readonly content: { readonly from: number; to: number } | null
}

/** A stretch that is being written, up to a place and with the next note to look at. */
type Stretch = { at: number; readonly to: number; next: number }

export class StreamedParts {
  /** In the order of the page. */
  readonly #notes: Note[] = []
  readonly #parts = new Map<string, number>()
  readonly #places = new Set<string>()
  #open: Note | null = null

  reset(): void {
    if (this.#notes.length === 0) return
    this.#notes.length = 0
    this.#parts.clear()
    this.#places.clear()
    this.#open = null
  }

  /** The page has parts that are not in their places. */
  get isNeeded(): boolean {
    return this.#parts.size > 0
  }

  /** A part is being read. */
  get isOpen(): boolean {
    return this.#open !== null
  }

  /** A template; its start tag was just read and stands at `at`. */
  notePlace(tag: HtmlScanner, at: number): void {
    const key = this.#keyOf(tag, 'BP')
    if (key === '' || key === this.#open?.key) return
    if (!tag.latin1.startsWith(PLACE_END, tag.at)) return
    this.#places.add(key)
    this.#notes.push({ key, from: at, to: tag.at + PLACE_END.length, content: null })
  }

  /** An element that hides what is in it; its start tag was just read and stands at `at`. */
  begin(tag: HtmlScanner, at: number): void {
    const key = tag.element === ELEMENT.div ? this.#keyOf(tag, 'S') : ''
    if (key === '' || this.#parts.has(key)) return
    this.#open = { key, from: at, to: at, content: { from: tag.at, to: tag.at } }
    this.#parts.set(key, this.#notes.length)
    this.#notes.push(this.#open)
  }

  /**
   * What was hidden ended: its content at `at`, the element itself at `to`. A part that is cut off,
   * or leaves something open that swallows what follows, can stand nowhere else: it stays hidden.
   */
  end(at: number, to: number, isWhole: boolean): void {
    const note = this.#open
    if (note === null) return
    this.#open = null
    note.to = to
    if (note.content !== null) note.content.to = at
    if (isWhole) return
    this.#notes.splice(this.#parts.get(note.key) ?? 0, 1)
    this.#parts.delete(note.key)
  }

  /** The page with all parts in their places; those without a place are shown where they stand. */
  assemble(page: Buffer): Buffer {
    const chunks: Buffer[] = []
    const placed = new Set<string>()
    this.#write({ at: 0, to: page.length, next: 0 }, page, chunks, placed)
    // Parts that have their places in each other.
    for (const [key, part] of this.#parts) {
      const content = placed.has(key) ? null : this.#contentOf(part)
      if (content === null) continue
      placed.add(key)
      this.#write(content, page, chunks, placed)
    }
    return Buffer.concat(chunks)
  }

  #write(whole: Stretch, page: Buffer, chunks: Buffer[], placed: Set<string>): void {
    const open = [whole]
    for (let stretch = open.at(-1); stretch !== undefined; stretch = open.at(-1)) {
      const note = this.#nextWithin(stretch)
      chunks.push(page.subarray(stretch.at, note?.from ?? stretch.to))
      if (note === null) {
        open.pop()
        if (open.length > 0) chunks.push(PART_END)
        continue
      }
      stretch.at = note.to
      const content = placed.has(note.key) ? null : this.#contentFor(note)
      chunks.push(PART_START)
      if (content === null) {
        chunks.push(PART_END)
        continue
      }
      placed.add(note.key)
      open.push(content)
    }
  }

  /** The next note that begins in what is left of a stretch. */
  #nextWithin(stretch: Stretch): Note | null {
    let note = this.#notes[stretch.next]
    while (note !== undefined && note.from < stretch.at) note = this.#notes[++stretch.next]
    return note !== undefined && note.from < stretch.to ? note : null
  }

  /** What is to be written where a note stands. */
  #contentFor({ key, content }: Note): Stretch | null {
    if (content !== null && this.#places.has(key)) return null
    return this.#contentOf(this.#parts.get(key) ?? -1)
  }

  #contentOf(part: number): Stretch | null {
    const content = this.#notes[part]?.content ?? null
    return content === null ? null : { at: content.from, to: content.to, next: part + 1 }
  }

  /** What a place and its part have in common; '' when the tag is neither. */
  #keyOf(tag: HtmlScanner, kinds: string): string {
    if (!tag.has(ATTRIBUTE.id) || this.#notes.length >= MAX_NOTES) return ''
    if ((tag.valueTo[ATTRIBUTE.id] ?? 0) - (tag.valueFrom[ATTRIBUTE.id] ?? 0) > MAX_ID) return ''
    const [, prefix, kind, number] = ID.exec(tag.value(ATTRIBUTE.id)) ?? []
    return kind !== undefined && kinds.includes(kind) ? `${prefix}:${number}` : ''
  }
}
