// What stands in which column of an index, and what a word there weighs. A word of the title says more
// than one of the text; a stem a tenth of the word, in whose place it counts.
import type { SearchedPage } from '../core/page.ts'
import type { Field } from '../core/search-field.ts'
import { hostOf } from '../core/url.ts'
import { type StemWords, urlText, wordsOf } from './words.ts'

/**
 * BM25 counts a word less the more often it comes, after weighing: so the text weighs little, that a
 * page which says a word forty times is not ahead of one that is about it. A host is part of its URL
 * already.
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

/** Where stems of a field are; fields that are not here have none of their own. */
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

/** What says what a page is about. */
const HEAD_COLUMNS = ['title', 'keywords', 'description', 'text'] as const

/** With one space between words. */
export function headsOf(columns: PageColumns): string[] {
  return HEAD_COLUMNS.map((column) => columns[column].join(' '))
}
