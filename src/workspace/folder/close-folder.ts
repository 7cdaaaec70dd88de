// A data folder is private to its owner: page texts, settings and locks concern nobody else, and a user who
// can read a lock file can hold it. Folders that were created open are closed when they are used. A folder
// that also holds other files belonged to the user before (`--data .`); only our own files in it are closed,
// which are known by their whole names: other programs have databases and locks, too.
import { chmodSync, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CrawlerError } from '../../core/errors.ts'
import { namesIn } from '../../lib/folder.ts'
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
  if (userId() === null || !hasCrawls(folder)) return null
  const real = realpathSync(folder)
  const inner = foldersIn(real)
  const isAlone = holdsOnlyOurs(real)
  const wasOpen = close(real, 'folder', isAlone ? OTHERS : OTHERS_WRITE)
  for (const path of inner) close(path, 'folder', holdsOnlyOurs(path) ? OTHERS : OTHERS_WRITE)
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
  const inner = foldersIn(folder)
  for (const path of [join(folder, RUN), ...inner, ...[folder, ...inner].flatMap(filesIn)]) {
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

/** Whether there are crawls, or the remains of some, and not only files of such names among others. */
function hasCrawls(folder: string): boolean {
  const names = namesIn(folder)
  if (names.includes(STORE)) return true
  return names.length > 0 && [folder, ...foldersIn(folder)].every(holdsOnlyOurs)
}

function holdsOnlyOurs(folder: string): boolean {
  return namesIn(folder).every((name) => isFile(name) || isInner(name))
}

/** Files of this program. Other files of the user stay as open as the folder itself. */
function filesIn(folder: string): string[] {
  return namesIn(folder).flatMap((name) => (isFile(name) ? [join(folder, name)] : []))
}

function foldersIn(folder: string): string[] {
  return namesIn(folder).flatMap((name) => (isInner(name) ? [join(folder, name)] : []))
}

/** Folders of this program in a data folder: of what runs, and of frontiers with several files. */
function isInner(name: string): boolean {
  return name === RUN || /^frontier-\d+(\.damaged)?$/.test(name)
}

function isFile(name: string): boolean {
  return DATABASE.test(name) || OF_RUN.test(name) || OF_PARTITIONS.test(name)
}

const DATABASE =
  /^(jelajah|search|secrets|hosts|(frontier|partition)-\d+)\.db(-wal|-shm|-journal|-lock)?(\.damaged)?$/
const OF_RUN =
  /^((folder|server|search|feed|(crawl|cluster|scouter|parser)-[\d-]+)\.lock(-journal)?|feed\.sock)$/
const OF_PARTITIONS = /^(division\.json(\.damaged|\.\d+-\d+)?|.+\.alive(\.\d+\.tmp)?)$/
