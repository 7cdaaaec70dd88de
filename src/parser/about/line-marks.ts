// Marks of dates and authors in the tags of and around a line: `<time>`, rel, itemprop, and the
// usual words in class and id.
import { ATTRIBUTE, ELEMENT } from '../html/html-names.ts'
import type { HtmlReading, MarkTest } from '../html/html-reading.ts'
import { HtmlScanner, MARKUP } from '../html/html-scanner.ts'
import { withoutBrackets, withoutMarkup } from './clean-text.ts'
import { type DateUse, dateUseOf } from './written-date.ts'

export type Marks = {
  readonly dated: boolean
  readonly signed: boolean
  /** Machine-readable values: `datetime` of a `<time>`, `content` of a date by itemprop. */
  readonly times: readonly MarkedTime[]
  /** Texts of elements that name an author. */
  readonly names: readonly MarkedName[]
}

type MarkedTime = { readonly value: string; readonly use: DateUse }
type MarkedName = { readonly text: string; readonly isDeclared: boolean }

export const NO_MARKS: Marks = { dated: false, signed: false, times: [], names: [] }

const MAX_BYTES = 2000
const MAX_TAG_BYTES = 300
const MAX_TAGS = 60
const MAX_OPEN = 4
const MAX_NAME_BYTES = 400
const MAX_LABEL_BYTES = 400
const MAX_WORDS = 240
const LESS = 60

const DATED =
  /date|time(?!out|line)|publ|posted|updat|tanggal|waktu|datum|fecha|entry-meta|post-meta|article-?meta/i
const SIGNED = /author|byline|by-line|writer|penulis|reporter|autor|posted-?by|creator|user-?name/i
/** Authors of these texts are not the author of the page. */
const OF_OTHERS = /review(?!ed|er)|comment|komentar|ulasan|testimonial/i
const LEADS_TO_AUTHOR =
  /\/(?:authors?|penulis|reporter|redaktur|autor(?:en)?|auteurs?|autores)\/[^/]/i
const DECLARED = /^(?:author|creator)$/i
const PUBLISHED = /datepublished|datecreated|uploaddate|\bpublished\b/i
const MODIFIED = /datemodified|\b(?:updated|modified)\b/i

/** A quick test: markup without one of these has no mark. assembly/marks.ts has the same words. */
const MAY_MARK =
  /time|date|publ|posted|updat|tanggal|waktu|datum|fecha|-meta|auth|byline|by-line|writer|penulis|reporter|autor|creator|user-?name/i

type MarkedPage = Pick<HtmlReading, 'source' | 'latin1' | 'mayMark'>
type Open = { readonly nameHash: number; readonly from: number; readonly isDeclared: boolean }

export class LineMarks {
  readonly #source: Buffer
  readonly #latin1: string
  readonly #mayMark: MarkTest | null
  /** Most pages have no mark, and need none. */
  #scanner: HtmlScanner | null = null
  /** After the last date. */
  #labelFrom = 0
  #dated = false
  #signed = false
  #times: MarkedTime[] = []
  #names: MarkedName[] = []
  #open: Open[] = []

  constructor({ source, latin1, mayMark }: MarkedPage) {
    this.#source = source
    this.#latin1 = latin1
    this.#mayMark = mayMark
  }

  /** Reads the tags of a range of the page. */
  read(from: number, to: number): Marks {
    return this.#read(from, Math.min(to, from + MAX_BYTES), MAX_TAGS)
  }

  readTag(from: number): Marks {
    return this.#read(from, from + MAX_TAG_BYTES, 1)
  }

