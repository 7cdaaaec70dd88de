// The columns of an index and the weight of a word in each. A word in the title weighs more than one in the
// text. A stem weighs a tenth of the word it replaces.
import type { SearchedPage } from '../core/page.ts'
import type { Field } from '../core/search-field.ts'
import { hostOf } from '../core/url.ts'
import { type StemWords, urlText, wordsOf } from './words.ts'

/**
 * BM25 damps repeated words after weighting. The text therefore weighs little, so that a page which repeats a
 * word forty times is not ahead of a page about it. The host is already part of the URL.
 */
export const WEIGHTS = {
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
} as const satisfies Readonly<Record<string, number>>
export type Column = keyof typeof WEIGHTS

export type PageColumns = Readonly<Record<Column, readonly string[]>>

/** The stem columns of fields. Fields not listed have none. */
export const STEMS_OF: Readonly<Partial<Record<Field, Column>>> = {
  title: 'title_stems',
  keywords: 'keywords_stems',
  description: 'description_stems',
  text: 'stems',
}

/** The words and stems of a page. */
export function columnsOf(page: SearchedPage, stems: StemWords): PageColumns {
  const title = wordsOf(page.title)
  const keywords = wordsOf(page.keywords)
  const description = wordsOf(page.description)
  const text = wordsOf(page.contentText)
  const stemsOf = (words: readonly string[]) => stems.of(words, page.language)
  return {
    title,
    title_stems: stemsOf(title),
    keywords,
    keywords_stems: stemsOf(keywords),
    description,
    description_stems: stemsOf(description),
    text,
    stems: stemsOf(text),
    url: wordsOf(urlText(page.url)),
    host: wordsOf(hostOf(page.url)),
  }
}

/** The columns that say what a page is about. */
const HEAD_COLUMNS = ['title', 'keywords', 'description', 'text'] as const

/** Words separated by single spaces. */
export function headsOf(columns: PageColumns): string[] {
  return HEAD_COLUMNS.map((column) => columns[column].join(' '))
}
