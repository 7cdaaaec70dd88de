// The words of titles, in a table.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  prominenceOf,
  type TitledPage,
  type TitleList,
  type TitleRange,
  type TitleWord,
  titledPageFrom,
} from '../title-words.ts'

export class SqliteTitleList implements TitleList {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  async crawls(limit: number): Promise<readonly number[]> {
    const newest = this.#db.prepare('SELECT id FROM searched_crawls ORDER BY id DESC LIMIT ?')
    return newest.all(limit).map(({ id }) => Number(id))
  }

  async inRange({ crawlIds, prominence, from, to, limit }: TitleRange): Promise<TitleWord[]> {
    const some = this.#db.prepare(`
      SELECT word, page_id FROM title_words
      WHERE crawl_id = ? AND prominence = ? AND word >= ? AND word < ?
      ORDER BY word, page_id LIMIT ?`)
    return crawlIds.flatMap((crawlId) =>
      some
        .all(crawlId, prominence, from, to, limit)
        .map((row) => ({ word: String(row.word), pageId: Number(row.page_id) })),
    )
  }

  async pages(ids: readonly number[]): Promise<readonly TitledPage[]> {
    const one = this.#db.prepare(`
      SELECT id, crawl_id, standing, url_key, cluster, title_words FROM searched_pages WHERE id = ?`)
    return ids.flatMap((id) => {
      const row = one.get(id)
      return row === undefined ? [] : [titledPageFrom(row)]
    })
  }
}

/** Keeps the words of titles in step with the pages. */
export class SqliteTitleWords {
  readonly #page: StatementSync
  readonly #insert: StatementSync
  readonly #delete: StatementSync
  readonly #keep: StatementSync

  constructor(db: DatabaseSync) {
    this.#page = db.prepare(
      'SELECT crawl_id, standing, title_words FROM searched_pages WHERE id = ?',
    )
    this.#insert = db.prepare('INSERT OR IGNORE INTO title_words VALUES (?, ?, ?, ?)')
    this.#delete = db.prepare(`
      DELETE FROM title_words
      WHERE crawl_id = ? AND prominence = ? AND word = ? AND page_id = ?`)
    this.#keep = db.prepare('UPDATE searched_pages SET title_words = ? WHERE id = ?')
  }

  /** The page is in `searched_pages`, and its former words were dropped. */
  put(id: number, words: readonly string[]): void {
    this.#keep.run(words.join(' '), id)
    this.#each(id, null, this.#insert)
  }

  /** Before the page itself is dropped or changed. */
  drop(id: number): void {
    this.#each(id, null, this.#delete)
  }

  /** Before the standing of a page is changed. */
  move(id: number, standing: number): void {
    const before = this.#page.get(id)
    if (before === undefined) return
    if (prominenceOf(Number(before.standing)) === prominenceOf(standing)) return
    this.#each(id, null, this.#delete)
    this.#each(id, standing, this.#insert)
  }

  #each(id: number, standing: number | null, statement: StatementSync): void {
    const page = this.#page.get(id)
    if (page === undefined || page.title_words === '') return
    const prominence = prominenceOf(standing ?? Number(page.standing))
    for (const word of String(page.title_words).split(' ')) {
      statement.run(Number(page.crawl_id), prominence, word, id)
    }
  }
}
