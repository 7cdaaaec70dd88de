// Paths in a data folder.
import { join } from 'node:path'

export function storePath(dataDir: string): string {
  return join(dataDir, 'jelajah.db')
}

export function frontierPath(dataDir: string, crawlId: number): string {
  return join(dataDir, `frontier-${crawlId}.db`)
}

/** The folder of a frontier that several scouters share; it has a file per partition. */
export function frontierFolder(dataDir: string, crawlId: number): string {
  return join(dataDir, `frontier-${crawlId}`)
}

export function searchPath(dataDir: string): string {
  return join(dataDir, 'search.db')
}

/** Locks, sockets, and state shared by running crawls. */
export function runFolder(dataDir: string): string {
  return join(dataDir, 'run')
}

/** Shared by all crawls of this folder: when each host was last visited, and who waits for it. */
export function hostLimiterPath(dataDir: string): string {
  return join(runFolder(dataDir), 'hosts.db')
}

/** The socket where other programs read what happens to pages. */
export function feedPath(dataDir: string): string {
  return join(runFolder(dataDir), 'feed.sock')
}

/** Held during work that only one process may do; see `LockName`. */
export function lockPath(dataDir: string, name: string): string {
  return join(runFolder(dataDir), `${name}.lock`)
}
