// Reconciles the frontier of a crawl in a folder with the store, if the two disagree by more than the waiting
// receipts explain: a file was restored from an older copy, was lost, or comes from a disk that lied about
// its writes.
//
// The store decides. Pages that the frontier does not know are settled with the links they have in the store,
// so that they are not fetched again; URLs whose page is missing are queued again.
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { openSqliteReader } from '../../db/sqlite.ts'
import { translated } from '../../db/sqlite-errors.ts'
import { requeue } from '../../frontier/engine/recovery.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import { openSqliteFrontier } from '../../frontier/sqlite/sqlite-frontier.ts'
import { openSqliteRows } from '../../frontier/sqlite/sqlite-rows.ts'
import { readPagesWithLinks } from '../../store/sqlite/pages-with-links.ts'
import { settlePages } from '../settle-pages.ts'
import type { FrontierNeeds, Reconciled } from '../workspace.ts'

const PAGES_AT_ONCE = 50

export type Reconciling = {
  /** Paths of the two files. */
  readonly store: string
  readonly frontier: string
  readonly needs: FrontierNeeds
}

/**
 * Whether they disagree; each waiting receipt may be known to the frontier or not. Very cheap. The answer may
 * be wrong while a process writes.
 */
export function isAtOdds({ store, frontier, needs }: Reconciling): boolean {
  const inStore = countsOf(store, 'store', IN_STORE, needs.job.id)
  const inFrontier = countsOf(frontier, 'frontier', IN_FRONTIER, needs.job.id)
  const waiting = inStore?.waiting ?? 0
  return (['stored', 'duplicates'] as const).some(
    (count) => Math.abs((inStore?.[count] ?? 0) - (inFrontier?.[count] ?? 0)) > waiting,
  )
}

/** No other process may have the frontier open. */
export async function reconcileFolder(options: Reconciling): Promise<Reconciled> {
  const { store, frontier, needs } = options
  // An empty file gets its tables.
  const rows = openSqliteRows(frontier, 'full')
  const found = differencesOf(options)
  const requeued = rows.transaction(() => requeue(rows, found.ahead))
  rows.close()
  await using open = await openSqliteFrontier({ ...needs, path: frontier })
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

/** `behind`: ids of pages unknown to the frontier. `ahead`: ids of URLs whose page is missing. */
function differencesOf({ store, frontier, needs }: Reconciling): {
  readonly behind: readonly number[]
  readonly ahead: readonly number[]
} {
  const db = new DatabaseSync(':memory:')
  try {
    return translated(store, () => {
      db.prepare('ATTACH ? AS s').run(store)
      db.prepare('ATTACH ? AS f').run(frontier)
      db.exec(`
        PRAGMA temp_store = FILE;
        CREATE TEMP TABLE known (url TEXT PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;
        INSERT OR IGNORE INTO known SELECT url, id FROM f.url WHERE state IN (2, 3);
        CREATE TEMP TABLE told (url TEXT PRIMARY KEY) WITHOUT ROWID;`)
      const { id } = needs.job
      db.prepare('INSERT OR IGNORE INTO told SELECT url FROM s.undelivered WHERE crawl_id = ?').run(
        id,
      )
      return { behind: idsOf(db, BEHIND, id), ahead: idsOf(db, AHEAD, id) }
    })
  } finally {
    db.close()
  }
}

const BEHIND = `
  SELECT id FROM s.pages p WHERE p.crawl_id = ?
    AND p.url NOT IN (SELECT url FROM known) AND p.url NOT IN (SELECT url FROM told)
  ORDER BY p.id`
const AHEAD = `
  SELECT id FROM known WHERE url NOT IN (SELECT url FROM s.pages WHERE crawl_id = ?)
    AND url NOT IN (SELECT url FROM told)`

function idsOf(db: DatabaseSync, sql: string, crawlId: number): number[] {
  return Array.from(db.prepare(sql).iterate(crawlId), ({ id }) => Number(id))
}

type ToSettle = Pick<Reconciling, 'store'> & {
  readonly pageIds: readonly number[]
  readonly job: FrontierNeeds['job']
}

async function settleAll(frontier: Frontier, { store, pageIds, job }: ToSettle): Promise<number> {
  const db = openSqliteReader(store, 'store')
  if (db === null) return 0
  let settled = 0
  try {
    for (let from = 0; from < pageIds.length; from += PAGES_AT_ONCE) {
      const pages = readPagesWithLinks(db, pageIds.slice(from, from + PAGES_AT_ONCE))
      settled += await settlePages(frontier, job, pages)
      await setImmediate()
    }
  } finally {
    db.close()
  }
  return settled
}
