// Files of a workspace on servers on this machine: a socket for other programs, and the lock of the process
// that serves it. They are in a folder that only this user can enter, the same for every process that uses
// the same workspace.
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CrawlerError } from '../../core/errors.ts'
import { createFolder } from '../../lib/folder.ts'
import { isOwnFolder, OWN_FOLDER, userCacheFolder, userId } from '../../lib/own-files.ts'

/** The path of a socket may be some hundred bytes long, no more. */
const NAME_LENGTH = 12

/** Its path; nothing is created yet. `name`: of the workspace. */
export function machineFolder(name: string, env: NodeJS.ProcessEnv = process.env): string {
  const above = env.XDG_RUNTIME_DIR ?? ''
  const hash = createHash('sha256').update(name).digest('hex').slice(0, NAME_LENGTH)
  if (above !== '') return join(above, `jelajah-${hash}`)
  const cache = userCacheFolder(env)
  // In a folder that others can write, another user could create it first and keep us out: only a last
  // resort.
  return cache === null ? join(tmpdir(), `jelajah-${userId()}-${hash}`) : join(cache, `run-${hash}`)
}

/**
 * Creates it. A folder that belongs to another user, or is open to others, is refused: its owner could
 * listen.
 */
export function makeMachineFolder(path: string): void {
  try {
    createFolder(path, OWN_FOLDER)
  } catch (cause) {
    const hint = 'set XDG_RUNTIME_DIR to a folder that this user can write'
    throw new CrawlerError('store-unreachable', `cannot create ${path}: ${hint}`, { cause })
  }
  if (isOwnFolder(path)) return
  const message = `${path} is not a folder of this user alone: remove it, or set XDG_RUNTIME_DIR`
  throw new CrawlerError('store-unreachable', message)
}
