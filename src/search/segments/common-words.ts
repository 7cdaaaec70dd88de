// Words that very many pages of an index have. Two of them in a row are a term, as two stop words are
// (joined-terms.ts): otherwise a phrase of such words would have to read their positions in a large part of all pages.
//
// Which words these are is counted while the index grows. A word is written down with the number of the first page
// from which on its pairs are terms; in pages before, phrases are looked for word by word. No word ever leaves.
// Pages are numbered as they come, and merges keep their order, so it does not matter which segment has them.
import { isPairable } from './joined-terms.ts'

/**
 * How common a word is, from 0 for the most common ones: half the pages have a word of level 2, a quarter one of
 * level 4. Two words of levels that add up to this are a pair: about one page in 16 has both.
 */
const PAIRED = 7
/** Of words that are not common. */
const RARE = PAIRED + 1
/** The list begins when an index has so many pages: the first ones are often of one host. */
const FIRST_PAGES = 8192
/** The most words that it has then: about twice as many as real texts have of these. */
const MOST_WORDS = 500
/** So many more each time the index doubles: the first pages may have filled the list with words that later ones lack. */
const MORE_WORDS = 100
/** The most words of a batch that are looked up. */
const MOST_ASKED = 1000
/** It is looked at again when there are so many times as many. */
const GROWN = 17 / 16

export type CommonWord = {
  readonly word: string
  readonly level: number
  /** The first page for which it has this level. */
  readonly since: number
}

/** Words and in how many pages they are. */
export type CountedWord = { readonly word: string; readonly pages: number }

export class CommonWords {
  /** By word: since when it has each level, or a lower one. */
  readonly #since = new Map<string, number[]>()

  constructor(words: Iterable<CommonWord> = []) {
    for (const each of words) this.add(each)
  }

  get size(): number {
    return this.#since.size
  }

  add({ word, level, since }: CommonWord): void {
    if (!(level >= 0 && level < RARE)) return
    const known = this.#since.get(word) ?? Array<number>(RARE).fill(Number.POSITIVE_INFINITY)
    for (let each = level; each < RARE; each++) {
      known[each] = Math.min(known[each] ?? since, since)
    }
    this.#since.set(word, known)
  }

  has(word: string): boolean {
    return this.#since.has(word)
  }

  /** The level for pages that come now. */
  levelOf(word: string): number {
    const level = this.#since.get(word)?.findIndex((since) => since < Number.POSITIVE_INFINITY)
    return level ?? RARE
  }

  /**
   * True if the list is to be looked at when an index has grown. Both are numbers of pages. An index of the version before
   * has no list, whatever its size.
   */
  isDue(before: number, after: number, firstPages = FIRST_PAGES): boolean {
    const step = (pages: number) => Math.floor(Math.log(pages / firstPages) / Math.log(GROWN))
    return after >= firstPages && (this.size === 0 || step(after) > step(before))
  }

  /** The first page from which on these two words in a row are a term; infinite if there is none. */
  pairedFrom(first: string, second: string): number {
    if (isPairable(first) && isPairable(second)) return 0
    const [one, other] = [this.#since.get(first), this.#since.get(second)]
    let from = Number.POSITIVE_INFINITY
    if (one === undefined || other === undefined) return from
    for (let level = 0; level <= PAIRED; level++) {
      from = Math.min(from, Math.max(one[level] ?? from, other[PAIRED - level] ?? from))
    }
    return from
  }
}

export const NO_COMMON_WORDS = new CommonWords()

/** From rows of a database. */
export function commonWordsFrom(rows: readonly Readonly<Record<string, unknown>>[]): CommonWords {
  return new CommonWords(
    rows.map(({ word, level, since }) => ({
      word: String(word),
      level: Number(level),
      since: Number(since),
    })),
  )
}

/** The level of a word that so many of all pages have. */
function levelFor(pages: number, all: number): number {
  return pages === 0 ? RARE : Math.min(RARE, Math.max(0, Math.floor(-2 * Math.log2(pages / all))))
}

/** True if words of these levels in a row are a term. */
export function makePair(first: number, second: number): boolean {
  return first + second <= PAIRED
}

/** Words of a batch that may have become common, the most common ones first. `batch`: its pages. */
export function mayBeCommon(
  common: CommonWords,
  counted: readonly CountedWord[],
  batch: number,
): CountedWord[] {
  return counted
    .filter(({ word, pages }) => levelFor(pages, batch) < common.levelOf(word))
    .toSorted(mostPages)
    .slice(0, MOST_ASKED)
}

/** Those that are more common than before. `pages`: how many there are now; `next`: the number of the next one. */
export function newlyCommon(
  common: CommonWords,
  counted: readonly CountedWord[],
  { pages, next }: { readonly pages: number; readonly next: number },
): CommonWord[] {
  let room = mostWords(next) - common.size
  return counted.toSorted(mostPages).flatMap(({ word, pages: having }) => {
    const level = levelFor(having, pages)
    if (level >= common.levelOf(word)) return []
    if (!common.has(word) && room-- <= 0) return []
    return [{ word, level, since: next }]
  })
}

/** The most words that a list has in an index of so many pages. */
function mostWords(pages: number): number {
  return MOST_WORDS + MORE_WORDS * Math.max(0, Math.floor(Math.log2(pages / FIRST_PAGES)))
}

function mostPages(a: CountedWord, b: CountedWord): number {
  return b.pages - a.pages || (a.word < b.word ? -1 : 1)
}
