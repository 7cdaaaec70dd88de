import { globSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CrawlerError } from '../../core/errors.ts'
import { storePath } from '../places.ts'

/**
 * Throws `store-damaged` where a frontier is without its store. It is made after the store is on the disk,
 * so the store was removed or emptied.
 */
export function refuseLostStore(folder: string): void {
  const path = storePath(folder)
  const store = statSync(path, { throwIfNoEntry: false })
  if (store !== undefined && store.size > 0) return
  const [frontier] = globSync(join(folder, 'frontier-*.db'))
  if (frontier === undefined) return
  const what = store === undefined ? 'is missing' : 'is empty'
  const cure = 'Put back a copy, move the folder away, or choose another --data folder.'
  const message = `${path} ${what}, though ${basename(frontier)} is beside it. ${cure}`
  throw new CrawlerError('store-damaged', message)
}
