// The words of a text as strings, for callers that show, stem or search them.
import { APOSTROPHE, BREAK, kindOf, SILENT } from './char-kind.ts'
import { MAX_WORD } from './text.ts'
import { WordScanner } from './word-scanner.ts'

type TokenOptions = {
  /** Limit of words; none by default. */
  readonly max?: number
}

/** A word and its offsets in the source text. */
type Token = { readonly word: string; readonly start: number; readonly end: number }

/** The words in their order: lower-cased, NFKC, at most MAX_WORD characters each. */
export function tokens(text: string, options: TokenOptions = {}): string[] {
  const words: string[] = []
  eachToken(text, options, (word) => words.push(word))
  return words
}

/** The same with offsets. They refer to the source text, even if NFKC changed the word. */
export function tokensWithOffsets(text: string): Token[] {
  const found: Token[] = []
  eachToken(text, {}, (word, start, end) => found.push({ word, start, end }))
  return found
}

/** Lower-cases and keeps every offset: one Turkish capital would become two characters. */
export function lowerCased(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replaceAll('\u0130', 'i').toLowerCase()
}

/** The final form of a word that the scanner calls not plain; may be ''. */
export function finalForm(word: string): string {
  const form = word.normalize('NFKC')
  if (form === word && isClean(word)) return word
  return form.replaceAll('\u2019', "'").toLowerCase().replace(FOREIGN, '').slice(0, MAX_WORD)
}

/** Whether a word contains no joining characters; the pattern alone would cost 3 times as much. */
function isClean(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    const kind = kindOf(code)
    if (kind === SILENT || kind === BREAK || (kind === APOSTROPHE && code !== 0x27)) return false
  }
  return true
}

const FOREIGN = /[^\p{L}\p{N}\p{M}']+/gu
const ACCENTS = /[\u0300-\u036f]+/g

/** Visits the words with their offsets, until `max` were visited. */
export function eachToken(
  text: string,
  { max = Number.POSITIVE_INFINITY }: TokenOptions,
  visit: (word: string, start: number, end: number) => void,
): void {
  const lower = lowerCased(text)
  const scanner = new WordScanner(lower)
  for (let count = 0; count < max && scanner.next(); ) {
    const { start, end } = scanner
    const cut = lower.slice(start, end)
    const word = scanner.plain ? cut : finalForm(cut)
    if (word === '') continue
    visit(word, start, end)
    count++
  }
}

/** Folds accents of all scripts: "é" is "e", and "й" is "и". */
export function withoutAccents(word: string): string {
  return word.normalize('NFD').replace(ACCENTS, '').normalize('NFC')
}
