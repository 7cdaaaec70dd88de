// Words of pages that somebody may have meant by one that hardly any page has: those a few letters
// away, and two that were written as one.
import type { DatabaseSync } from 'node:sqlite'
import { editSteps } from '../../lib/edit-steps.ts'
import { initialOf, MAX_WORD_LENGTH } from './known-words.ts'

export type NearWord = { readonly text: string; readonly pages: number; readonly steps: number }

/** Shorter words are near too many others. */
const MIN_LENGTH = 4
/** From here on two letters may be wrong. */
const TWO_STEPS_FROM = 6
const MIN_PART = 3
/** A step costs as much as so many times fewer pages. */
const STEP_FACTOR = 30
/** Words that one is compared with, some microseconds each: pages may be full of made-up ones. */
const MAX_COMPARED = 200_000
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

export class NearWords {
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: DatabaseSync) {
    this.#sql = prepare(db)
  }

  /** About how many pages have it. */
  pagesWith(word: string): number {
    return Number(this.#sql.word.get(initialOf(word), word.length, word)?.pages ?? 0)
  }

  /** Best first: near, and common. */
  of(word: string, limit: number): NearWord[] {
    if (word.length < MIN_LENGTH || word.length > MAX_WORD_LENGTH) return []
    const most = word.length < TWO_STEPS_FROM ? 1 : 2
    const found = [...this.#sameInitial(word, most), ...this.#otherInitial(word)]
    const parts = this.#twoWords(word)
    if (parts !== null) found.push(parts)
    return found
      .sort((a, b) => worthOf(b) - worthOf(a) || (a.text < b.text ? -1 : 1))
      .slice(0, limit)
  }

  /** First letters are hardly ever wrong: most of all words need not be looked at. */
  #sameInitial(word: string, most: number): NearWord[] {
    const [from, to] = [word.length - most, word.length + most]
    const letters = lettersOf(word)
    const near: NearWord[] = []
    for (const row of this.#sql.alike.iterate(initialOf(word), from, to, MAX_COMPARED)) {
      const text = String(row.word)
      if (onesIn(letters ^ lettersOf(text)) > 2 * most) continue
      const steps = editSteps(word, text, most)
      if (steps > 0 && steps <= most) near.push({ text, steps, pages: Number(row.pages) })
    }
    return near
  }

  /** One step away, at the first letter. */
  #otherInitial(word: string): NearWord[] {
    const [first = '', second = ''] = word
    const rest = word.slice(first.length)
    const tries = [
      rest,
      second + first + rest.slice(second.length),
      ...[...LETTERS].flatMap((letter) => [letter + rest, letter + word]),
    ]
    return [...new Set(tries)].flatMap((text) => {
      const pages = text === word || text.length < MIN_LENGTH ? 0 : this.pagesWith(text)
      return pages === 0 ? [] : [{ text, pages, steps: 1 }]
    })
  }

  /** The two most common words that make it up; as common as the rarer of them. */
  #twoWords(word: string): NearWord | null {
    let best: NearWord | null = null
    for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
      const [first, second] = [word.slice(0, at), word.slice(at)]
      const pages = Math.min(this.pagesWith(first), this.pagesWith(second))
      if (pages > (best?.pages ?? 0)) best = { text: `${first} ${second}`, pages, steps: 1 }
    }
    return best
  }
}

/** A bit for each letter of a word. A step adds one and takes one away at most, so few differ. */
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

function worthOf({ pages, steps }: NearWord): number {
  return pages / STEP_FACTOR ** steps
}

function prepare(db: DatabaseSync) {
  return {
    word: db.prepare('SELECT pages FROM known_words WHERE initial = ? AND length = ? AND word = ?'),
    alike: db.prepare(
      'SELECT word, pages FROM known_words WHERE initial = ? AND length BETWEEN ? AND ? LIMIT ?',
    ),
  }
}
