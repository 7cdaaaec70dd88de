// The words of a text as search sees them, the same for pages and queries:
//
// - Each word has a folded form, which is looked up, and the form as written, from which its stem is made.
// - Korean words become pairs of syllables, as scripts without spaces do: endings and compounds are found without
//   a dictionary.
// - Arabic and Persian letters that look alike are one letter; vowel signs and the tatweel are left out. Persian
//   words end where a zero-width non-joiner stands: after it come endings.
// - C++, C#, F#, .NET, AT&T and names like them are words of their own.
import { eachToken, finalForm, withoutAccents } from '../text/tokens.ts'

export type SearchToken = {
  /** Lower-cased, NFKC, without accents. */
  readonly word: string
  /** The same with its accents. */
  readonly written: string
  readonly start: number
  readonly end: number
}

type Visit = (word: string, written: string, start: number, end: number) => void

export function searchTokens(text: string): SearchToken[] {
  const tokens: SearchToken[] = []
  eachSearchToken(text, Number.POSITIVE_INFINITY, (word, written, start, end) =>
    tokens.push({ word, written, start, end }),
  )
  return tokens
}

/** Visits about `max` words: the last of them may be several pairs. */
export function eachSearchToken(text: string, max: number, visit: Visit): void {
  const names = new Names(text, visit)
  eachToken(text, { max }, (written, start, end) => names.take(written, start, end))
  names.end()
}

const [PLUS, NUMBER_SIGN, AMPERSAND, FULL_STOP] = [0x2b, 0x23, 0x26, 0x2e]
/** Longer parts are words: "salt&pepper". */
const MAX_INITIALS = 2

/** Joins words with the signs that make them names. */
class Names {
  readonly #text: string
  readonly #visit: Visit
  /** Initials before an ampersand, such as the first of "R&D". */
  #held: SearchToken | null = null

  constructor(text: string, visit: Visit) {
    this.#text = text
    this.#visit = visit
  }

  take(written: string, start: number, end: number): void {
    const held = this.#held
    this.#held = null
    if (held !== null && held.end + 1 === start && isInitials(written)) {
      this.#name(`${held.word}'n'${written}`, held.start, end)
      return
    }
    if (held !== null) this.#visit(held.word, held.written, held.start, held.end)
    const next = this.#text.charCodeAt(end)
    if (next === AMPERSAND && isInitials(written)) {
      this.#held = { word: written, written, start, end }
    } else if (next === PLUS && this.#text.charCodeAt(end + 1) === PLUS && isAscii(written)) {
      this.#name(`${written}plusplus`, start, end + 2)
    } else if (next === NUMBER_SIGN && isLetter(written) && this.#endsAt(end + 1)) {
      this.#name(`${written}sharp`, start, end + 1)
    } else if (written === 'net' && this.#isDotted(start)) {
      this.#name('dotnet', start - 1, end)
    } else eachPart(written, this.#text, start, end, this.#visit)
  }

  end(): void {
    const held = this.#held
    if (held !== null) this.#visit(held.word, held.written, held.start, held.end)
  }

  #name(name: string, start: number, end: number): void {
    this.#visit(name, name, start, end)
  }

  #endsAt(at: number): boolean {
    return !/[\p{L}\p{N}]/u.test(this.#text.charAt(at))
  }

