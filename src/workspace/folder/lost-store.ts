import { existsSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { CrawlerError } from '../../core/errors.ts'
import { errorCode } from '../../lib/present.ts'
import { storePath } from './paths.ts'

/**
 * Throws `store-damaged` if a frontier exists without its store. The frontier is created after the store is
 * on disk, so the store was removed or emptied.
 */
export function refuseLostStore(folder: string): void {
  const path = storePath(folder)
  const store = seen(path)
  if (store !== undefined && store.size > 0) return
  const frontier = frontierIn(folder)
  if (frontier === undefined) return
  const what = store === undefined ? 'is missing' : 'is empty'
  const cure = 'Put back a copy, move the folder away, or choose another --data folder.'
  const message = `${path} ${what}, though ${frontier} is beside it. ${cure}`
  throw new CrawlerError('store-damaged', message)
}

/** A file of a frontier, or the folder of one that is divided. */
function frontierIn(folder: string): string | undefined {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined
  const names = readdirSync(folder).filter((name) => name.startsWith('frontier-'))
  const isFrontier = (name: string): boolean =>
    name.endsWith('.db') || existsSync(join(folder, name, 'division.json'))
  return names.find(isFrontier)
}

/** Throws `store-unreachable` if this user may not read it. */
function seen(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (cause) {
    const isClosed = errorCode(cause) === 'EACCES'
    if (!isClosed) throw cause
    const cure = 'Run this as the user whose it is, or choose another --data.'
    const message = `${path} is not open to this user (permission denied). ${cure}`
    throw new CrawlerError('store-unreachable', message, { cause })
  }
}
