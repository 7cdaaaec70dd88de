// Files that hold a secret are for their owner alone.
import { chmodSync, statSync } from 'node:fs'

const OTHERS = 0o077
const OWNER_ONLY = 0o600

/** Closes a database, with what SQLite keeps beside it, to everybody else; as far as this user may. */
export function closeToOthers(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      if ((statSync(file).mode & OTHERS) !== 0) chmodSync(file, OWNER_ONLY)
    } catch {
      // Not there, or somebody else's: who owns it decides.
    }
  }
}