  /** After a full stop that follows no word: ".NET", but not "asp.net". */
  #isDotted(start: number): boolean {
    if (this.#text.charCodeAt(start - 1) !== FULL_STOP) return false
    return (
      start === 1 || (this.#endsAt(start - 2) && this.#text.charCodeAt(start - 2) !== FULL_STOP)
    )
  }
}

/** A word as texts have it: "cplusplus" is written "c++". */
export function asWritten(word: string): string {
  if (word === 'dotnet') return '.net'
  return word
    .replace(/(?<=^[^ ]+)plusplus$/, '++')
    .replace(/(?<=^[a-z])sharp$/, '#')
    .replace(/(?<=^[^ ']{1,2})'n'(?=[^ ']{1,2}$)/, '&')
}

function isInitials(word: string): boolean {
  return word.length <= MAX_INITIALS && isAscii(word)
}

function isAscii(word: string): boolean {
  return !NOT_ASCII.test(word)
}

function isLetter(word: string): boolean {
  return /^[a-z]$/.test(word)
}

const NOT_ASCII = /[^\0-\x7f]/
const HANGUL = /[\uac00-\ud7a3]/
const ARABIC = /[\u0600-\u06ff]/
const NON_JOINER = '\u200c'

/** A word, or the parts of one in a script of its own. */
function eachPart(written: string, text: string, start: number, end: number, visit: Visit): void {
  if (isAscii(written)) visit(written, written, start, end)
  else if (HANGUL.test(written)) eachPair(written, start, end, visit)
  else if (ARABIC.test(written)) eachArabic(written, text, start, end, visit)
  else visit(folded(written), written, start, end)
}

/** Pairs of syllables; what stands between them stays whole. */
function eachPair(written: string, start: number, end: number, visit: Visit): void {
  // Offsets are those of the whole word if NFKC has changed its length.
  const isPlain = written.length === end - start
  const at = (offset: number, otherwise: number) => (isPlain ? start + offset : otherwise)
  for (const { 0: run, index } of written.matchAll(RUNS)) {
    const last = HANGUL.test(run) ? Math.max(0, run.length - 2) : 0
    for (let from = 0; from <= last; from++) {
      const part = HANGUL.test(run) ? run.slice(from, from + 2) : run
      const offset = index + from
      visit(folded(part), part, at(offset, start), at(offset + part.length, end))
    }
  }
}

const RUNS = /[\uac00-\ud7a3]+|[^\uac00-\ud7a3]+/g

function eachArabic(written: string, text: string, start: number, end: number, visit: Visit): void {
  const source = text.slice(start, end)
  if (!source.includes(NON_JOINER)) {
    const word = foldedArabic(written)
    if (word !== '') visit(word, word, start, end)
    return
  }
  let at = start
  for (const part of source.split(NON_JOINER)) {
    const word = foldedArabic(finalForm(part))
    if (word !== '') visit(word, word, at, at + part.length)
    at += part.length + NON_JOINER.length
  }
}

/** Vowel signs, other signs above letters, and the tatweel. */
const ARABIC_SIGNS = /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g
const ARABIC_ALIKE: Readonly<Record<string, string>> = {
  '\u0622': '\u0627',
  '\u0623': '\u0627',
  '\u0625': '\u0627',
  '\u0671': '\u0627',
  '\u0649': '\u064a',
  '\u06cc': '\u064a',
  '\u06a9': '\u0643',
  '\u0629': '\u0647',
  '\u06c0': '\u0647',
  '\u06d5': '\u0647',
  '\u0624': '\u0648',
  '\u0626': '\u064a',
}
const ARABIC_LETTERS = new RegExp(`[${Object.keys(ARABIC_ALIKE).join('')}]`, 'g')
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g

/** Alef, yeh, kaf, heh and digits in one form each. */
function foldedArabic(word: string): string {
  return withoutAccents(word)
    .replace(ARABIC_SIGNS, '')
    .replace(ARABIC_LETTERS, (letter) => ARABIC_ALIKE[letter] ?? letter)
    .replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & 15))
}

/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
}
const WHOLE_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** The form of a word by which it is looked up. */
export function folded(written: string): string {
  if (isAscii(written)) return written
  const bare = ARABIC.test(written) ? foldedArabic(written) : withoutAccents(written)
  return bare.replace(WHOLE_LETTERS, (letter) => LETTERS[letter] ?? letter)
}

const LATIN_ACCENT = /^[a-z'\u00c0-\u024f\u1e00-\u1eff]+$/

/**
 * The word of an index for a form with accents, beside the folded one; null if there is none. It stands among the
 * stems, where positions do not matter.
 */
export function accentedWord(word: string, written: string): string | null {
  return word !== written && LATIN_ACCENT.test(written) ? `${written}_` : null
}
