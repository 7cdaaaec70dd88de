// Creates folders and always returns: Node's recursive mkdir never does if the file system answers "no such
// file" to every attempt, as /proc does.
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from './present.ts'

/**
 * Creates a folder and its parents; existing ones are accepted. The names are made durable, too, since files
 * survive a power cut only if the name of their folder does. Throws the system's error. `mode`: of the folder
 * itself if it is created; its parents get the default of the umask.
 */
export function createFolder(path: string, mode?: number): void {
  if (tryMake(path, mode)) return
  const above = dirname(path)
  if (above !== path) createFolder(above)
  mkdirSync(path, { mode })
  syncFolder(above)
}

/** False if the parent folder is missing. */
function tryMake(path: string, mode: number | undefined): boolean {
  try {
    mkdirSync(path, { mode })
    syncFolder(dirname(path))
    return true
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST') return true
    if (code === 'ENOENT') return false
    throw error
  }
}

/** Makes the names in a folder survive a power cut; does nothing where folders cannot be synced. */
export function syncFolder(path: string): void {
  let folder: number | null = null
  try {
    folder = openSync(path, 'r')
    fsyncSync(folder)
  } catch {
    // Not every system can open folders, and not every file system can sync them.
  } finally {
    if (folder !== null) closeSync(folder)
  }
}

/** The names in a folder; none if it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
