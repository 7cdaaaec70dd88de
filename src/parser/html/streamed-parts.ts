// Parts of a page that arrive late. A server that renders with React sends a page before all of it
// is ready: `<template id="B:1">` marks a place, the part follows as `<div hidden id="S:1">`, and a
// script moves it. Often the whole article is such a part. Here the parts are put in their places
// as the script would do it.
//
// Places and parts are noted while a page is read; a page that has parts is then read once more, in
// order. Each part is put in one place only, so a page hardly grows.
import { ATTRIBUTE, ELEMENT } from './html-names.ts'
import type { HtmlScanner } from './html-scanner.ts'

/** Per page; further parts stay where and as they are. */
const MAX_NOTES = 4000
/** A prefix that the site may choose, the kind, and a number shared by place and part. */
const ID = /^(.{0,40})([BPS]):([0-9a-f]{1,8})$/
const MAX_ID = 50
const PLACE_END = '</template>'
const PART_START = Buffer.from('<div>')
const PART_END = Buffer.from('</div>')

/** A range of the page that is not read where it is. */
type Note = {
  readonly key: string
  readonly from: number
  to: number
  /** The content of a part; null for a place. */
  readonly content: { readonly from: number; to: number } | null
}

/** A range that is being written, with its position and the next note. */
type Stretch = { at: number; readonly to: number; next: number }

export class StreamedParts {
  /** In page order. */
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

  /** The page has parts outside their places. */
  get isNeeded(): boolean {
    return this.#parts.size > 0
  }

  get isOpen(): boolean {
    return this.#open !== null
  }

  /** A template; its start tag at `at` was just read. */
  notePlace(tag: HtmlScanner, at: number): void {
    const key = this.#keyOf(tag, 'BP')
    if (key === '' || key === this.#open?.key) return
    if (!tag.latin1.startsWith(PLACE_END, tag.at)) return
    this.#places.add(key)
    this.#notes.push({ key, from: at, to: tag.at + PLACE_END.length, content: null })
  }

  /** An element that hides its content; its start tag at `at` was just read. */
  begin(tag: HtmlScanner, at: number): void {
    const key = tag.element === ELEMENT.div ? this.#keyOf(tag, 'S') : ''
    if (key === '' || this.#parts.has(key)) return
    this.#open = { key, from: at, to: at, content: { from: tag.at, to: tag.at } }
    this.#parts.set(key, this.#notes.length)
    this.#notes.push(this.#open)
  }

  /**
   * The hidden element ended: its content at `at`, the element itself at `to`. A part that is cut off, or
   * leaves something open that swallows the following content, cannot be moved: it stays hidden.
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

  /** The page with all parts in their places; parts without a place are shown where they are. */
  assemble(page: Buffer): Buffer {
    const chunks: Buffer[] = []
    const placed = new Set<string>()
    this.#write({ at: 0, to: page.length, next: 0 }, page, chunks, placed)
    // Parts whose places are in each other.
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

  /** The next note within the rest of a range. */
  #nextWithin(stretch: Stretch): Note | null {
    let note = this.#notes[stretch.next]
    while (note !== undefined && note.from < stretch.at) note = this.#notes[++stretch.next]
    return note !== undefined && note.from < stretch.to ? note : null
  }

  /** The content to write at a note. */
  #contentFor({ key, content }: Note): Stretch | null {
    if (content !== null && this.#places.has(key)) return null
    return this.#contentOf(this.#parts.get(key) ?? -1)
  }

  #contentOf(part: number): Stretch | null {
    const content = this.#notes[part]?.content ?? null
    return content === null ? null : { at: content.from, to: content.to, next: part + 1 }
  }

  /** The common key of a place and its part; '' when the tag is neither. */
  #keyOf(tag: HtmlScanner, kinds: string): string {
    if (!tag.has(ATTRIBUTE.id) || this.#notes.length >= MAX_NOTES) return ''
    if ((tag.valueTo[ATTRIBUTE.id] ?? 0) - (tag.valueFrom[ATTRIBUTE.id] ?? 0) > MAX_ID) return ''
    const [, prefix, kind, number] = ID.exec(tag.value(ATTRIBUTE.id)) ?? []
    return kind !== undefined && kinds.includes(kind) ? `${prefix}:${number}` : ''
  }
}
