// Reconciles the frontier of a crawl in a folder with the store, if the two disagree by more than the waiting
// receipts explain: a file was restored from an older copy, was lost, or comes from a disk that lied about
// its writes.
//
// The store decides. Pages that the frontier does not know are settled with the links they have in the store,
// so that they are not fetched again; URLs whose page is missing are queued again.
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { CrawlerError } from '../../core/errors.ts'
import { refuseDamaged } from '../../db/quick-check.ts'
import { openSqliteReader } from '../../db/sqlite.ts'
import { translated } from '../../db/sqlite-errors.ts'
import { requeue } from '../../frontier/engine/begin-run.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import { openSqliteRows } from '../../frontier/sqlite/sqlite-rows.ts'
import { syncFolder } from '../../lib/folder.ts'
import { pagesWithLinks } from '../../store/sql/sql-pages-with-links.ts'
import { createSqliteSql } from '../../store/sqlite/sqlite-sql.ts'
import { addSeeds, settlePages } from '../settle-unknown-pages.ts'
import type { FrontierNeeds, Reconciled } from '../workspace.ts'

const PAGES_AT_ONCE = 50

type Reconciling = {
  /** Path of the store. */
  readonly store: string
  /** Paths of the frontier's files: one, or one per partition. */
  readonly frontiers: readonly string[]
  readonly needs: FrontierNeeds
  /** Opens the frontier, with all its partitions. */
  readonly open: () => Promise<Frontier>
}

/**
 * Whether they disagree; each waiting receipt may be known to the frontier or not. Very cheap. The answer may
 * be wrong while a process writes.
 */
export function isAtOdds({ store, frontiers, needs }: Reconciling): boolean {
  const inStore = countsOf(store, 'store', IN_STORE, needs.job.id)
  const inFrontier = frontiers.map((path) => countsOf(path, 'frontier', IN_FRONTIER, needs.job.id))
  const waiting = inStore?.waiting ?? 0
  return (['stored', 'duplicates'] as const).some((count) => {
    const known = inFrontier.reduce((sum, counts) => sum + (counts?.[count] ?? 0), 0)
    return Math.abs((inStore?.[count] ?? 0) - known) > waiting
  })
}

/** No other process may have the frontier open. */
export async function reconcileFolder(options: Reconciling): Promise<Reconciled> {
  const { store, needs } = options
  // An empty file gets its tables.
  const files = options.frontiers.map((path) => openSqliteRows(path, 'full'))
  const found = differencesOf(options)
  let requeued = 0
  for (const [nth, rows] of files.entries()) {
    const ids = found.ahead.filter(({ file }) => file === nth).map(({ id }) => id)
    requeued += rows.transaction(() => requeue(rows, ids))
    rows.close()
  }
  await using open = await options.open()
  const settled = await settleAll(open, { store, pageIds: found.behind, job: needs.job })
  await open.flush()
  return { settled, requeued }
}

type Counts = { readonly stored: number; readonly duplicates: number; readonly waiting: number }

const IN_STORE = `
  SELECT coalesce(sum(stored), 0) AS stored, coalesce(sum(duplicates), 0) AS duplicates,
    (SELECT count(*) FROM undelivered WHERE crawl_id = ?1) AS waiting
  FROM host_totals WHERE crawl_id = ?1`
const IN_FRONTIER = `
  SELECT stored, duplicate AS duplicates, 0 AS waiting FROM crawl WHERE crawl_id = ?1`

/** Null if there is nothing to count. */
function countsOf(
  path: string,
  schema: 'store' | 'frontier',
  sql: string,
  crawlId: number,
): Counts | null {
  const db = openSqliteReader(path, schema)
  if (db === null) return null
  try {
    const row = db.prepare(sql).get(crawlId)
    const of = (name: string): number => Number(row?.[name] ?? 0)
    return { stored: of('stored'), duplicates: of('duplicates'), waiting: of('waiting') }
  } finally {
    db.close()
  }
}

type Ahead = { readonly file: number; readonly id: number }

