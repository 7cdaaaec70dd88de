// How near an extracted text is to the true one. Each public set of pages has its own measure, and
// figures compare only with figures by the same:
//
//   word     bags of lower-case words, page by page; the score of a set is the mean over its pages
//   shingle  bags of four words in a row, case kept; the mean precision of the pages that gave a
//            text and the mean recall of the pages that have one, joined at the end
//   snippet  pieces of text that must or must not be there, counted over all pages together
import { wordsOf } from './words.ts'

export const METRICS = ['word', 'shingle', 'snippet'] as const
export type Metric = (typeof METRICS)[number]

export type Score = { readonly precision: number; readonly recall: number; readonly f1: number }

/** What was found rightly, found wrongly, and missed. */
export type Counts = { readonly hits: number; readonly noise: number; readonly missed: number }

const SHINGLE_WORDS = 4
const NONE: Score = { precision: 0, recall: 0, f1: 0 }
const ALL: Score = { precision: 1, recall: 1, f1: 1 }

/** Of one page. With nothing to find, only nothing is right. */
export function wordScore(truth: string, got: string, dense: boolean): Score {
  const wanted = wordsOf(truth.toLowerCase(), dense)
  const found = wordsOf(got.toLowerCase(), dense)
  if (wanted.length === 0) return found.length === 0 ? ALL : NONE
  if (found.length === 0) return NONE
  const shared = overlap(wanted, found)
  return scoreOf(shared / found.length, shared / wanted.length)
}

export function totalOfWords(pages: readonly Score[]): Score {
  return {
    precision: mean(pages.map(({ precision }) => precision)),
    recall: mean(pages.map(({ recall }) => recall)),
    f1: mean(pages.map(({ f1 }) => f1)),
  }
}

/** Of one page, scaled so that long pages weigh no more than short ones. */
export function shingleCounts(truth: string, got: string, dense: boolean): Counts {
  const wanted = shinglesOf(wordsOf(truth, dense))
  const found = shinglesOf(wordsOf(got, dense))
  const hits = overlap(wanted, found)
  const all = wanted.length + found.length - hits || 1
  return {
    hits: hits / all,
    noise: (found.length - hits) / all,
    missed: (wanted.length - hits) / all,
  }
}

export function totalOfShingles(pages: readonly Counts[]): Score {
  const given = pages.filter(({ hits, noise }) => hits + noise > 0)
  const wanted = pages.filter(({ hits, missed }) => hits + missed > 0)
  return scoreOf(
    mean(given.map(({ hits, noise }) => hits / (hits + noise))),
    mean(wanted.map(({ hits, missed }) => hits / (hits + missed))),
  )
}

export function snippetCounts(
  required: readonly string[],
  forbidden: readonly string[],
  got: string,
): Counts {
  const text = plain(got)
  const found = (snippet: string) => text !== '' && text.includes(plain(snippet))
  const hits = required.filter(found).length
  return { hits, noise: forbidden.filter(found).length, missed: required.length - hits }
}

export function totalOfSnippets(pages: readonly Counts[]): Score {
  const sum = (of: (counts: Counts) => number) => pages.reduce((total, page) => total + of(page), 0)
  const hits = sum((page) => page.hits)
  return scoreOf(
    ratio(hits, hits + sum((page) => page.noise)),
    ratio(hits, hits + sum((page) => page.missed)),
  )
}

/** Of two short texts, as titles and names are: 1 is the same words. */
export function likeness(truth: string, got: string): number {
  return wordScore(truth, got, true).f1
}

export function mean(values: readonly number[]): number {
  return ratio(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  )
}

function scoreOf(precision: number, recall: number): Score {
  return { precision, recall, f1: ratio(2 * precision * recall, precision + recall) }
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

function plain(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

/** A text shorter than a shingle is one by itself. */
function shinglesOf(words: readonly string[]): string[] {
  if (words.length === 0) return []
  const count = Math.max(1, words.length - SHINGLE_WORDS + 1)
  return Array.from({ length: count }, (_, at) =>
    words.slice(at, at + SHINGLE_WORDS).join('\u0001'),
  )
}

/** How many the two bags share, each as often as both have it. */
function overlap(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>()
  for (const token of one) left.set(token, (left.get(token) ?? 0) + 1)
  let shared = 0
  for (const token of other) {
    const count = left.get(token) ?? 0
    if (count === 0) continue
    left.set(token, count - 1)
    shared += 1
  }
  return shared
}
