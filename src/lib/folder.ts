// Makes folders, with an end: Node's own recursive mkdir never returns where the file system
// answers "no such file" to every attempt, as /proc does.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes a folder and those above it; what is there already is fine. Throws the system's error. */
export function createFolder(path: string): void {
  if (tryMake(path)) return
  const above = dirname(path)
  if (above !== path) createFolder(above)
  mkdirSync(path)
}

/** False when the folder above is missing. */
function tryMake(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EEXIST') return true
    if (code === 'ENOENT') return false
    throw error
  }
}
