// What somebody typed, as terms to look for. Any text is a query:
//
//   web crawler            pages with both words, in any form of them
//   "web crawler"          these words in this order, exactly
//   crawl*                 words that start so
//   cat OR dog, cat | dog  one of the two; binds closer than the words around it
//   -dog, NOT dog          pages without that word
//   title:news             in one field: title, text, description, keywords, url, host
//
//   web AND crawler, +web  these words without exception
//
// Pages with all words come first; where there are few of them, pages follow that have only some
// (relax.ts). What has an operator, a field, quotes or a star must be there.
// Brackets and all other signs only part words.
// Words that signs tie together ("e-mail", "a.test/b") are looked for in a row. There is no nesting,
// so a query is two flat lists, and what it costs is bounded by the number of its words.
import { type Field, fieldNamed } from '../core/search-field.ts'
import { DENSE, kindOf, kindOfPair } from '../text/char-kind.ts'
import { urlText, wordsOf } from './words.ts'

/** UTF-16 units of a text that are used: a page or two. */
export const MAX_QUERY = 10_000
/** Words that are looked for; each costs a walk through all pages that have it. */
export const MAX_QUERY_WORDS = 32
/** Shorter beginnings are words: too many others start with them. */
export const MIN_PREFIX = 3

export type Term = {
  /** One or more, in a row. */
  readonly words: readonly string[]
  /** The last word is only the beginning of one. */
  readonly prefix: boolean
  /** Other forms of the word are as good; only where there is one word. */
  readonly anyForm: boolean
  /** In one of these; null: in any of them. */
  readonly fields: readonly Field[] | null
  /** A page without it may do where few have everything. */
  readonly loose: boolean
}

export type Query = {
  /** The part of the text that was used. */
  readonly used: string
  readonly cut: boolean
  /** One of each list must be there. */
  readonly all: readonly (readonly Term[])[]
  /** None of these may be. Without anything in `all`, every page that has none of them is meant. */
  readonly none: readonly Term[]
}

/** A sign, a field, and a phrase or a run without spaces; a quote that never ends, ends the text. */
const PIECE = /([-+]?)(?:([a-z]+):)?(?:"([^"]*)(?:"|$)(\*?)|([^\s"]+))/gi
const QUOTES = /[\u201c\u201d\u201e\u201f\u00ab\u00bb]/g

type Piece = {
  readonly excluded: boolean
  readonly required: boolean
  readonly field: Field | null
  readonly text: string
  readonly quoted: boolean
}

export type QueryOptions = {
  /** Where words are looked for that name no field of their own; everywhere when absent. */
  readonly columns?: readonly Field[]
  /** No other forms of words. */
  readonly exact?: boolean
}

export function parseQuery(typed: string, options: QueryOptions = {}): Query {
  const text = wholeCharacters(typed, MAX_QUERY)
  const building = new Building()
  for (const match of text.replace(QUOTES, '"').matchAll(PIECE)) {
    const piece = pieceFrom(match)
    if (building.operator(piece)) continue
    const term = termFrom(piece, options)
    if (!building.term(piece, term)) return building.query(text.slice(0, match.index))
  }
  return building.query(text, typed.length > text.length)
}

/** Terms as they come, and what the operator before the next one says. */
class Building {
  readonly #all: Term[][] = []
  readonly #none: Term[] = []
  #words = 0
  #or = false
  #not = false
  #and = false

  operator({ field, text, quoted, excluded }: Piece): boolean {
    if (quoted || excluded || field !== null) return false
    if (text === 'OR' || text === '|') this.#or = true
    else if (text === 'NOT') this.#not = true
    else if (text === 'AND' || text === '&') this.#require()
    else return false
    return true
  }

  /** False when that would be too many. */
  term({ excluded }: Piece, term: Term | null): boolean {
    if (term === null) return true
    this.#words += term.words.length
    if (this.#words > MAX_QUERY_WORDS) return false
    const last = this.#all.at(-1)
    if (excluded || this.#not) this.#none.push(term)
    else if (this.#or && last !== undefined) this.#all.splice(-1, 1, [...last, term].map(required))
    else this.#all.push([this.#and ? required(term) : term])
    this.#or = false
    this.#not = false
    this.#and = false
    return true
  }

  /** What stands before it, and what comes next. */
  #require(): void {
    const last = this.#all.pop()
    if (last !== undefined) this.#all.push(last.map(required))
    this.#and = true
  }

  query(used: string, cut = true): Query {
    return { used, cut, all: this.#all, none: this.#none }
  }
}

function pieceFrom(match: RegExpExecArray): Piece {
  const [, sign, name, phrase, star = '', run = ''] = match
  const field = fieldNamed(name ?? '')
  const quoted = phrase !== undefined
  // What looks like a field and is none belongs to the words: "10:30", "http://a.test/".
  const before = field === null && name !== undefined ? `${name}:` : ''
  const text = before + (quoted ? phrase + star : run)
  return { excluded: sign === '-', required: sign === '+', field, text, quoted }
}

function required(term: Term): Term {
  return { ...term, loose: false }
}

function termFrom(piece: Piece, options: QueryOptions): Term | null {
  const { text, field, quoted } = piece
  const { columns = null, exact = false } = options
  const words = wordsOf(urlText(text))
  const last = words.at(-1)
  if (last === undefined) return null
  const prefix = isAlone(last) || (text.endsWith('*') && last.length >= MIN_PREFIX)
  const anyForm = !quoted && !exact && !prefix && words.length === 1
  const loose = !quoted && !prefix && !piece.required && field === null
  return { words, prefix, anyForm, loose, fields: field === null ? columns : [field] }
}

/** A single character of a script without spaces: texts have it as the first of a pair. */
function isAlone(word: string): boolean {
  const first = word.charCodeAt(0)
  if (word.length === 1) return kindOf(first) === DENSE
  return word.length === 2 && kindOfPair(first, word.charCodeAt(1)) === DENSE
}

/** The first `length` units, but no half of a character. */
function wholeCharacters(text: string, length: number): string {
  if (text.length <= length) return text
  const isHalf = (text.codePointAt(length - 1) ?? 0) > 0xffff
  return text.slice(0, isHalf ? length - 1 : length)
}
