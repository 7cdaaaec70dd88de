// What stands in which column of `page_words`, and what a word there weighs. A word of the title
// says more than one of the text; a stem a tenth of the word, in whose place it counts.

import type { SearchedPage } from '../../core/page.ts'
import type { Field } from '../../core/search-field.ts'
import { hostOf } from '../../core/url.ts'
import { RANK_WEIGHT } from '../blend.ts'
import type { Scoring } from '../search-index.ts'
import { type StemWords, urlText, wordsOf } from '../words.ts'

/**
 * In the order of the table. BM25 counts a word less the more often it comes, after weighing: so the
 * text weighs little, that a page which says a word forty times is not ahead of one that is about it.
 * A host is part of its URL already.
 */
const WEIGHTS = {
  title: 5,
  title_stems: 0.5,
  keywords: 1,
  keywords_stems: 0.1,
  description: 1,
  description_stems: 0.1,
  text: 0.3,
  stems: 0.03,
  url: 1,
  host: 0,
} as const
export type Column = keyof typeof WEIGHTS

const BM25 = `bm25(page_words, ${Object.values(WEIGHTS).join(', ')})`

/** The score of a match, in SQL; smaller is better, as FTS5 has it. */
export function blended({ rankWeight = RANK_WEIGHT }: Scoring): string {
  return rankWeight === 0 ? BM25 : `${BM25} * (1 + ${rankWeight} * page.standing)`
}

export const INSERT_WORDS = `
  INSERT INTO page_words (rowid, ${Object.keys(WEIGHTS).join(', ')})
  VALUES (?${', ?'.repeat(Object.keys(WEIGHTS).length)})`

export const STEM_COLUMNS: readonly Column[] = [
  'title_stems',
  'keywords_stems',
  'description_stems',
  'stems',
]

/** Where stems of a field are; fields that are not here have none of their own. */
export const STEMS_OF: Readonly<Partial<Record<Field, readonly Column[]>>> = {
  title: ['title_stems'],
  keywords: ['keywords_stems'],
  description: ['description_stems'],
  text: ['stems'],
}

/** What stands in a column of a row. */
export function wordsIn(row: readonly [number, ...string[]], column: Column): string {
  return String(row[1 + Object.keys(WEIGHTS).indexOf(column)] ?? '')
}

/** The row of a page. */
export function wordsRow(page: SearchedPage, stems: StemWords): [number, ...string[]] {
  const title = wordsOf(page.title)
  const keywords = wordsOf(page.keywords)
  const description = wordsOf(page.description)
  const text = wordsOf(page.contentText)
  const stemsOf = (words: readonly string[]) => stems.of(words, page.language).join(' ')
  return [
    page.id,
    title.join(' '),
    stemsOf(title),
    keywords.join(' '),
    stemsOf(keywords),
    description.join(' '),
    stemsOf(description),
    text.join(' '),
    stemsOf(text),
    wordsOf(urlText(page.url)).join(' '),
    wordsOf(hostOf(page.url)).join(' '),
  ]
}
