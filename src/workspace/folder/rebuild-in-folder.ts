// Rebuilds the frontier of a crawl in a folder from the pages of the store.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { CrawlerError } from '../../core/errors.ts'
import { refuseDamaged } from '../../db/quick-check.ts'
import { openSqliteFrontier } from '../../frontier/sqlite/sqlite-frontier.ts'
import { syncFolder } from '../../lib/folder.ts'
import { addSeeds } from '../settle-pages.ts'
import { isAtOdds, type Reconciling, reconcileFolder } from './reconcile-folder.ts'

/**
 * Returns the number of its URLs; null if it is sound and agrees with the store. No other process has it
 * open.
 */
export async function rebuildInFolder(files: Reconciling): Promise<number | null> {
  const { frontier } = files
  if (isSound(frontier)) {
    if (!isAtOdds(files)) return null
  } else {
    putAside(frontier)
    await using fresh = await openSqliteFrontier({ ...files.needs, path: frontier })
    await addSeeds(fresh, files.needs.job)
  }
  await reconcileFolder(files)
  return countUrls(files)
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
  if (existsSync(path)) renameSync(path, `${path}.damaged`)
  // A log belongs to its file; with another file it would do more damage.
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  syncFolder(dirname(path))
}

async function countUrls({ frontier: path, needs }: Reconciling): Promise<number> {
  await using frontier = await openSqliteFrontier({ ...needs, path })
  return Object.values(frontier.counts()).reduce((sum, count) => sum + count, 0)
}
