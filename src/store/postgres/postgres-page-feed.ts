// The pages of all crawls, by id.

import { topicText } from '../../core/topic-text.ts'
import type { Postgres } from '../../db/postgres.ts'
import { numberArray } from '../../db/postgres-array.ts'
import { decodeSettings } from '../../options/settings.ts'
import type { FeedCrawl, FeedPage, PageFeed, SomePages } from '../page-feed.ts'
import { pageFromRow } from '../page-rows.ts'
import { feedCrawlFromRow } from '../reader-rows.ts'
import { jsonOf, numberOf } from '../row-values.ts'
import { ask, crawlsOf } from './ask.ts'
import { sizeOf, upToSize } from './up-to-size.ts'

const IDS_AT_ONCE = 500
/** Of texts that one read gives. */
const BYTES_AT_ONCE = 8_000_000
const RANKS_AT_ONCE = 50_000

/** The store stays its opener's. */
export function createPostgresPageFeed(db: Postgres): PageFeed {
  return new PostgresPageFeed(db)
}

class PostgresPageFeed implements PageFeed {
  readonly #db: Postgres

  constructor(db: Postgres) {
    this.#db = db
  }

  async pages(ids: readonly number[]): Promise<readonly FeedPage[]> {
    return (await this.somePages(ids, Number.POSITIVE_INFINITY)).pages
  }

  async somePages(ids: readonly number[], maxChars: number): Promise<SomePages> {
    const pages: FeedPage[] = []
    let read = 0
    let chars = 0
    while (read < ids.length && chars < maxChars) {
      const some = await this.#read(ids.slice(read, read + IDS_AT_ONCE), maxChars - chars)
      read += some.read
      pages.push(...some.pages)
      for (const page of some.pages) chars += page.contentText.length
    }
    return { pages, read }
  }

  async crawls(): Promise<readonly FeedCrawl[]> {
    return (await ask(this.#db, CRAWLS)).map(feedCrawlFromRow)
  }

  async hotPages(crawlId: number): Promise<readonly number[]> {
    const query = `
      SELECT id FROM pages WHERE crawl_id = $1 AND hot = 1 AND duplicate_of IS NULL ORDER BY id`
    return (await ask(this.#db, query, [crawlId])).map((row) => numberOf(row, 'id'))
  }

  /** Sixteen bytes for each page are in memory. */
  async ranks(crawlId: number): Promise<Iterable<readonly [pageId: number, rank: number]>> {
    const parts: Float64Array[] = []
    for (let after = 0; ; ) {
      const rows = await ask(this.#db, RANKS, [crawlId, after, RANKS_AT_ONCE])
      const last = rows.at(-1)
      if (last === undefined) return pairsIn(parts)
      const pairs = rows.flatMap((row) => [numberOf(row, 'page_id'), numberOf(row, 'pagerank')])
      parts.push(Float64Array.from(pairs))
      after = numberOf(last, 'page_id')
    }
  }

  async topics(): Promise<ReadonlyMap<number, string>> {
    const topics = (await ask(this.#db, SETTINGS)).map((row): [number, string] => {
      const settings = decodeSettings(jsonOf(row, 'settings'))
      return [numberOf(row, 'id'), topicText(settings)]
    })
    return new Map(topics.filter(([, topic]) => topic !== ''))
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** Until their texts have so many bytes, which are at least as many as their characters. */
  async #read(ids: readonly number[], maxChars: number): Promise<SomePages> {
    const bound = Math.min(maxChars, BYTES_AT_ONCE)
    const crawls = await crawlsOf(this.#db, ids)
    const rows = await ask(this.#db, PAGES, [numberArray(crawls), numberArray(ids), bound])
    const last = rows.at(-1) ?? {}
    const isFull = numberOf(last, 'sum') >= bound
    return { pages: rows.map(pageFromRow), read: isFull ? numberOf(last, 'nth') : ids.length }
  }
}

const PAGES = upToSize(
  `SELECT p.id, crawl_id, url, title, description, keywords, language, kind, hot, fetched_at, noindex,
     duplicate_of, content_text, asked.nth, ${sizeOf(['content_text'])}
   FROM pages p JOIN unnest($2::bigint[]) WITH ORDINALITY asked (id, nth) ON asked.id = p.id
   WHERE crawl_id = ANY($1::bigint[]) AND p.id = ANY($2::bigint[])`,
  'nth',
  '$3',
)

// Most crawls have a topic in none of these, and need not be read.
const SETTINGS = `
  SELECT id, settings FROM crawls, LATERAL (SELECT settings::json AS said) AS settings_said
  WHERE said ->> 'topic' <> '' OR said ->> 'keywords' <> '[]'
    OR said ->> 'examples' IS NOT NULL OR said ->> 'classifier' IS NOT NULL
  ORDER BY id`
const CRAWLS = `
  SELECT id, ended_at, hot FROM crawls LEFT JOIN crawl_counts ON crawl_id = id ORDER BY id`
const RANKS = `
  SELECT page_id, pagerank FROM page_importance
  WHERE crawl_id = $1 AND page_id > $2 ORDER BY page_id LIMIT $3`

function* pairsIn(
  parts: readonly Float64Array[],
): Generator<readonly [pageId: number, rank: number]> {
  for (const pairs of parts) {
    for (let at = 0; at < pairs.length; at += 2) yield [pairs[at] ?? 0, pairs[at + 1] ?? 0]
  }
}
