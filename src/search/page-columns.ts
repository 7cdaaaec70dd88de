// The columns of an index and the weight of a word in each. A word in the title weighs more than one in the
// text. A stem weighs as much as the word it replaces.
import type { SearchedPage } from '../core/page.ts'
import type { Field, OwnField } from '../core/search-field.ts'
import { hostOf } from '../core/url.ts'
import type { StemWords } from './stem-words.ts'
import { hostWords, typeWords } from './url-words.ts'
import { urlText, type Words, wordsIn } from './words.ts'

/**
 * The head of a page says what it is about, and the whole page says how much. Each is scored by itself, so that a
 * page which repeats a word forty times is not ahead of a page about it. High weights in the head mean that one
 * occurrence is nearly as good as ten, whatever the length of the page. A stem has the weight of its word. The
 * host is already part of the URL.
 */
export const HEAD_WEIGHTS = {
  ...{ title: 10, keywords: 6, description: 6, url: 6, host: 0, text: 0 },
} as const satisfies Readonly<Record<OwnField, number>>
export const TEXT_WEIGHTS = {
  ...{ title: 0, keywords: 0, description: 0, url: 0, host: 0, text: 1 },
} as const satisfies Readonly<Record<OwnField, number>>
/** What the weights of the head are multiplied by in the whole page: a word in the title counts like one in the text. */
export const HEAD_IN_PAGE = 0.1
/** The score of the head beside the score of the whole page; docs/SEARCH.md says how it was chosen. */
export const HEAD_SHARE = 0.4
/** The same for a sentence, which tells what a text is about more often than its title. Never above `HEAD_SHARE`. */
export const SENTENCE_HEAD_SHARE = 0.1

/** How much of its weight a word such as "about" has in a sentence; docs/SEARCH.md says how it was chosen. */
export const LIGHT_SHARE = 0.2

const COLUMNS = [
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
  const title = wordsIn(page.title)
  const keywords = wordsIn(page.keywords)
  const description = wordsIn(page.description)
  const text = wordsIn(page.contentText)
  const url = wordsIn(urlText(page.url))
  const stemsOf = ({ written }: Words) => stems.of(written, page.language)
  return {
    title: title.folded,
    title_stems: stemsOf(title),
    keywords: keywords.folded,
    keywords_stems: stemsOf(keywords),
    description: description.folded,
    description_stems: stemsOf(description),
    text: text.folded,
    stems: stemsOf(text),
    url: [...url.folded, ...typeWords(page)],
    url_stems: stemsOf(url),
    host: hostWords(hostOf(page.url)),
  }
}

/** The columns that say what a page is about. */
const HEAD_COLUMNS = ['title', 'keywords', 'description', 'text'] as const

/** Words separated by single spaces. */
export function headsOf(columns: PageColumns): string[] {
  return HEAD_COLUMNS.map((column) => columns[column].join(' '))
}
