// Opens the file of turns. Losing it is harmless, so one that is of no use is made anew; whoever
// opens it waits for the others that do, or two of them would each make their own.
import { rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { CrawlerError, type CrawlerErrorCode } from '../../core/errors.ts'
import { waitForLock } from '../../db/lock.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { asCrawlerError } from '../../db/sqlite-errors.ts'

const OPENING_MS = 10_000
const CACHE_BYTES = 2 * 1024 * 1024
/** Others write for some microseconds; longer than this is not waited in one piece. */
const BUSY_MS = 5
const USELESS: readonly CrawlerErrorCode[] = ['store-damaged', 'store-older']

export async function openTurnsFile(path: string): Promise<DatabaseSync> {
  await using _lock = await waitForLock(`${path}-lock`, OPENING_MS)
  try {
    return openChecked(path)
  } catch (error) {
    if (!(error instanceof CrawlerError && USELESS.includes(error.code))) throw error
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
    return openChecked(path)
  }
}

function openChecked(path: string): DatabaseSync {
  const db = openSqlite(path, {
    schema: 'scouter',
    durability: 'normal',
    cacheBytes: CACHE_BYTES,
    isHot: true,
  })
  try {
    const [verdict] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})
    if (verdict !== 'ok') throw new CrawlerError('store-damaged', `${path} is damaged`)
    db.exec('PRAGMA synchronous = OFF')
    return db
  } catch (error) {
    db.close()
    throw asCrawlerError(error, path)
  }
}

/** From now on a file in use is tried again later. */
export function waitBriefly(db: DatabaseSync): void {
  db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
}