  #read(from: number, to: number, maxTags: number): Marks {
    const bytes = this.#source.subarray(from, to)
    if (!this.#mayHaveMarks(from, from + bytes.length)) return NO_MARKS
    this.#scanner ??= new HtmlScanner()
    const scanner = this.#scanner
    this.#labelFrom = 0
    this.#dated = this.#signed = false
    this.#times = []
    this.#names = []
    this.#open = []
    scanner.open(bytes)
    let at = bytes.indexOf(LESS)
    for (let tags = 0; at >= 0 && tags < maxTags; tags++) {
      scanner.at = at
      const markup = scanner.read()
      if (markup === MARKUP.startTag) this.#start(scanner, at)
      else if (markup === MARKUP.endTag) this.#end(scanner, at)
      at = bytes.indexOf(LESS, Math.max(scanner.at, at + 1))
    }
    for (const open of this.#open) this.#name(scanner, open, bytes.length)
    return { dated: this.#dated, signed: this.#signed, times: this.#times, names: this.#names }
  }

  #mayHaveMarks(from: number, to: number): boolean {
    if (this.#mayMark !== null) return this.#mayMark(from, to) !== 0
    return MAY_MARK.test(this.#latin1.slice(from, to))
  }

  #start(tag: HtmlScanner, at: number): void {
    const isTime = tag.element === ELEMENT.time
    const words = wordsOf(tag)
    if (isTime || (words !== '' && DATED.test(words))) this.#date(tag, at, words)
    const isDeclared = isAuthor(tag)
    if (!isDeclared && !isCalledAuthor(words) && !leadsToAuthor(tag)) return
    this.#signed = true
    if (this.#open.length === MAX_OPEN) return
    this.#open.push({ nameHash: tag.nameHash, from: tag.at, isDeclared })
  }

  #date(tag: HtmlScanner, at: number, words: string): void {
    this.#dated = true
    const isTime = tag.element === ELEMENT.time
    const value = tag.value(isTime ? ATTRIBUTE.datetime : ATTRIBUTE.content)
    if (value === '') return
    const isPublished = tag.has(ATTRIBUTE.pubdate) || PUBLISHED.test(words)
    const told = isPublished ? 'published' : MODIFIED.test(words) ? 'modified' : ''
    if (!isTime && told === '') return
    const use = told || dateUseOf(this.#textBefore(tag, at))
    this.#times.push({ value: withoutMarkup(value.slice(0, 80)), use })
    this.#labelFrom = tag.at
  }

  /** A `<time>` rarely says what happened then; the words before it do. */
  #textBefore(tag: HtmlScanner, at: number): string {
    return withoutBrackets(tag.slice(Math.max(this.#labelFrom, at - MAX_LABEL_BYTES), at))
  }

  #end(tag: HtmlScanner, at: number): void {
    const place = this.#open.findLastIndex((open) => open.nameHash === tag.nameHash)
    if (place < 0) return
    for (const open of this.#open.splice(place)) this.#name(tag, open, at)
  }

  #name(scanner: HtmlScanner, { from, isDeclared }: Open, to: number): void {
    if (to - from > MAX_NAME_BYTES) return
    const text = withoutBrackets(scanner.slice(from, to))
    if (text !== '') this.#names.push({ text, isDeclared })
  }
}

/** The tag's class, id and itemprop as one string. */
function wordsOf(tag: HtmlScanner): string {
  let words = ''
  for (const attribute of [ATTRIBUTE.class, ATTRIBUTE.id, ATTRIBUTE.itemprop]) {
    if (tag.has(attribute)) words += ` ${tag.value(attribute).slice(0, MAX_WORDS)}`
  }
  return words
}

function isCalledAuthor(words: string): boolean {
  return words !== '' && SIGNED.test(words) && !OF_OTHERS.test(words)
}

function leadsToAuthor(tag: HtmlScanner): boolean {
  return tag.element === ELEMENT.a && LEADS_TO_AUTHOR.test(tag.value(ATTRIBUTE.href).slice(0, 240))
}

function isAuthor(tag: HtmlScanner): boolean {
  if (tag.has(ATTRIBUTE.itemprop) && DECLARED.test(tag.value(ATTRIBUTE.itemprop).trim()))
    return true
  return tag.has(ATTRIBUTE.rel) && /\bauthor\b/i.test(tag.value(ATTRIBUTE.rel).slice(0, 80))
}