/** `behind`: ids of pages unknown to the frontier. `ahead`: URLs whose page is missing. */
function differencesOf({ store, frontiers, needs }: Reconciling): {
  readonly behind: readonly number[]
  readonly ahead: readonly Ahead[]
} {
  const db = new DatabaseSync(':memory:')
  try {
    return translated(store, () => {
      db.prepare('ATTACH ? AS s').run(store)
      db.exec(`
        PRAGMA temp_store = FILE;
        CREATE TEMP TABLE known (
          url TEXT PRIMARY KEY, file INTEGER NOT NULL, id INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TEMP TABLE told (url TEXT PRIMARY KEY) WITHOUT ROWID;`)
      for (const [file, path] of frontiers.entries()) {
        db.prepare('ATTACH ? AS f').run(path)
        db.prepare(KNOWN).run(file)
        db.exec('DETACH f')
      }
      const { id } = needs.job
      db.prepare('INSERT OR IGNORE INTO told SELECT url FROM s.undelivered WHERE crawl_id = ?').run(
        id,
      )
      const ahead = Array.from(db.prepare(AHEAD).iterate(id), (row) => ({
        file: Number(row.file),
        id: Number(row.id),
      }))
      return { behind: Array.from(db.prepare(BEHIND).iterate(id), (row) => Number(row.id)), ahead }
    })
  } finally {
    db.close()
  }
}

const KNOWN = `
  INSERT OR IGNORE INTO known SELECT url, ?, id FROM f.url WHERE state IN (2, 3)`
const BEHIND = `
  SELECT id FROM s.pages p WHERE p.crawl_id = ?
    AND p.url NOT IN (SELECT url FROM known) AND p.url NOT IN (SELECT url FROM told)
  ORDER BY p.id`
const AHEAD = `
  SELECT file, id FROM known WHERE url NOT IN (SELECT url FROM s.pages WHERE crawl_id = ?)
    AND url NOT IN (SELECT url FROM told)`

type ToSettle = Pick<Reconciling, 'store'> & {
  readonly pageIds: readonly number[]
  readonly job: FrontierNeeds['job']
}

async function settleAll(frontier: Frontier, { store, pageIds, job }: ToSettle): Promise<number> {
  const db = openSqliteReader(store, 'store')
  if (db === null) return 0
  await using sql = createSqliteSql(db)
  let settled = 0
  for (let from = 0; from < pageIds.length; from += PAGES_AT_ONCE) {
    const pages = await pagesWithLinks(sql, pageIds.slice(from, from + PAGES_AT_ONCE))
    settled += await settlePages(frontier, job, pages)
    await setImmediate()
  }
  return settled
}

type Rebuilding = Reconciling & {
  /** The file or folder of the frontier. */
  readonly path: string
  /** Makes an empty one. Returns the paths of its files. */
  readonly make: () => Promise<readonly string[]>
}

/**
 * Rebuilds the frontier of a crawl in a folder from the pages of the store. Returns the number of its URLs;
 * null if it is sound and agrees with the store. No other process has it open.
 */
export async function rebuildInFolder(files: Rebuilding): Promise<number | null> {
  let { frontiers } = files
  if (frontiers.every(isSound)) {
    if (!isAtOdds(files)) return null
  } else {
    putAside(files.path)
    frontiers = await files.make()
    await using fresh = await files.open()
    await addSeeds(fresh, files.needs.job)
  }
  await reconcileFolder({ ...files, frontiers })
  await using frontier = await files.open()
  return Object.values(frontier.counts()).reduce((sum, count) => sum + count, 0)
}

/** A missing file is not sound. */
function isSound(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    refuseDamaged(path, 'frontier', { atMost: null })
    return true
  } catch (error) {
    if (error instanceof CrawlerError && error.code === 'store-damaged') return false
    throw error
  }
}

function putAside(path: string): void {
  const aside = `${path}.damaged`
  if (existsSync(path)) {
    // A folder cannot take the place of another.
    if (statSync(path).isDirectory()) rmSync(aside, { recursive: true, force: true })
    renameSync(path, aside)
  }
  // A log belongs to its file; with another file it would do more damage.
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  syncFolder(dirname(path))
}
