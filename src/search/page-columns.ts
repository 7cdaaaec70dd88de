// The columns of an index and the weight of a word in each. A word in the title weighs more than one in the
// text. A stem weighs as much as the word it replaces.
import type { SearchedPage } from '../core/page.ts'
import type { Field } from '../core/search-field.ts'
import { hostOf } from '../core/url.ts'
import { type StemWords, urlText, wordsOf } from './words.ts'

/**
 * The head of a page says what it is about, and the text says how much. Each is scored by itself, so that a page
 * which repeats a word forty times is not ahead of a page about it. High weights in the head mean that one
 * occurrence is nearly as good as ten, whatever the length of the page. A stem has the weight of its word. The
 * host is already part of the URL.
 */
export const HEAD_WEIGHTS = {
  ...{ title: 10, keywords: 6, description: 6, url: 6, host: 0, text: 0 },
} as const satisfies Readonly<Record<Field, number>>
export const TEXT_WEIGHTS = {
  ...{ title: 0, keywords: 0, description: 0, url: 0, host: 0, text: 1 },
} as const satisfies Readonly<Record<Field, number>>
/** The score of the head beside the score of the text; docs/SEARCH.md says how it was chosen. */
export const HEAD_SHARE = 0.6

export const COLUMNS = [
  'title',
  'title_stems',
  'keywords',
  'keywords_stems',
  'description',
  'description_stems',
  'text',
  'stems',
  'url',
  'url_stems',
  'host',
] as const
export type Column = (typeof COLUMNS)[number]

export type PageColumns = Readonly<Record<Column, readonly string[]>>

/** The stem columns of fields. Fields not listed have none. */
export const STEMS_OF: Readonly<Partial<Record<Field, Column>>> = {
  title: 'title_stems',
  keywords: 'keywords_stems',
  description: 'description_stems',
  text: 'stems',
  url: 'url_stems',
}

/** The words and stems of a page. */
export function columnsOf(page: SearchedPage, stems: StemWords): PageColumns {
  const title = wordsOf(page.title)
  const keywords = wordsOf(page.keywords)
  const description = wordsOf(page.description)
  const text = wordsOf(page.contentText)
  const url = wordsOf(urlText(page.url))
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
    url,
    url_stems: stemsOf(url),
    host: wordsOf(hostOf(page.url)),
  }
}

/** The columns that say what a page is about. */
const HEAD_COLUMNS = ['title', 'keywords', 'description', 'text'] as const

/** Words separated by single spaces. */
export function headsOf(columns: PageColumns): string[] {
  return HEAD_COLUMNS.map((column) => columns[column].join(' '))
}
