// The rows of a frontier in SQLite: in a file that is the frontier, or in a working copy of rows that are
// kept elsewhere.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CanonicalUrl } from '../../core/url.ts'
import { inTransaction, openDisposable, openSqlite, TEMPORARY } from '../../db/sqlite.ts'
import { LogSync } from '../../db/sqlite-sync.ts'
import * as port from '../engine/rows.ts'
import type { StateNumber } from '../engine/states.ts'
import type { RobotsRecord } from '../frontier.ts'
import { aligned, unpackNumbers } from '../packing.ts'
import { type Row, type RowsOfTable, type RowValue, TABLES, type TableName } from '../storage.ts'
import { SqliteTable } from './sqlite-table.ts'

/** In pages of 4 KiB. Larger than SQLite's default, since every checkpoint waits for the disk. */
const CHECKPOINT_PAGES = 4000
/** New URLs of one statement, since a call into SQLite costs about as much as the row. */
const URLS_AT_ONCE = 8

/** Opens a frontier's file, and creates it if it does not exist. */
export function openSqliteRows(path: string, durability: 'full' | 'normal' = 'normal'): SqliteRows {
  const checkpointPages = CHECKPOINT_PAGES
  const db = openSqlite(path, { schema: 'frontier', durability, isHot: true, checkpointPages })
  return new SqliteRows(db, { log: new LogSync(path) })
}

/** One program may have a dozen copies open. */
const COPY_CACHE_BYTES = 4 * 1024 * 1024

/**
 * Opens a working copy, in a file that goes with this process. It is fast and survives nothing: its rows are
 * kept elsewhere, and `changes` says which of them are to be written there.
 */
export function openWorkingCopy(
  path = TEMPORARY,
): SqliteRows & { readonly changes: port.ChangedKeys } {
  const changes = new port.ChangedKeys()
  const db = openDisposable(path, { schema: 'frontier', cacheBytes: COPY_CACHE_BYTES })
  return Object.assign(new SqliteRows(db, { changes }), { changes })
}

type SqliteRowsOptions = {
  /** Set for a file that must survive a power cut. */
  readonly log?: LogSync
  /** Set for a working copy. */
  readonly changes?: port.ChangedKeys
}

export class SqliteRows implements port.Rows {
  readonly crawl: SqliteTable<port.CrawlRow>
  readonly judgement: SqliteTable<port.JudgementRow>
  readonly host: SqliteTable<port.HostRow>
  readonly url: SqliteUrls
  readonly edge: SqliteEdges
  readonly ordering: SqliteTable<port.OrderingRow, string>
  readonly template: SqliteTemplates
  readonly robots: SqliteRobots
  readonly sitemap: SqliteSitemaps
  readonly revisit: SqliteRevisits
  readonly taken: SqliteTable<port.TakenRow>
  readonly sent: SqliteTable<port.SentRow>
  readonly parked: SqliteTable<port.ParkedRow, string>
  readonly seen: SqliteSeen | null
  readonly #db: DatabaseSync
  readonly #log: LogSync | null
  readonly #path: string | undefined

  constructor(db: DatabaseSync, { log, changes }: SqliteRowsOptions = {}) {
    this.#db = db
    this.#log = log ?? null
    this.#path = db.location() ?? undefined
    this.crawl = new SqliteTable(db, 'crawl', changes)
    this.judgement = new SqliteTable(db, 'judgement', changes)
    this.host = new SqliteTable(db, 'host', changes)
    this.url = new SqliteUrls(db, 'url', changes)
    this.edge = new SqliteEdges(db, 'edge', changes)
    this.ordering = new SqliteTable(db, 'ordering', changes)
    this.template = new SqliteTemplates(db, 'template', changes)
    this.robots = new SqliteRobots(db, 'robots', changes)
    this.sitemap = new SqliteSitemaps(db, 'sitemap', changes)
    this.revisit = new SqliteRevisits(db, 'revisit', changes)
    this.taken = new SqliteTable(db, 'taken', changes)
    this.sent = new SqliteTable(db, 'sent', changes)
    this.parked = new SqliteTable(db, 'parked')
    this.seen = changes === undefined ? new SqliteSeen(db) : null
  }

