// The socket of a feed: at a predictable path, for this user only. A socket path has at most 107 bytes. If it
// would be longer, a link at that path leads to a socket in a private folder below the system's temporary
// folder.
import { chmodSync, lstatSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import type { Server } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { isOwnFolder, makeTemporaryFolder, temporaryFolder } from '../lib/own-files.ts'

/** The limit of Linux; other systems have four bytes less. */
export const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103
const PREFIX = 'jelajah-feed-'
const OWNER_ONLY = 0o600

/**
 * Makes a server listen at the path and replaces what a killed process left there. The caller holds a lock,
 * so no other process listens there. Disposing removes the path, not the server.
 */
export async function listenAt(server: Server, path: string): Promise<AsyncDisposable> {
  removeFeedSocket(path)
  const isLong = Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES
  const socketPath = isLong ? join(makeTemporaryFolder(PREFIX), basename(path)) : path
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(socketPath, () => listening.resolve())
  // Must happen before anybody can connect.
  if (server.listening) chmodSync(socketPath, OWNER_ONLY)
  await listening.promise
  server.off('error', listening.reject)
  if (isLong) symlinkSync(socketPath, path)
  return {
    async [Symbol.asyncDispose]() {
      removeFeedSocket(path)
    },
  }
}

/**
 * The path to connect to. Throws if a link leads to a folder that is not private to its owner: the server is
 * gone, and somebody else may listen there.
 */
export function feedSocketAt(path: string): string {
  const target = linkAt(path)
  if (target === null) return path
  if (isOwnFolder(dirname(target), lstatSync(path).uid)) return target
  throw new Error(`${path} leads to a folder that others can write`)
}

function removeFeedSocket(path: string): void {
  const target = linkAt(path)
  try {
    unlinkSync(path)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOENT') throw error
  }
  // A link to anything else is not ours to remove.
  const folder = target === null ? '' : dirname(target)
  if (basename(folder).startsWith(PREFIX) && dirname(folder) === temporaryFolder()) {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Null if there is no link. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
