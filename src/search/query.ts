// Parses user input into terms. Any text is a query:
//
//   web crawler            pages with both words, in any form
//   "web crawler"          these words in this order, exactly
//   crawl*                 words with this prefix
//   cat OR dog, cat | dog  one of the two; binds closer than the words around it
//   -dog, NOT dog          pages without that word
//   title:news             in one field: title, text, description, keywords, url, host
//   site:a.test            on this host or below it; with a path, in the URL
//   filetype:pdf           of this type
//   web AND crawler, +web  these words are required
//
// In prose, these signs are punctuation (prose.ts).
//
// Pages with all words come first; if these are few, pages with some of the words follow (matches-of.ts). A
// term with an operator, a field, quotes or a star is required. Brackets and all other signs only separate
// words. Words joined by signs ("e-mail", "a.test/b") are looked up as a phrase. There is no nesting, so a
// query is two flat lists, and its cost is bounded by the number of its words.
import { type Field, fieldNamed } from '../core/search-field.ts'
import { DENSE, kindOf, kindOfPair } from '../text/char-kind.ts'
import { isStopWord } from '../text/stop-words.ts'
import { proseIn } from './prose.ts'
import { asWritten, searchTokens } from './search-tokens.ts'
import { siteWords, typeWord } from './url-words.ts'
import { urlText, wordsIn } from './words.ts'

/** UTF-16 units of a text that are used: a page or two. */
export const MAX_QUERY = 10_000
/** The most words of a query: a page. */
export const MAX_QUERY_WORDS = 256
/** The most words that may not be missing, or of which one may not: each is looked up and scored. */
export const MAX_STRICT_WORDS = 32
/** The most words of a phrase. */
export const MAX_PHRASE_WORDS = 32
/** Shorter prefixes count as whole words: too many words start with them. */
const MIN_PREFIX = 3

export type Term = {
  /** One word, or a phrase. */
  readonly words: readonly string[]
  /** The same words with their accents, if they have any. */
  readonly written?: readonly string[]
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
  /** A number such as 0.05 or 1,000: its parts alone say nothing. */
  readonly number?: true
  /** Not typed: another spelling, a synonym or a word that may be meant. */
  readonly added?: boolean
}

export type Query = {
  /** The part of the text that was used. */
  readonly used: string
  readonly cut: boolean
  /** At least one term of each list is required. */
  readonly all: readonly (readonly Term[])[]
  /** Pages get a little for them, but none is found by them. */
  readonly light?: readonly Term[]
  /** Excluded terms. If `all` is empty, every page without these matches. */
  readonly none: readonly Term[]
}

/**
 * A sign, a field, and one of these: a phrase, a quote that never ends, a run without spaces. What follows such a
 * quote ends where an operator, a sign or a field begins.
 */
const PIECE =
  /([-+]?)(?:([a-zA-Z]+):)?(?:"([^"]*)"(\*?)|"([^"]*?)(?=\s(?:[-+]\S|[a-zA-Z]+:\S|(?:OR|AND|NOT|\|)(?:\s|$))|$)|([^\s"]+))/g
const QUOTES = /[\u201c\u201d\u201e\u201f\u00ab\u00bb]/g

/** Names that look like fields and say where a page is, or what. */
type Place = 'site' | 'filetype'
const PLACES: Readonly<Record<string, Place>> = {
  site: 'site',
  filetype: 'filetype',
  ext: 'filetype',
}

type Piece = {
  readonly excluded: boolean
  readonly required: boolean
  readonly field: Field | null
  readonly place: Place | null
  readonly text: string
  readonly quoted: boolean
}

type QueryOptions = {
  /** The fields for words that name none; all fields if missing. */
  readonly columns?: readonly Field[]
  /** No other forms of words. */
  readonly exact?: boolean
}

