// Prepares a frontier's file for a recrawl. A large file takes a while, so it is done in chunks; only the
// last chunk records that the recrawl has begun.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { inTransaction, openSqlite } from '../../db/sqlite.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { NewRecrawl, PageToRevisit } from '../recrawls.ts'
import { refuseOthers } from './recovery.ts'
import { SeenUrls } from './seen-urls.ts'
import { DUPLICATE, FAILED, QUEUED, REDIRECTED, STORED } from './states.ts'
import { UrlTable } from './url-table.ts'

/** URLs per transaction. */
const URLS_AT_ONCE = 20_000
/** Below the priority of any page. */
const NO_PAGE_PRIORITY = -1

/** Does nothing if that recrawl has already begun. */
export async function beginSqliteRecrawl(path: string, round: NewRecrawl): Promise<void> {
  const db = openSqlite(path, { schema: 'frontier', durability: 'normal' })
  try {
    refuseOthers(db, round.job)
    if (roundOf(db) >= round.round) return
    inTransaction(db, () => db.exec('DELETE FROM revisit'), path)
    await new Beginning(db, path, round).run()
  } finally {
    db.close()
  }
}

/** The last recrawl that was begun; 0 if there was none. */
export function roundOf(db: DatabaseSync): number {
  return Number(db.prepare('SELECT round FROM crawl').get()?.round ?? 0)
}

/** URLs that led to no page are not counted. */
export function countPagesToRevisit(db: DatabaseSync): number {
  const sql = `SELECT count(*) AS pages FROM revisit WHERE priority > ${NO_PAGE_PRIORITY}`
  return Number(db.prepare(sql).get()?.pages ?? 0)
}

class Beginning {
  readonly #db: DatabaseSync
  readonly #path: string
  readonly #round: NewRecrawl
  readonly #lastId: number
  readonly #add: StatementSync
  #urls = 0

  constructor(db: DatabaseSync, path: string, round: NewRecrawl) {
    this.#db = db
    this.#path = path
    this.#round = round
    this.#lastId = new UrlTable(db).lastId()
    this.#add = db.prepare(`
      INSERT OR REPLACE INTO revisit
        (url_id, origin_id, priority, etag, last_modified, content_hash)
      SELECT id, origin_id, ?, ?, ?, ? FROM url
      WHERE id = ? AND state IN (${STORED}, ${DUPLICATE})`)
  }

  async run(): Promise<void> {
    await this.#addPages()
    if (!this.#round.onlyPages) await this.#addOthers()
    inTransaction(this.#db, () => this.#finish(), this.#path)
  }

  async #addPages(): Promise<void> {
    const seen = new SeenUrls(this.#db, this.#lastId)
    const hash = createUrlHasher(this.#round.job.salt)
    for await (const pages of this.#round.pages) {
      this.#step(() => pages.reduce((sum, page) => sum + this.#addPage(page, seen, hash), 0))
    }
  }

  #addPage(page: PageToRevisit, seen: SeenUrls, hash: ReturnType<typeof createUrlHasher>): number {
    const { url, priority, etag, lastModified, contentHash } = page
    const id = seen.find(hash(url))
    return Number(this.#add.run(priority, etag, lastModified, contentHash, id).changes)
  }

  /** URLs that led to no page may lead to one now. */
  async #addOthers(): Promise<void> {
    const add = this.#db.prepare(`
      INSERT OR IGNORE INTO revisit (url_id, origin_id, priority)
      SELECT id, origin_id, ${NO_PAGE_PRIORITY} FROM url
      WHERE id > ? AND id <= ? AND state IN (${REDIRECTED}, ${FAILED}) AND origin_id > 0`)
    for (let last = 0; last < this.#lastId; last += URLS_AT_ONCE) {
      this.#step(() => Number(add.run(last, last + URLS_AT_ONCE).changes))
      await setImmediate()
    }
  }

  #step(work: () => number): void {
    this.#urls += inTransaction(this.#db, work, this.#path)
    this.#round.onProgress?.(this.#urls)
  }

  #finish(): void {
    this.#db.exec(`
      DELETE FROM robots WHERE status = 'unreachable';
      UPDATE robots SET expires_at = 0;
      UPDATE sitemap SET state = ${QUEUED}, reason = '', tries = 0, next_at = NULL
      WHERE state IN (${STORED}, ${REDIRECTED}, ${FAILED});`)
    this.#db.prepare('UPDATE crawl SET round = ?').run(this.#round.round)
  }
}
