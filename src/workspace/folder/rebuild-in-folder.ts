// Rebuilds the frontier of a crawl in a folder from the pages of the store.
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CrawlerError } from '../../core/errors.ts'
import { refuseDamaged } from '../../db/quick-check.ts'
import { syncFolder } from '../../lib/folder.ts'
import { addSeeds } from '../settle-pages.ts'
import { isAtOdds, type Reconciling, reconcileFolder } from './reconcile-folder.ts'

export type Rebuilding = Reconciling & {
  /** The file or folder of the frontier. */
  readonly path: string
  /** Makes an empty one. Returns the paths of its files. */
  readonly make: () => Promise<readonly string[]>
}

/**
 * Returns the number of its URLs; null if it is sound and agrees with the store. No other process has it
 * open.
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
