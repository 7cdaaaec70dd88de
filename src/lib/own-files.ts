// Files and folders that are private to their owner: everything created here is closed to other users of the
// machine, and nothing that they could have put in place is trusted.
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { createFolder } from './folder.ts'

export const OWN_FOLDER = 0o700
const OWN_FILE = 0o600
/** The mode bits of everybody but the owner. */
export const OTHERS = 0o077
const OTHERS_WRITE = 0o022
/** In such a folder users can only remove or rename their own files. */
const STICKY = 0o1000
const ROOT = 0

/** The user of this process; null if the system has no such users. */
export function userId(): number | null {
  return process.geteuid?.() ?? null
}

/** Creates an empty file that only its owner can read; an existing file is not changed. */
export function makeOwnFile(path: string): void {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants
  let file: number
  try {
    file = openSync(path, O_CREAT | O_EXCL | O_WRONLY, OWN_FILE)
  } catch {
    // It exists, or cannot be created; then opening it reports why.
    return
  }
  const heir = heirOf(path)
  if (heir !== null) fchownSync(file, heir.uid, heir.gid)
  closeSync(file)
}

/** Creates a folder that only its owner can enter; an existing folder is not changed. */
export function makeOwnFolder(path: string): void {
  const isNew = !existsSync(path)
  createFolder(path, OWN_FOLDER)
  const heir = isNew ? heirOf(path) : null
  if (heir !== null) lchownSync(path, heir.uid, heir.gid)
}

/** A file that root creates in a user's folder is given to that user, who could not continue otherwise. */
function heirOf(path: string): Stats | null {
  if (userId() !== ROOT) return null
  const above = statSync(dirname(path))
  return above.uid === ROOT ? null : above
}

/** True for a real folder of this user, or of `owner`, that nobody else can enter. */
export function isOwnFolder(path: string, owner = userId()): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || !found.isDirectory()) return false
  return owner === null || (found.uid === owner && (found.mode & OTHERS) === 0)
}

/** True if this user owns it, or if the system does not report the owner. */
export function isOurs({ uid }: Stats): boolean {
  const me = userId()
  return me === null || uid === me
}

/**
 * Creates a new folder that only this user can enter, in the system's temporary folder. If others could
 * replace folders there, it is created in the user's cache folder.
 */
export function makeTemporaryFolder(prefix: string): string {
  const above = temporaryFolder()
  try {
    return mkdtempSync(join(above, prefix))
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    const what = `no folder can be created in ${above} (${why})`
    throw new NoTemporaryFolder(`${what}: set TMPDIR to a folder that you can write to`, { cause })
  }
}

/** The environment has no place for temporary files; the message says what to do. */
export class NoTemporaryFolder extends Error {}

/** The folder that `makeTemporaryFolder` uses. */
export function temporaryFolder(): string {
  const shared = tmpdir()
  if (keepsWhatIsOurs(shared)) return shared
  const cache = userCacheFolder()
  const own = cache === null ? null : join(cache, 'tmp')
  if (own !== null) mkdirSync(own, { recursive: true, mode: OWN_FOLDER })
  if (own !== null && isOwnFolder(own)) return own
  const what = `other users can replace files in ${shared}`
  throw new NoTemporaryFolder(`${what}: set TMPDIR to a folder of your own`)
}

/**
 * The folder of this program among the user's caches; it may not exist yet. Null for users without a home
 * folder of their own, such as services.
 */
export function userCacheFolder(env: NodeJS.ProcessEnv = process.env): string | null {
  const named = env.XDG_CACHE_HOME ?? ''
  if (isAbsolute(named)) return join(named, 'jelajah')
  const home = homeFolder(env)
  const found = home === null ? undefined : statSync(home, { throwIfNoEntry: false })
  if (home === null || found === undefined || !isOurs(found)) return null
  return join(home, '.cache', 'jelajah')
}

function homeFolder(env: NodeJS.ProcessEnv): string | null {
  try {
    return env.HOME ?? homedir()
  } catch {
    // A user unknown to the system.
    return null
  }
}

/** True if nobody but root can remove or replace this user's files in a folder. */
function keepsWhatIsOurs(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined || userId() === null) return true
  const isHeld = (found.mode & OTHERS_WRITE) === 0 || (found.mode & STICKY) !== 0
  return isHeld && (isOurs(found) || found.uid === ROOT)
}
