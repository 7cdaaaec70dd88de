// What one extractor made of one group of pages, in figures.
import type { PageSet, Truth } from './data.ts'
import type { Extracted } from './extract.ts'
import {
  likeness,
  mean,
  type Score,
  shingleCounts,
  snippetCounts,
  totalOfShingles,
  totalOfSnippets,
  totalOfWords,
  wordScore,
} from './metrics.ts'

export type Result = {
  readonly truth: Truth
  readonly extracted: Extracted
  /** Null when it failed. */
  readonly cpuMs: number | null
}

/** On how many pages something is so, of how many where it can be known. */
export type Share = { readonly count: number; readonly of: number }

export type Figures = {
  readonly pages: number
  /** By the set's metric. */
  readonly score: Score
  /** Of the pages whose text is known: more than half of its words are missing. */
  readonly lostHalf: Share
  readonly cpuMs: number
  readonly empty: number
  readonly failed: number
  /** What was told rightly about the pages. */
  readonly about: ReadonlyMap<About, Share>
}

export const ABOUT = [
  'title',
  'author',
  'date',
  'date within a day',
  'description',
  'language',
  'kind of page',
] as const
export type About = (typeof ABOUT)[number]

const DAY_MS = 86_400_000

/** The names that the sets have for what the parser tells apart; others are not judged. */
const KINDS: Readonly<Record<string, string>> = {
  article: 'article',
  news: 'article',
  blog: 'article',
  forum: 'thread',
  listing: 'listing',
  collection: 'listing',
  product: 'product',
  documentation: 'documentation',
}

/** When a fact counts as known, and when as right: titles may differ in a word, names in more. */
const JUDGES: Readonly<Record<About, Judge>> = {
  title: [({ title }) => title, ({ title }, got) => likeness(title, got.title) >= 0.8],
  author: [({ author }) => author, ({ author }, got) => likeness(author, got.author) >= 0.5],
  date: [({ date }) => date, ({ date }, got) => daysBetween(date, got.date) === 0],
  'date within a day': [({ date }) => date, ({ date }, got) => daysBetween(date, got.date) <= 1],
  description: [
    ({ description }) => description,
    ({ description }, got) => likeness(description, got.description) >= 0.8,
  ],
  language: [
    ({ lang }) => (lang === 'und' ? '' : lang),
    ({ lang }, got) => got.lang.slice(0, 2).toLowerCase() === lang,
  ],
  'kind of page': [
    // Not every extractor tells kinds apart.
    ({ kind }, got) => (got.kind === '' ? '' : (KINDS[kind] ?? '')),
    ({ kind }, got) => got.kind === KINDS[kind],
  ],
}
type Judge = readonly [
  known: (truth: Truth, got: Extracted) => string,
  right: (truth: Truth, got: Extracted) => boolean,
]

export function figuresOf(set: PageSet, results: readonly Result[]): Figures {
  const times = results.map(({ cpuMs }) => cpuMs).filter((cpuMs) => cpuMs !== null)
  return {
    pages: results.length,
    score: scoreOf(set, results),
    lostHalf: lostHalfOf(set, results),
    cpuMs: mean(times),
    empty: results.filter(({ extracted }) => extracted.text.trim() === '').length,
    failed: results.length - times.length,
    about: aboutOf(results),
  }
}

function scoreOf({ metric, dense }: PageSet, results: readonly Result[]): Score {
  const texts = results.flatMap(({ truth: { text }, extracted }) =>
    text === null ? [] : [[text, extracted.text] as const],
  )
  if (metric === 'word')
    return totalOfWords(texts.map(([text, got]) => wordScore(text, got, dense)))
  if (metric === 'shingle') {
    return totalOfShingles(texts.map(([text, got]) => shingleCounts(text, got, dense)))
  }
  return totalOfSnippets(
    results.flatMap(({ truth: { snippets }, extracted }) =>
      snippets === null
        ? []
        : [snippetCounts(snippets.required, snippets.forbidden, extracted.text)],
    ),
  )
}

function lostHalfOf({ dense }: PageSet, results: readonly Result[]): Share {
  const known = results.flatMap(({ truth: { text }, extracted }) =>
    text ? [wordScore(text, extracted.text, dense).recall] : [],
  )
  return { count: known.filter((recall) => recall < 0.5).length, of: known.length }
}

function aboutOf(results: readonly Result[]): Map<About, Share> {
  const shareOf = (about: About): Share => {
    const [known, right] = JUDGES[about]
    const judged = results.filter(({ truth, extracted }) => known(truth, extracted) !== '')
    const good = judged.filter(({ truth, extracted }) => right(truth, extracted))
    return { count: good.length, of: judged.length }
  }
  return new Map(ABOUT.map((about) => [about, shareOf(about)]))
}

function daysBetween(truth: string, got: string): number {
  const days = Math.abs(dayOf(truth) - dayOf(got)) / DAY_MS
  return Number.isNaN(days) ? Number.POSITIVE_INFINITY : days
}

function dayOf(date: string): number {
  const [, year, month, day] = /(\d{4})-(\d{1,2})-(\d{1,2})/.exec(date) ?? []
  return Date.UTC(Number(year), Number(month) - 1, Number(day))
}
