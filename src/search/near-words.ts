// Finds words that a misspelt word may stand for: words a few letters away, and two words written as one.
import { editSteps } from '../lib/edit-steps.ts'

/** The words at the heads of pages, with approximate page counts. */
export interface WordList {
  /** The count of each word; 0 if it is unknown. */
  pages(words: readonly string[]): Promise<readonly number[]>
  /** At most `limit` words with this initial and `from` to `to` characters. */
  alike(initial: string, from: number, to: number, limit: number): Promise<Iterable<ListedWord>>
  /** At most `limit` words with this prefix, the most common first. */
  startingWith(prefix: string, limit: number): Promise<readonly ListedWord[]>
}

export type NearWord = { readonly text: string; readonly pages: number; readonly steps: number }

/** Shorter words are near too many others. */
const MIN_LENGTH = 4
/** From this length on, two letters may be wrong. */
const TWO_STEPS_FROM = 6
const MIN_PART = 3
/** One edit step weighs as much as this factor in the number of pages. */
const STEP_FACTOR = 30
/** Limits the comparisons, at some microseconds each: pages may be full of made-up words. */
const MAX_COMPARED = 200_000
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Best first: near and common. */
async function nearWords(list: WordList, word: string, limit: number): Promise<NearWord[]> {
  if (word.length < MIN_LENGTH || word.length > MAX_WORD_LENGTH) return []
  const most = word.length < TWO_STEPS_FROM ? 1 : 2
  const found = [...(await sameInitial(list, word, most)), ...(await otherInitial(list, word))]
  const parts = await twoWords(list, word)
  if (parts !== null) found.push(parts)
  return found.sort(byWorth).slice(0, limit)
}

/** Words near a word, best first. */
export type Near = (word: string) => Promise<readonly NearWord[]>

const MOST_NEAR = 12

/** Looks each word up once. */
export function nearIn(list: WordList): Near {
  const known = new Map<string, Promise<readonly NearWord[]>>()
  return (word) => {
    const found = known.get(word) ?? nearWords(list, word, MOST_NEAR)
    known.set(word, found)
    return found
  }
}

/** First letters are hardly ever wrong, so most words need no comparison. */
async function sameInitial(list: WordList, word: string, most: number): Promise<NearWord[]> {
  const [from, to] = [word.length - most, word.length + most]
  const letters = lettersOf(word)
  const near: NearWord[] = []
  const alike = await list.alike(initialOf(word), from, to, MAX_COMPARED)
  for (const { word: text, pages } of alike) {
    if (onesIn(letters ^ lettersOf(text)) > 2 * most) continue
    const steps = editSteps(word, text, most)
    if (steps > 0 && steps <= most) near.push({ text, steps, pages })
  }
  return near
}

/** Words one step away that differ in the first letter. */
async function otherInitial(list: WordList, word: string): Promise<NearWord[]> {
  const [first = '', second = ''] = word
  const rest = word.slice(first.length)
  const tries = [
    rest,
    second + first + rest.slice(second.length),
    ...[...LETTERS].flatMap((letter) => [letter + rest, letter + word]),
  ]
  const others = [...new Set(tries)].filter((text) => text !== word && text.length >= MIN_LENGTH)
  const counts = await list.pages(others)
  return others
    .map((text, at) => ({ text, pages: counts[at] ?? 0, steps: 1 }))
    .filter(({ pages }) => pages > 0)
}

/** The two most common words that make up the word; they count as common as the rarer one. */
async function twoWords(list: WordList, word: string): Promise<NearWord | null> {
  const places = Array.from(
    { length: Math.max(0, word.length - 2 * MIN_PART + 1) },
    (_, nth) => MIN_PART + nth,
  )
  const counts = await list.pages(places.flatMap((at) => [word.slice(0, at), word.slice(at)]))
  let best: NearWord | null = null
  for (const [nth, at] of places.entries()) {
    const pages = Math.min(counts[2 * nth] ?? 0, counts[2 * nth + 1] ?? 0)
    const text = `${word.slice(0, at)} ${word.slice(at)}`
    if (pages > (best?.pages ?? 0)) best = { text, pages, steps: 1 }
  }
  return best
}

/** One bit per letter of a word. A step adds and removes at most one, so few bits differ. */
function lettersOf(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31)
  return bits
}

function onesIn(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}

/** The most likely first. */
export function byWorth(a: NearWord, b: NearWord): number {
  return worthOf(b) - worthOf(a) || (a.text < b.text ? -1 : 1)
}

function worthOf({ pages, steps }: NearWord): number {
  return pages / STEP_FACTOR ** steps
}

/** Characters of the text that count as its beginning: some 90 words. */
const HEAD = 600
const MIN_KNOWN_LENGTH = 3
/** The longest word that is counted. */
export const MAX_WORD_LENGTH = 24
/** Words with a prefix that are compared by their pages; a single letter has more, and its short words count. */
export const MAX_STARTING = 20_000
/** Excludes numbers and words that contain one. */
const WORD = /^[\p{L}\p{M}']+$/u

/** A word and its approximate number of pages. */
export type ListedWord = { readonly word: string; readonly pages: number }

/** Counts words over the pages of a batch, so that each word is written once. */
export class WordCounts {
  readonly #counts = new Map<string, number>()

  /** `texts`: words separated by single spaces. */
  take(texts: readonly string[]): void {
    const heads = texts.map(headOf).join(' ')
    for (const word of new Set(heads.split(' '))) {
      if (word.length < MIN_KNOWN_LENGTH || word.length > MAX_WORD_LENGTH) continue
      this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1)
    }
  }

  /** The counts since the last call. */
  *taken(): Generator<ListedWord> {
    for (const [word, pages] of this.#counts) if (WORD.test(word)) yield { word, pages }
    this.#counts.clear()
  }
}

/**
 * The words that pages use, with approximate page counts. Misspelt words are compared with them. Only the
 * head of a page counts: title, description, keywords and the beginning of the text, where a page names its
 * subject. Removed pages are not subtracted, since every suggestion is tried before it is shown.
 */
export function initialOf(word: string): string {
  return String.fromCodePoint(word.codePointAt(0) ?? 0)
}

/** Drops a word that the limit cuts. */
function headOf(words: string): string {
  if (words.length <= HEAD) return words
  return words.slice(0, Math.max(0, words.lastIndexOf(' ', HEAD)))
}
