// A data folder is for its owner alone: page texts, settings and locks in it are nobody else's business, and
// whoever can read a lock file can hold it. Folders that were made open are closed when they are used.
import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { CrawlerError } from '../../core/errors.ts'
import { isOurs, OTHERS, userId } from '../../lib/own-files.ts'
import { runFolder } from '../places.ts'

const ROOT = 0

/**
 * Closes a folder of this user, with the files in it, to everybody else. Answers what to say about it; null
 * when nothing was open. What is somebody else's, or cannot be changed, stays as it is.
 */
export function closeFolder(folder: string): string | null {
  if (userId() === null) return null
  const wasOpen = close(folder, 'folder')
  const run = runFolder(folder)
  close(run, 'folder')
  for (const path of [...filesIn(folder), ...filesIn(run)]) close(path, 'file')
  // What was open in a folder that nobody else could enter is not worth a word.
  return wasOpen ? `${folder} was open to other users of this machine; it is closed now` : null
}

/**
 * Throws where another user owns the folder or something of ours in it: they could read, change and hold up
 * whatever is done there. Root may work in anybody's folder.
 */
export function refuseForeignFolder(folder: string): void {
  const me = userId()
  if (me === null) return
  const link = lstatSync(folder)
  const { uid } = statSync(folder)
  const known = [me, ROOT, ...(me === ROOT ? [uid] : [])]
  if (!known.includes(uid)) throw foreign(folder, uid, 'run this as that user')
  if (!known.includes(link.uid)) throw foreign(folder, link.uid, 'remove that link')
  for (const path of [runFolder(folder), ...filesIn(folder), ...filesIn(runFolder(folder))]) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined || known.includes(found.uid)) continue
    throw foreign(path, found.uid, 'remove it')
  }
}

function foreign(path: string, uid: number, hint: string): CrawlerError {
  const message = `${path} belongs to another user (number ${uid}): ${hint}, or choose another --data`
  return new CrawlerError('store-unreachable', message)
}

/** True when it was open and is closed now. */
function close(path: string, kind: 'folder' | 'file'): boolean {
  try {
    const found = kind === 'folder' ? statSync(path) : lstatSync(path)
    const isRight = kind === 'folder' ? found.isDirectory() : found.isFile()
    if (!isRight || !isOpenAndOurs(found)) return false
    chmodSync(path, found.mode & ~OTHERS & 0o7777)
    return true
  } catch {
    // Not there, or on a disk that cannot be changed.
    return false
  }
}

function isOpenAndOurs(found: Stats): boolean {
  return isOurs(found) && (found.mode & OTHERS) !== 0
}

/** Of this program: what else a user keeps in the folder is as open as the folder itself. */
function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => OURS.test(name))
    return names.map((name) => join(folder, name))
  } catch {
    return []
  }
}

const OURS = /\.(db|db-wal|db-shm|db-journal|lock|lock-journal|sock)$/
