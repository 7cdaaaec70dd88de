// A lock between processes that goes when its holder goes, however it dies: the operating system
// holds it on an otherwise empty SQLite file, so no stale pid can ever lie about it.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { CrawlerError } from '../core/errors.ts'
import { systemClock } from '../lib/clock.ts'
import { makeOwnFile, makeOwnFolder } from '../lib/own-files.ts'
import { asCrawlerError } from './sqlite-errors.ts'

const POLL_MS = 50

/** Takes the lock; null when somebody else has it. */
export async function openLock(path: string): Promise<AsyncDisposable | null> {
  try {
    makeOwnFolder(dirname(path))
  } catch (cause) {
    throw new CrawlerError('store-unreachable', `cannot create ${dirname(path)}`, { cause })
  }
  // Another user who can read the file could hold a shared lock on it and keep this one from us.
  makeOwnFile(path)
  return take(path, 'BEGIN EXCLUSIVE')
}

/** Waits until the lock is free; after `forMs` it throws `store-busy`. */
export async function waitForLock(path: string, forMs: number): Promise<AsyncDisposable> {
  const until = systemClock.now() + forMs
  for (;;) {
    const lock = await openLock(path)
    if (lock !== null) return lock
    if (systemClock.now() >= until) {
      throw new CrawlerError('store-busy', `${path} is held by another process`)
    }
    await pause(Math.min(POLL_MS, until - systemClock.now()))
  }
}

/** True while somebody has the lock. Leaves no file behind where there was none. */
export async function lockIsHeld(path: string): Promise<boolean> {
  if (!existsSync(path)) return false
  // A shared look: it gives way to nobody but the holder, and is over at once.
  const look = take(path, 'BEGIN; SELECT * FROM sqlite_schema')
  await look?.[Symbol.asyncDispose]()
  return look === null
}

function take(path: string, sql: string): AsyncDisposable | null {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path)
    db.exec('PRAGMA busy_timeout = 0')
    db.exec(sql)
  } catch (error) {
    db?.close()
    const known = asCrawlerError(error, path)
    if (known instanceof CrawlerError && known.code === 'store-busy') return null
    throw known
  }
  return {
    async [Symbol.asyncDispose]() {
      if (db.isOpen) db.close()
    },
  }
}
