// Where things are in a data folder.
import { join } from 'node:path'

export function storePath(dataDir: string): string {
  return join(dataDir, 'jelajah.db')
}

export function frontierPath(dataDir: string, crawlId: number): string {
  return join(dataDir, `frontier-${crawlId}.db`)
}

export function searchPath(dataDir: string): string {
  return join(dataDir, 'search.db')
}

/** Held by who writes the search index. */
export function searchLockPath(dataDir: string): string {
  return join(dataDir, 'run', 'search.lock')
}

/** Held for a moment by whoever looks for a crawl and makes it if there is none. */
export function folderLockPath(dataDir: string): string {
  return join(dataDir, 'run', 'folder.lock')
}

/** Held by whoever runs that crawl. */
export function crawlLockPath(dataDir: string, crawlId: number): string {
  return join(dataDir, 'run', `crawl-${crawlId}.lock`)
}

/** Shared by all crawls of this folder: when each host was asked last, and who waits for it. */
export function hostTurnsPath(dataDir: string): string {
  return join(dataDir, 'run', 'hosts.db')
}

/** Held by a child process, so that the next one of its kind can wait until it is gone. */
export function childLockPath(dataDir: string, role: string, crawlId: number): string {
  return join(dataDir, 'run', `${role}-${crawlId}.lock`)
}

/** Held by the server of this folder. */
export function serverLockPath(dataDir: string): string {
  return join(dataDir, 'run', 'server.lock')
}

/** Where other programs hear what becomes of pages. */
export function feedPath(dataDir: string): string {
  return join(dataDir, 'run', 'feed.sock')
}

/** Held by who serves that. */
export function feedLockPath(dataDir: string): string {
  return join(dataDir, 'run', 'feed.lock')
}

/** Held while something is done that only one process may do; see `LockName`. */
export function lockPath(dataDir: string, name: string): string {
  return join(dataDir, 'run', `${name}.lock`)
}