export function parseQuery(typed: string, options: QueryOptions = {}): Query {
  const text = wholeCharacters(typed, MAX_QUERY)
  const building = new Building()
  const simple = withoutStrayQuotes(text.replace(QUOTES, '"'))
  const prose = proseIn(simple)
  for (const match of piecesOf(simple, prose)) {
    const isPlain = match.index < prose
    const piece = isPlain ? plainPiece(match[0]) : pieceFrom(match)
    if (!isPlain && building.operator(piece)) continue
    const kept = piece.quoted ? withoutRest(piece.text) : piece.text
    const terms = termsFrom({ ...piece, text: kept }, options)
    if (!building.terms(piece, terms)) return building.query(text.slice(0, match.index))
    if (kept !== piece.text) return building.query(text.slice(0, endOf(match, piece.text, kept)))
  }
  return building.query(text, typed.length > text.length)
}

/** As many words as a phrase may have. */
function withoutRest(phrase: string): string {
  const tokens = searchTokens(phrase)
  return tokens.length > MAX_PHRASE_WORDS
    ? phrase.slice(0, tokens[MAX_PHRASE_WORDS - 1]?.end)
    : phrase
}

/** Where the kept part of a phrase ends in the query: before its rest and the closing quote. */
function endOf({ 0: { length }, index }: RegExpExecArray, phrase: string, kept: string): number {
  return index + length - '"'.length - (phrase.length - kept.length)
}

/** A quote after a word and before a space closes; if none is open, it is a sign of inches, or a slip. */
export function withoutStrayQuotes(text: string): string {
  let isOpen = false
  return text.replace(/"/g, (quote, at: number) => {
    const isStray = !isOpen && AFTER_WORD.test(text.slice(Math.max(0, at - 2), at + 2))
    if (!isStray) isOpen = !isOpen
    return isStray ? ' ' : quote
  })
}

const AFTER_WORD = /[\p{L}\p{M}\p{N}]"(?:\s|$)/u

