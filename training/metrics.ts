// How good a choice of blocks is, by the measures of bench/extraction/metrics.ts, but for many
// choices of one page: words are numbered once, so that a threshold or a rule can be tried on all
// pages in a moment. `totalOfWords` and `totalOfShingles` of the bench join the pages of a set.
import { wordsOf } from '../bench/extraction/words.ts'

/** What was found rightly, found wrongly, and missed; in words, or in four words in a row. */
export type Counts = { readonly hits: number; readonly noise: number; readonly missed: number }
export type Score = { readonly precision: number; readonly recall: number; readonly f1: number }
export type MeasureOptions = {
  readonly metric: 'word' | 'shingle'
  /** Scripts without spaces count by character. */
  readonly dense: boolean
}

/** Counts for the blocks whose entry in `chosen` is not 0, joined in their order. */
export type Measure = (chosen: ArrayLike<number>) => Counts

export function createMeasure(
  blocks: readonly string[],
  truth: string,
  { metric, dense }: MeasureOptions,
): Measure {
  const cased = (text: string) => (metric === 'word' ? text.toLowerCase() : text)
  const numbers = new Map<string, number>()
  const wanted = Int32Array.from(wordsOf(cased(truth), dense), (word) => {
    const number = numbers.get(word) ?? numbers.size
    numbers.set(word, number)
    return number
  })
  const words = blocks.map((block) =>
    Int32Array.from(wordsOf(cased(block), dense), (word) => numbers.get(word) ?? UNKNOWN),
  )
  const found = new Int32Array(words.reduce((sum, { length }) => sum + length, 0))
  const count = metric === 'word' ? countWords(wanted, numbers.size) : countShingles(wanted)
  return (chosen) => {
    let length = 0
    words.forEach((block, i) => {
      if (!chosen[i]) return
      found.set(block, length)
      length += block.length
    })
    return count(found.subarray(0, length))
  }
}

/** Of one page by words. With nothing to find, only nothing is right. */
export function scoreOf({ hits, noise, missed }: Counts): Score {
  if (hits + missed === 0 && noise === 0) return { precision: 1, recall: 1, f1: 1 }
  return {
    precision: hits === 0 ? 0 : hits / (hits + noise),
    recall: hits === 0 ? 0 : hits / (hits + missed),
    f1: (2 * hits) / (2 * hits + noise + missed),
  }
}

/** Of one page by shingles: scaled so that long pages weigh no more than short ones. */
export function scaled({ hits, noise, missed }: Counts): Counts {
  const all = hits + noise + missed || 1
  return { hits: hits / all, noise: noise / all, missed: missed / all }
}

const UNKNOWN = -1

function countWords(wanted: Int32Array, vocabulary: number): (found: Int32Array) => Counts {
  const times = new Int32Array(vocabulary)
  for (const word of wanted) times[word] = (times[word] ?? 0) + 1
  const left = new Int32Array(vocabulary)
  return (found) => {
    left.set(times)
    let hits = 0
    for (const word of found) {
      const more = left[word] ?? 0
      if (more === 0) continue
      left[word] = more - 1
      hits++
    }
    return { hits, noise: found.length - hits, missed: wanted.length - hits }
  }
}

const SHINGLE_WORDS = 4
/** More than there are words or pairs of them in a text; its square is still a whole number. */
const RADIX = 2 ** 26
/** Stands for the words that a text shorter than a shingle lacks. */
const LACKING = RADIX - 1

function countShingles(wanted: Int32Array): (found: Int32Array) => Counts {
  const pairs = new Map<number, number>()
  const shingles = new Map<number, number>()
  const pairOf = (text: Int32Array, at: number): number =>
    (text[at] ?? LACKING) * RADIX + (text[at + 1] ?? LACKING)
  for (let at = 0; at < wanted.length + SHINGLE_WORDS; at++) {
    const pair = pairOf(wanted, at)
    if (!pairs.has(pair)) pairs.set(pair, pairs.size)
  }
  // A pair that the truth lacks gives no number, and no number is no key of the truth's.
  const shingleOf = (text: Int32Array, at: number): number =>
    (pairs.get(pairOf(text, at)) ?? Number.NaN) * RADIX +
    (pairs.get(pairOf(text, at + 2)) ?? Number.NaN)
  const numbered = Int32Array.from({ length: shingleCount(wanted) }, (_, at) => {
    const shingle = shingleOf(wanted, at)
    const number = shingles.get(shingle) ?? shingles.size
    shingles.set(shingle, number)
    return number
  })
  const count = countWords(numbered, shingles.size)
  return (found) =>
    count(
      Int32Array.from(
        { length: shingleCount(found) },
        (_, at) => shingles.get(shingleOf(found, at)) ?? UNKNOWN,
      ),
    )
}

/** A text shorter than a shingle is one by itself. */
function shingleCount({ length }: Int32Array): number {
  return length === 0 ? 0 : Math.max(1, length - SHINGLE_WORDS + 1)
}