  transaction<T>(work: () => T): T {
    if (this.#db.isTransaction) return work()
    return inTransaction(
      this.#db,
      () => {
        const result = work()
        this.url.write()
        return result
      },
      this.#path,
    )
  }

  /** A transaction of a file survives this process, and a working copy need not. */
  commit(): undefined {}

  async flush(): Promise<void> {
    await this.#log?.run()
  }

  close(): void {
    this.#log?.[Symbol.dispose]()
    if (this.#db.isOpen) this.#db.close()
  }

  /** Whole rows, in the order of the table's columns; those that do not exist are left out. */
  readRows(table: TableName, keys: readonly Row[]): readonly Row[] {
    return this[table].read(keys)
  }

  /** Everything, to be kept elsewhere once more. */
  *allRows(): Generator<RowsOfTable> {
    this.url.write()
    for (const table of Object.keys(TABLES) as TableName[]) {
      for (const rows of this[table].portions()) yield { table, rows }
    }
  }

  /** Fills a working copy. */
  loadRows(table: TableName, rows: readonly Row[]): void {
    this.transaction(() => this[table].load(rows))
  }
}

class SqliteUrls extends SqliteTable<port.UrlRow> implements port.UrlRows {
  #unwritten: SQLInputValue[] = []
  #collected = 0
  #firstUnwritten = Number.POSITIVE_INFINITY
  /** By number of rows. */
  readonly #inserts: (StatementSync | undefined)[] = []
  #read: StatementSync | null = null
  #head: StatementSync | null = null
  #worst: StatementSync | null = null

  /** New rows are collected; any read or change of one writes them first. */
  add(row: port.UrlRow): void {
    if (this.#collected === 0) this.#firstUnwritten = row.id
    const from = this.#unwritten.length
    this.encoded(row, this.#unwritten)
    if (this.changes !== null) this.note(row.id, this.#unwritten.slice(from) as RowValue[])
    this.#collected += 1
    if (this.#collected === URLS_AT_ONCE) this.write()
  }

  /** Writes the rows that were collected. */
  write(): void {
    const count = this.#collected
    if (count === 0) return
    const insert = this.#inserts[count] ?? this.db.prepare(`INSERT INTO ${this.inserted(count)}`)
    this.#inserts[count] = insert
    insert.run(...this.#unwritten)
    this.#unwritten = []
    this.#collected = 0
    this.#firstUnwritten = Number.POSITIVE_INFINITY
  }

  override get(id: number): port.UrlRow | undefined {
    if (id >= this.#firstUnwritten) this.write()
    this.#read ??= arrays(this.db, `SELECT ${URL_COLUMNS} FROM url WHERE id = ?`)
    const values = this.#read.get(id) as UrlValues | undefined
    return values && urlOf(values)
  }

  override update(id: number, fields: Partial<port.UrlRow>): void {
    if (id >= this.#firstUnwritten) this.write()
    super.update(id, fields)
  }

  lastId(): number {
    this.write()
    return Number(this.db.prepare('SELECT max(id) AS id FROM url').get()?.id ?? 0)
  }

  *names(): Iterable<Pick<port.UrlRow, 'id' | 'url' | 'depth' | 'reason'>> {
    const all = this.db.prepare('SELECT id, url, depth, reason FROM url ORDER BY id')
    yield* all.iterate() as unknown as Iterable<port.UrlRow>
  }

  head(originId: number, limit: number): readonly port.Ranked[] {
    this.write()
    this.#head ??= arrays(
      this.db,
      `SELECT id, priority FROM url WHERE origin_id = ? AND state = 0
       ORDER BY priority DESC, id LIMIT ?`,
    )
    return this.#head.all(originId, limit) as unknown as port.Ranked[]
  }

  worst(limit: number): readonly Pick<port.UrlRow, 'id' | 'originId'>[] {
    this.write()
    // Only a crawl with a limited buffer looks for these, so only its file has the index.
    if (this.#worst === null) {
      this.db.exec(
        'CREATE INDEX IF NOT EXISTS url_worst ON url (priority, id DESC) WHERE state = 0',
      )
      this.#worst = this.db.prepare(`
        SELECT id, origin_id AS originId FROM url WHERE state = 0
        ORDER BY priority, id DESC LIMIT ?`)
    }
    return this.#worst.all(limit) as unknown as port.UrlRow[]
  }

  pending(state: StateNumber): readonly Pick<port.UrlRow, 'id' | 'originId' | 'nextAt'>[] {
    this.write()
    // The first condition is that of the index.
    const found = this.db.prepare(`
      SELECT id, origin_id AS originId, next_at AS nextAt FROM url
      WHERE state IN (1, 7, 8) AND state = ? ORDER BY id`)
    return found.all(state) as unknown as port.UrlRow[]
  }

  scan({ after, upTo, states, limit }: port.UrlScan): readonly port.UrlRow[] {
    this.write()
    const where = `WHERE id > ? AND id <= ? AND state IN (${states.join(', ')}) ORDER BY id LIMIT ?`
    return [...this.select(where, after, upTo, limit)]
  }

  forgetSignals(after: number, upTo: number): void {
    this.write()
    const sql = 'UPDATE url SET signals = NULL WHERE id > ? AND id <= ? AND signals IS NOT NULL'
    if (this.changes === null) this.db.prepare(sql).run(after, upTo)
    else
      for (const { id } of this.db.prepare(`${sql} RETURNING id`).all(after, upTo)) {
        this.note(Number(id))
      }
  }
}

const URL_COLUMNS = TABLES.url.columns.join(', ')

/** A row by its columns, which takes half the time of a row by names. It is read for every page. */
type UrlValues = readonly [
  ...[id: number, originId: number, url: CanonicalUrl, state: StateNumber, reason: string],
  ...[depth: number, hops: number, foundOn: number | null, via: number, foundAt: number],
  ...[inLinks: number, signals: Uint8Array | null, priority: number, tries: number],
  nextAt: number | null,
]

function urlOf(values: UrlValues): port.UrlRow {
  const [id, originId, url, state, reason, depth, hops, foundOn, via, foundAt] = values
  const [, , , , , , , , , , inLinks, blob, priority, tries, nextAt] = values
  const signals = blob === null ? null : unpackNumbers(blob)
  return {
    id,
    originId,
    url,
    state,
    reason,
    depth,
    hops,
    foundOn,
    via,
    foundAt,
    inLinks,
    signals,
    priority,
    tries,
    nextAt,
  }
}

class SqliteEdges extends SqliteTable<port.EdgeRow> implements port.EdgeRows {
  after(fromId: number, limit: number): readonly port.EdgeRow[] {
    return [...this.select('WHERE from_id > ? ORDER BY from_id LIMIT ?', fromId, limit)]
  }
}

class SqliteTemplates
  extends SqliteTable<port.TemplateRow, readonly [hostId: number, key: string]>
  implements port.TemplateRows
{
  atLeast(debt: number, streak: number): Iterable<port.TemplateRow> {
    return this.select('WHERE debt >= ? OR streak >= ?', debt, streak)
  }
}

class SqliteRobots extends SqliteTable<RobotsRecord, string> implements port.RobotsRows {
  /** A plain object, since it is handed on to callers of the frontier. */
  override get(origin: string): RobotsRecord | undefined {
    const record = super.get(origin)
    return record && { ...record }
  }

  *knownRobots(): Iterable<port.KnownRobots> {
    const all = this.db.prepare(
      'SELECT origin, status, expires_at AS expiresAt, attempts FROM robots',
    )
    yield* all.iterate() as unknown as Iterable<port.KnownRobots>
  }
}

class SqliteSitemaps extends SqliteTable<port.SitemapRow> implements port.SitemapRows {
  #find: StatementSync | null = null

  has(url: CanonicalUrl): boolean {
    this.#find ??= this.db.prepare('SELECT 1 FROM sitemap WHERE url = ?')
    return this.#find.get(url) !== undefined
  }
}

class SqliteRevisits extends SqliteTable<port.RevisitRow> implements port.RevisitRows {
  #head: StatementSync | null = null

  head(originId: number, limit: number): readonly port.Ranked[] {
    this.#head ??= arrays(
      this.db,
      `SELECT url_id, priority FROM revisit WHERE origin_id = ? AND next_at IS NULL
       ORDER BY priority DESC, url_id LIMIT ?`,
    )
    return this.#head.all(originId, limit) as unknown as port.Ranked[]
  }

  of(originId: number): readonly port.RevisitRow[] {
    return [...this.select('WHERE origin_id = ?', originId)]
  }

  sizes(): readonly { readonly originId: number; readonly urls: number }[] {
    const sizes = this.db.prepare(`
      SELECT origin_id AS originId, count(*) AS urls FROM revisit
      WHERE next_at IS NULL GROUP BY origin_id`)
    return sizes.all() as unknown as { originId: number; urls: number }[]
  }

  delayed(): readonly port.RevisitRow[] {
    return [...this.select('WHERE next_at NOT NULL')]
  }
}

class SqliteSeen implements port.SeenRows {
  readonly #db: DatabaseSync
  readonly #insert: StatementSync
  readonly #cut: StatementSync

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#insert = db.prepare('INSERT INTO seen (first_id, hashes, facts) VALUES (?, ?, ?)')
    this.#cut = db.prepare('DELETE FROM seen WHERE first_id >= ?')
  }

  *all(): Iterable<{ readonly hashes: Uint32Array; readonly facts: Uint16Array }> {
    const blobs = this.#db.prepare('SELECT hashes, facts FROM seen ORDER BY first_id')
    for (const { hashes, facts } of blobs.iterate()) {
      if (!(hashes instanceof Uint8Array) || !(facts instanceof Uint8Array)) continue
      yield { hashes: new Uint32Array(aligned(hashes)), facts: new Uint16Array(aligned(facts)) }
    }
  }

  add(firstId: number, hashes: Uint32Array, facts: Uint16Array): void {
    this.#insert.run(firstId, new Uint8Array(hashes.buffer), new Uint8Array(facts.buffer))
  }

  cut(firstId: number): void {
    this.#cut.run(firstId)
  }
}

function arrays(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}
