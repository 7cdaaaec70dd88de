// Where things are in a data folder.
import { join } from 'node:path'

export function storePath(dataDir: string): string {
  return join(dataDir, 'jelajah.db')
}

export function frontierPath(dataDir: string, crawlId: number): string {
  return join(dataDir, `frontier-${crawlId}.db`)
}

/** Held by whoever crawls in this folder. */
export function crawlLockPath(dataDir: string): string {
  return join(dataDir, 'run', 'supervisor.lock')
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
