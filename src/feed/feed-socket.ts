// Where the socket of a feed is: at a path that everybody can tell, for this user alone. A path of a
// socket has 107 bytes at most; where it would have more, a link stands in its place, to a socket in a
// private folder of the system's temporary ones.
import { chmodSync, lstatSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import type { Server } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { isOwnFolder, makeTemporaryFolder, temporaryFolder } from '../lib/own-files.ts'

/** Of Linux; others have four less. */
export const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103
const PREFIX = 'jelajah-feed-'
const OWNER_ONLY = 0o600

/**
 * Lets a server listen at the path, in place of what a killed process left there. The caller holds a
 * lock, so nobody else listens there. Disposing of it takes the path away, not the server.
 */
export async function listenAt(server: Server, path: string): Promise<AsyncDisposable> {
  removeFeedSocket(path)
  const isLong = Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES
  const socketPath = isLong ? join(makeTemporaryFolder(PREFIX), basename(path)) : path
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(socketPath, () => listening.resolve())
  // Before anybody can be let in.
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
 * The path to connect to. Throws where a link leads to a folder that is not its owner's alone: the server
 * is gone, and somebody else may listen there.
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
  // Whatever else a link leads to is not ours to remove.
  const folder = target === null ? '' : dirname(target)
  if (basename(folder).startsWith(PREFIX) && dirname(folder) === temporaryFolder()) {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Null when there is no link. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
