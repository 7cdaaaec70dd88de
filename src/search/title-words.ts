// Words of titles, by which titles are offered while somebody types. A page stands under each word of its title, in
// the row of its crawl and its prominence, so that the most linked pages with a word are read first, and a read of
// some hundred rows is enough at any size.
import { isStopWord } from '../text/stop-words.ts'

/** The most words of a title that count. */
const MAX_TITLE_WORDS = 16
/** The most prominent pages; the least prominent ones have 0. */
export const MAX_PROMINENCE = 7

/** The different words of a title, without stop words. */
export function titleWords(words: readonly string[]): string[] {
  const telling = new Set(words.filter((word) => !isStopWord(word)))
  return [...telling].slice(0, MAX_TITLE_WORDS)
}

/**
 * Steps of the standing of a page (blend.ts). A page of mean rank, or without a rank, is in the lowest step with all
 * that are below, so that new ranks move few pages.
 */
export function prominenceOf(standing: number): number {
  return Math.min(MAX_PROMINENCE, Math.max(0, Math.floor(2 * standing) - 2))
}

/** Words from `from` up to `to`, in the order of code points. */
export type TitleRange = {
  readonly crawlIds: readonly number[]
  readonly prominence: number
  readonly from: string
  readonly to: string
  /** The most rows per crawl. */
  readonly limit: number
}

export type TitleWord = { readonly word: string; readonly pageId: number }

export type TitledPage = {
  readonly id: number
  readonly crawlId: number
  readonly standing: number
  readonly urlKey: number
  readonly cluster: number | null
  /** As `titleWords` gave them, separated by spaces. */
  readonly titleWords: string
}

/** The words of titles in an index. */
export interface TitleList {
  /** Numbers of crawls that have pages, the newest first. */
  crawls(limit: number): Promise<readonly number[]>
  /** In the order of crawls, words and pages. */
  inRange(range: TitleRange): Promise<readonly TitleWord[]>
  /** In any order; missing pages are left out. */
  pages(ids: readonly number[]): Promise<readonly TitledPage[]>
}

/** From a row of `searched_pages`. */
export function titledPageFrom(row: Readonly<Record<string, unknown>>): TitledPage {
  return {
    id: Number(row.id),
    crawlId: Number(row.crawl_id),
    standing: Number(row.standing),
    urlKey: Number(row.url_key),
    cluster: row.cluster === null ? null : Number(row.cluster),
    titleWords: String(row.title_words),
  }
}

/** The end of the range of all words with a prefix. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`
}
