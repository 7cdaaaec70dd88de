// A data folder is private to its owner: page texts, settings and locks concern nobody else, and a user who
// can read a lock file can hold it. Folders that were created open are closed when they are used. A folder
// that also holds other files belonged to the user before (`--data .`); only our own files in it are closed.
import { chmodSync, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CrawlerError } from '../../core/errors.ts'
import { isOurs, OTHERS, userId } from '../../lib/own-files.ts'
import { runFolder, storePath } from './paths.ts'

const ROOT = 0
const STORE = basename(storePath(''))
const RUN = basename(runFolder(''))
/** Others may write there, each for themselves: it is shared on purpose. */
const STICKY = 0o1000
const OTHERS_WRITE = 0o022

/**
 * Closes a data folder of this user, and the files in it, to all others. Returns a notice; null if nothing
 * was open. Files of other users, files that cannot be changed, and folders without crawls are left alone.
 */
export function closeFolder(folder: string): string | null {
  const names = userId() === null ? [] : namesIn(folder)
  const isAlone = names.length > 0 && names.every((name) => OURS.test(name) || isInner(name))
  if (!isAlone && !names.includes(STORE)) return null
  const real = realpathSync(folder)
  const wasOpen = close(real, 'folder', isAlone ? OTHERS : OTHERS_WRITE)
  const inner = names.filter(isInner).map((name) => join(real, name))
  for (const path of inner) close(path, 'folder')
  for (const path of [real, ...inner].flatMap(filesIn)) close(path, 'file')
  // An open file in a folder that nobody else could enter needs no notice.
  if (!wasOpen) return null
  const what = isAlone ? 'it is closed now' : 'they cannot change it now'
  return `${folder} was open to other users of this machine; ${what}`
}

/** Closes a folder that is about to be used, if it is empty. */
export function closeEmptyFolder(folder: string): void {
  if (userId() !== null && readdirSync(folder).length === 0) close(realpathSync(folder), 'folder')
}

/**
 * Throws if another user owns the folder or one of our files in it: that user could read, change and block
 * all work there. Root may work in any folder.
 */
export function refuseForeignFolder(folder: string): void {
  const me = userId()
  if (me === null) return
  const link = lstatSync(folder)
  const { uid } = statSync(folder)
  const known = [me, ROOT, ...(me === ROOT ? [uid] : [])]
  if (!known.includes(uid)) throw foreign(folder, uid, 'run this as that user')
  if (!known.includes(link.uid)) throw foreign(folder, link.uid, 'remove that link')
  const inner = [RUN, ...namesIn(folder).filter(isInner)].map((name) => join(folder, name))
  for (const path of [...inner, ...[folder, ...inner].flatMap(filesIn)]) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined || known.includes(found.uid)) continue
    throw foreign(path, found.uid, 'remove it')
  }
}

function foreign(path: string, uid: number, hint: string): CrawlerError {
  const message = `${path} belongs to another user (number ${uid}): ${hint}, or choose another --data`
  return new CrawlerError('store-unreachable', message)
}

/** True if it was open and is closed now. `bits`: the mode bits to remove. */
function close(path: string, kind: 'folder' | 'file', bits = OTHERS): boolean {
  try {
    const found = lstatSync(path)
    const isRight = kind === 'folder' ? isOwnersFolder(found) : found.isFile()
    if (!isRight || !isOurs(found) || (found.mode & bits) === 0) return false
    chmodSync(path, found.mode & ~bits & 0o7777)
    return true
  } catch {
    // Missing, or on a read-only disk.
    return false
  }
}

function isOwnersFolder(found: Stats): boolean {
  return found.isDirectory() && (found.mode & STICKY) === 0
}

/** Files of this program. Other files of the user stay as open as the folder itself. */
function filesIn(folder: string): string[] {
  return namesIn(folder).flatMap((name) => (OURS.test(name) ? [join(folder, name)] : []))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Folders of this program in a data folder: of what runs, and of frontiers with several files. */
function isInner(name: string): boolean {
  return name === RUN || /^frontier-\d+(\.damaged)?$/.test(name)
}

const OURS =
  /(\.(db|db-wal|db-shm|db-journal|lock|lock-journal|sock|alive)|^division\.json)(\.damaged)?$/
