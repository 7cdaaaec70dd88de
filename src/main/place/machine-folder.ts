// What a place on servers has on this machine: a socket for other programs, and the lock of who serves
// it. In a folder that only this user can enter, the same for every process that names the same place.
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { CrawlerError } from '../../core/errors.ts'

const OWNER_ONLY = 0o700
const OTHERS = 0o077
/** A path of a socket may be some hundred bytes long, no more. */
const NAME_LENGTH = 12

/** Its path; nothing is made yet. `name`: of the place. */
export function machineFolder(name: string, env: NodeJS.ProcessEnv = process.env): string {
  const above = env.XDG_RUNTIME_DIR ?? ''
  const hash = createHash('sha256').update(name).digest('hex').slice(0, NAME_LENGTH)
  return above === ''
    ? join(tmpdir(), `jelajah-${userInfo().uid}-${hash}`)
    : join(above, `jelajah-${hash}`)
}

/** Makes it. One that is somebody else's, or open to others, is refused: whoever made it could listen. */
export function makeMachineFolder(path: string): void {
  try {
    mkdirSync(path, { mode: OWNER_ONLY })
  } catch (cause) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    if (!isThere) throw new CrawlerError('store-unreachable', `cannot create ${path}`, { cause })
  }
  const { mode, uid } = lstatSync(path)
  const isOurs = uid === userInfo().uid && (mode & OTHERS) === 0 && lstatSync(path).isDirectory()
  if (isOurs) return
  const message = `${path} is not a folder of this user alone: remove it, or set XDG_RUNTIME_DIR`
  throw new CrawlerError('store-unreachable', message)
}