function piecesOf(text: string, prose: number): readonly RegExpExecArray[] {
  const pieces = text.matchAll(PIECE)
  if (prose === 0) return [...pieces]
  const words = text.slice(0, prose).matchAll(/[^\s"]+/g)
  return [...words, ...[...pieces].filter(({ index }) => index >= prose)]
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

  operator({ field, place, text, quoted, excluded }: Piece): boolean {
    if (quoted || excluded || field !== null || place !== null) return false
    if (text === 'OR' || text === '|') this.#or = true
    else if (text === 'NOT') this.#not = true
    else if (text === 'AND') this.#require()
    else return false
    return true
  }

  /** The terms of one piece; false if there are too many words. */
  terms(piece: Piece, terms: readonly Term[]): boolean {
    const isOperand = piece.excluded || this.#not || this.#or || this.#and
    if (isOperand && terms.length > 1) return false
    return terms.every((term) => this.#term(piece, term))
  }

  #term({ excluded }: Piece, term: Term): boolean {
    this.#words += term.words.length
    if (this.#words > MAX_QUERY_WORDS || term.words.length > MAX_PHRASE_WORDS) return false
    const last = this.#all.at(-1)
    if (excluded || this.#not || this.#or || this.#and || !term.loose) {
      this.#strict += term.words.length
      if (this.#strict > MAX_STRICT_WORDS) return false
    }
    if (excluded || this.#not) this.#none.push(term)
    else {
      const forms = [term, ...otherSpellings(term)]
      if (this.#or && last !== undefined) this.#all.splice(-1, 1, [...last, ...forms].map(required))
      else this.#all.push(this.#and ? forms.map(required) : forms)
    }
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
  const [, sign, name, phrase, star = '', unclosed, run = ''] = match
  const place = placeNamed(name ?? '')
  const field = place === null ? fieldNamed(name ?? '') : null
  const quoted = phrase !== undefined
  // A prefix that is no field belongs to the words: "10:30", "http://a.test/".
  const before = field === null && place === null && name !== undefined ? `${name}:` : ''
  const text = before + (quoted ? phrase + star : (unclosed ?? run))
  return { excluded: sign === '-', required: sign === '+', field, place, text, quoted }
}

function plainPiece(run: string): Piece {
  const plain = { excluded: false, required: false, field: null, place: null, quoted: false }
  return { ...plain, text: run.replace(/\*+$/, '') }
}

function placeNamed(name: string): Place | null {
  const lower = name.toLowerCase()
  return Object.hasOwn(PLACES, lower) ? (PLACES[lower] ?? null) : null
}

/**
 * The required terms without names such as "C#", without words that have another spelling or a synonym, and without
 * stop words beside others: an index that has no "does" was not asked for "docs".
 */
export function mayBeMistaken({ all }: Query): readonly Term[] {
  const typed = all.filter((terms) => !terms.some(({ added }) => added)).flat()
  const terms = typed.filter(({ words }) => !words.some(isName))
  const telling = terms.filter(({ words }) => !words.every(isStopWord))
  return telling.length > 0 ? telling : terms
}

function isName(word: string): boolean {
  return asWritten(word) !== word
}

/** "Node.js" is also written "nodejs": one word, or two. */
function otherSpellings(term: Term): Term[] {
  const [first = '', second, third] = term.words
  if (term.prefix || term.phrase || third !== undefined) return []
  const { written: _, ...bare } = term
  if (second === 'js') return [{ ...bare, words: [`${first}js`], added: true }]
  if (second !== undefined || !JS_NAME.test(first)) return []
  return [{ ...bare, words: [first.slice(0, -2), 'js'], anyForm: false, added: true }]
}

const JS_NAME = /^[a-z]{2,}js$/

function required(term: Term): Term {
  return { ...term, loose: false, phrase: false }
}

function termFrom(piece: Piece, options: QueryOptions): Term | null {
  const { text, field, quoted } = piece
  if (piece.place !== null) return placeTerm(piece.place, text)
  const { columns = null, exact = false } = options
  const { folded: words, written } = wordsIn(urlText(text))
  const last = words.at(-1)
  if (last === undefined) return null
  const prefix = isAlone(last) || (text.endsWith('*') && last.length >= MIN_PREFIX)
  const anyForm = !quoted && !exact && !prefix && words.length === 1
  const loose = !quoted && !prefix && !piece.required && field === null
  const phrase = quoted && !prefix && !piece.required && field === null
  return {
    ...{ words, prefix, anyForm, loose, phrase, fields: field === null ? columns : [field] },
    ...(written.some((word, at) => word !== words[at]) && { written }),
    ...(NUMBER.test(text) && words.length > 1 && { number: true as const }),
  }
}

/** With a decimal point or commas, a unit or a bracket perhaps. */
const NUMBER = /^[^\p{L}\p{N}]*\d+(?:[.,]\d+)+[^\p{L}\p{N}]*$/u

/** A sentence in a script without spaces has more words than a phrase may have. */
function termsFrom(piece: Piece, options: QueryOptions): readonly Term[] {
  const term = termFrom(piece, options)
  if (term === null) return []
  const { words, written } = term
  if (words.length <= MAX_PHRASE_WORDS || !term.loose) return [term]
  const starts = words.flatMap((_, at) => (at % MAX_PHRASE_WORDS === 0 ? at : []))
  return starts.map((start) => {
    const end = start + MAX_PHRASE_WORDS
    const accents = written && { written: written.slice(start, end) }
    return { ...term, ...accents, words: words.slice(start, end) }
  })
}

function placeTerm(place: Place, text: string): Term | null {
  const strict = { prefix: false, anyForm: false, loose: false, phrase: false }
  if (place === 'site') {
    const site = siteWords(text)
    return site === null ? null : { words: site.words, fields: [site.field], ...strict }
  }
  const word = typeWord(text)
  return word === null ? null : { words: [word], fields: ['url'], ...strict }
}

const HANGUL = /^[\uac00-\ud7a3]$/

/** A single character of a script that is cut into pairs: in texts it is the first of a pair. */
function isAlone(word: string): boolean {
  const first = word.charCodeAt(0)
  if (word.length === 1) return kindOf(first) === DENSE || HANGUL.test(word)
  return word.length === 2 && kindOfPair(first, word.charCodeAt(1)) === DENSE
}

/** The first `length` units, without half a character at the end. */
function wholeCharacters(text: string, length: number): string {
  if (text.length <= length) return text
  const isHalf = (text.codePointAt(length - 1) ?? 0) > 0xffff
  return text.slice(0, isHalf ? length - 1 : length)
}
