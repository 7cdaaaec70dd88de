// Random choices for the made-up webs: the same seed makes the same web on every machine.
import { seededRandom } from '../../lib/seeded-random.ts'

const SYLLABLES = { first: 'bdfghjklmnprstvw', vowels: 'aeiou', last: ['', '', 'n', 'r', 's', 'l'] }

export class Chance {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  next(): number {
    return this.#random()
  }

  /** A whole number from 0 to `limit`, exclusive. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  /** A number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.#random() * (most - least)
  }

  is(share: number): boolean {
    return this.#random() < share
  }

  /** Any element of a list; undefined if it is empty. */
  any<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)]
  }

  /** Chooses the first of a list much more often than the last, like words and popular pages. */
  favourite<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() ** 2 * list.length)]
  }

  /** A word without meaning: a name, or the vocabulary of a subject other than the topics. */
  name(): string {
    let word = ''
    for (let left = 2 + this.below(2); left > 0; left--) word += this.#syllable()
    return word
  }

  names(count: number): string[] {
    return Array.from({ length: count }, () => this.name())
  }

  #syllable(): string {
    const { first, vowels, last } = SYLLABLES
    const at = (letters: string) => letters[this.below(letters.length)] ?? ''
    return at(first) + at(vowels) + (this.any(last) ?? '')
  }
}
