// The words of titles, in a table.
import type { Row, Transaction } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import {
  MAX_PROMINENCE,
  type TitledPage,
  type TitleList,
  type TitleRange,
  type TitleWord,
  titledPageFrom,
} from '../title-words.ts'

export class PostgresTitleList implements TitleList {
  readonly #sql: Transaction

  constructor(sql: Transaction) {
    this.#sql = sql
  }

  async crawls(limit: number): Promise<readonly number[]> {
    const rows = await this.#sql`
      SELECT id FROM search.searched_crawls ORDER BY id DESC LIMIT ${limit}`
    return rows.map(({ id }) => Number(id))
  }

  async inRange({ crawlIds, prominence, from, to, limit }: TitleRange): Promise<TitleWord[]> {
    const rows = await this.#sql.unsafe<Row[]>(IN_RANGE, [
      numberArray(crawlIds),
      String(prominence),
      from,
      to,
      String(limit),
    ])
    return rows.map((row) => ({ word: String(row.word), pageId: Number(row.page_id) }))
  }

  async pages(ids: readonly number[]): Promise<readonly TitledPage[]> {
    const rows = await this.#sql.unsafe<Row[]>(PAGES, [numberArray(ids)])
    return rows.map(titledPageFrom)
  }
}

const IN_RANGE = `
  SELECT held.word, held.page_id
  FROM unnest($1::bigint[]) WITH ORDINALITY AS crawl (id, nth), LATERAL (
    SELECT word, page_id FROM search.title_words
    WHERE crawl_id = crawl.id AND prominence = $2::integer
      AND word >= $3::text COLLATE "C" AND word < $4::text COLLATE "C"
    ORDER BY word, page_id LIMIT $5::integer) AS held
  ORDER BY crawl.nth, held.word, held.page_id`

const PAGES = `
  SELECT id, crawl_id, standing, url_key, cluster, title_words
  FROM search.searched_pages WHERE id = ANY ($1::bigint[])`

/** The same steps as `prominenceOf`. */
const PROMINENCE = `least(${MAX_PROMINENCE}, greatest(0, floor(2 * standing) - 2))::integer`

/** Writes the words of pages that are in `searched_pages`; their former words were dropped. */
export async function insertTitleWords(sql: Transaction, ids: readonly number[]): Promise<void> {
  await sql.unsafe(INSERT, [numberArray(ids)])
}

export async function dropTitleWords(sql: Transaction, ids: readonly number[]): Promise<void> {
  await sql.unsafe('DELETE FROM search.title_words WHERE page_id = ANY ($1::bigint[])', [
    numberArray(ids),
  ])
}

/** After the standings of a crawl's pages have changed. */
export async function moveTitleWords(sql: Transaction, crawlId: number): Promise<void> {
  await sql.unsafe(MOVE, [String(crawlId)])
}

export function titleColumn(words: readonly (readonly string[])[]): string {
  return textArray(words.map((each) => each.join(' ')))
}

const INSERT = `
  INSERT INTO search.title_words (crawl_id, prominence, word, page_id)
  SELECT crawl_id, ${PROMINENCE}, word, id
  FROM search.searched_pages, unnest(string_to_array(title_words, ' ')) AS word
  WHERE id = ANY ($1::bigint[]) AND title_words <> ''`

const MOVE = `
  UPDATE search.title_words AS held SET prominence = page.prominence
  FROM (
    SELECT id, ${PROMINENCE} AS prominence FROM search.searched_pages WHERE crawl_id = $1::bigint
  ) AS page
  WHERE held.page_id = page.id AND held.prominence <> page.prominence`
