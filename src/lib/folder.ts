// Makes folders, with an end: Node's own recursive mkdir never returns where the file system
// answers "no such file" to every attempt, as /proc does.
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it; what is there already is fine. What is in it survives a power cut
 * only if its name does. Throws the system's error.
 * `mode`: of the folder itself, where it is made; those above have what the user's umask leaves.
 */
export function createFolder(path: string, mode?: number): void {
  if (tryMake(path, mode)) return
  const above = dirname(path)
  if (above !== path) createFolder(above)
  mkdirSync(path, { mode })
  syncFolder(above)
}

/** False when the folder above is missing. */
function tryMake(path: string, mode: number | undefined): boolean {
  try {
    mkdirSync(path, { mode })
    syncFolder(dirname(path))
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EEXIST') return true
    if (code === 'ENOENT') return false
    throw error
  }
}

/** Makes the names in a folder survive a power cut; where folders cannot be synced, nothing happens. */
export function syncFolder(path: string): void {
  let folder: number | null = null
  try {
    folder = openSync(path, 'r')
    fsyncSync(folder)
  } catch {
    // Not every system opens folders, nor every file system syncs them.
  } finally {
    if (folder !== null) closeSync(folder)
  }
}
