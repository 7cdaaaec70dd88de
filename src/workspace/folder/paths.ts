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

/** Locks, sockets, and what running crawls share. */
export function runFolder(dataDir: string): string {
  return join(dataDir, 'run')
}

/** Shared by all crawls of this folder: when each host was asked last, and who waits for it. */
export function hostLimiterPath(dataDir: string): string {
  return join(runFolder(dataDir), 'hosts.db')
}

/** Where other programs hear what becomes of pages. */
export function feedPath(dataDir: string): string {
  return join(runFolder(dataDir), 'feed.sock')
}

/** Held while something is done that only one process may do; see `LockName`. */
export function lockPath(dataDir: string, name: string): string {
  return join(runFolder(dataDir), `${name}.lock`)
}
