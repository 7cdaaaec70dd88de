// Parses user input into terms. Any text is a query:
//
//   web crawler            pages with both words, in any form
//   "web crawler"          these words in this order, exactly
//   crawl*                 words with this prefix
//   cat OR dog, cat | dog  one of the two; binds closer than the words around it
//   -dog, NOT dog          pages without that word
//   title:news             in one field: title, text, description, keywords, url, host
//
//   web AND crawler, +web  these words are required
//
// Pages with all words come first; if these are few, pages with some of the words follow (matches-of.ts). A
// term with an operator, a field, quotes or a star is required. Brackets and all other signs only separate
// words. Words joined by signs ("e-mail", "a.test/b") are looked up as a phrase. There is no nesting, so a
// query is two flat lists, and its cost is bounded by the number of its words.
import { type Field, fieldNamed } from '../core/search-field.ts'
import { DENSE, kindOf, kindOfPair } from '../text/char-kind.ts'
import { urlText, wordsOf } from './words.ts'

/** UTF-16 units of a text that are used: a page or two. */
export const MAX_QUERY = 10_000
/** The most words of a query: a page. */
export const MAX_QUERY_WORDS = 256
/** The most words that may not be missing, or of which one may not: each is looked up and scored. */
export const MAX_STRICT_WORDS = 32
/** The most words of a phrase. */
export const MAX_PHRASE_WORDS = 32
/** Shorter prefixes count as whole words: too many words start with them. */
export const MIN_PREFIX = 3

export type Term = {
  /** One word, or a phrase. */
  readonly words: readonly string[]
  /** The last word is a prefix. */
  readonly prefix: boolean
  /** Other forms of the word match, too; only for single words. */
  readonly anyForm: boolean
  /** The fields to search; null means all. */
  readonly fields: readonly Field[] | null
  /** If few pages have every term, pages without this one may match. */
  readonly loose: boolean
  /** Words in quotes. If no page matches, the words may stand apart. */
  readonly phrase: boolean
}

export type Query = {
  /** The part of the text that was used. */
  readonly used: string
  readonly cut: boolean
  /** At least one term of each list is required. */
  readonly all: readonly (readonly Term[])[]
  /** Excluded terms. If `all` is empty, every page without these matches. */
  readonly none: readonly Term[]
}

/**
 * A sign, a field, and a phrase or a run without spaces. An unclosed quote extends to the end of the text.
 */
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
  /** The fields for words that name none; all fields if missing. */
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

/** Collects the terms, and the operator for the next one. */
class Building {
  readonly #all: Term[][] = []
  readonly #none: Term[] = []
  #words = 0
  #strict = 0
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

  /** False if there are too many words. */
  term({ excluded }: Piece, term: Term | null): boolean {
    if (term === null) return true
    this.#words += term.words.length
    if (this.#words > MAX_QUERY_WORDS || term.words.length > MAX_PHRASE_WORDS) return false
    const last = this.#all.at(-1)
    if (excluded || this.#not || this.#or || this.#and || !term.loose) {
      this.#strict += term.words.length
      if (this.#strict > MAX_STRICT_WORDS) return false
    }
    if (excluded || this.#not) this.#none.push(term)
    else if (this.#or && last !== undefined) this.#all.splice(-1, 1, [...last, term].map(required))
    else this.#all.push([this.#and ? required(term) : term])
    this.#or = false
    this.#not = false
    this.#and = false
    return true
  }

  /** Makes the term before and the term after required. */
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
  // A prefix that is no field belongs to the words: "10:30", "http://a.test/".
  const before = field === null && name !== undefined ? `${name}:` : ''
  const text = before + (quoted ? phrase + star : run)
  return { excluded: sign === '-', required: sign === '+', field, text, quoted }
}

function required(term: Term): Term {
  return { ...term, loose: false, phrase: false }
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
  const phrase = quoted && !prefix && !piece.required && field === null
  return { words, prefix, anyForm, loose, phrase, fields: field === null ? columns : [field] }
}

/** A single character of a script without spaces: in texts it is the first of a pair. */
function isAlone(word: string): boolean {
  const first = word.charCodeAt(0)
  if (word.length === 1) return kindOf(first) === DENSE
  return word.length === 2 && kindOfPair(first, word.charCodeAt(1)) === DENSE
}

/** The first `length` units, without half a character at the end. */
function wholeCharacters(text: string, length: number): string {
  if (text.length <= length) return text
  const isHalf = (text.codePointAt(length - 1) ?? 0) > 0xffff
  return text.slice(0, isHalf ? length - 1 : length)
}
