// What `jelajah doctor` looks at where crawls live in a folder.
import { existsSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CrawlerError } from '../../core/errors.ts'
import { refuseDamaged } from '../../db/quick-check.ts'
import { asCrawlerError, damaged } from '../../db/sqlite-errors.ts'
import { showBytes } from '../../lib/format.ts'
import { refuseLostStore } from '../../workspace/folder/lost-store.ts'
import { storePath } from '../../workspace/folder/paths.ts'
import { type Check, fail, ok, type Verdict } from './verdict.ts'

const MIN_FREE_BYTES = 256 * 1024 * 1024

export function folderChecks(folder: string): readonly Check[] {
  return [
    { name: 'sqlite', run: checkSqlite },
    { name: 'data folder', run: () => checkFolder(folder) },
    { name: 'free space', run: () => checkSpace(folder) },
    { name: 'stores', run: () => checkStores(folder) },
  ]
}

function checkSqlite(): Verdict {
  const db = new DatabaseSync(':memory:')
  try {
    const version = String(db.prepare('SELECT sqlite_version() AS v').get()?.v)
    db.exec('CREATE VIRTUAL TABLE t USING fts5 (x)')
    return ok(`${version} with FTS5`)
  } catch {
    return fail('FTS5 is missing', 'Use the Node that npm install brings: bin/jelajah does.')
  } finally {
    db.close()
  }
}

function checkFolder(dataDir: string): Verdict {
  const there = nearestThere(dataDir)
  try {
    // Permissions do not tell all (read-only mounts, root): only trying does.
    rmSync(mkdtempSync(join(there, '.jelajah-doctor-')), { recursive: true })
    return ok(there === dataDir ? dataDir : `${dataDir} (will be made)`)
  } catch {
    return fail(
      `${there} cannot be written`,
      'Give it to this user, or choose another with --data.',
    )
  }
}

function checkSpace(dataDir: string): Verdict {
  const { bavail, bsize } = statfsSync(nearestThere(dataDir))
  const free = bavail * bsize
  const detail = `${showBytes(free)} free`
  if (free >= MIN_FREE_BYTES) return ok(detail)
  return fail(detail, 'Make room, or choose a folder on another disk with --data.')
}

function checkStores(dataDir: string): Verdict {
  refuseLostStore(dataDir)
  const files = [storePath(dataDir), ...globSync(join(dataDir, 'frontier-*.db'))].filter(existsSync)
  for (const path of files) {
    const verdict = quickCheck(path)
    if (verdict !== null) return verdict
  }
  return ok(files.length === 0 ? 'none yet' : `${files.length} sound and of this version`)
}

/** What is wrong with one file; null when nothing is. */
function quickCheck(path: string): Verdict | null {
  try {
    refuseDamaged(path, path === storePath(dirname(path)) ? 'store' : 'frontier', { atMost: null })
    return null
  } catch (thrown) {
    const error = asCrawlerError(thrown, path)
    // Such a message says what to do itself.
    if (error instanceof CrawlerError) return fail(error.message, '')
    const why = error instanceof Error ? error.message : String(error)
    return fail(damaged(path, why).message, '')
  }
}

function nearestThere(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path))
}
