// A file that is there whole or not at all: written beside its place, and put there when it is done.
import { once } from 'node:events'
import { createWriteStream, renameSync, rmSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CrawlerError, InvalidInput, shown } from '../core/errors.ts'
import { syncFolder } from '../lib/folder.ts'
import { errorCode } from '../lib/present.ts'
import { StopSignals } from '../lib/stop-signals.ts'

type Pieces = AsyncIterable<string> | Iterable<string>

/** Some pieces are a few letters: they are brought together before they are written. */
const AT_ONCE = 65_536

/** What the system says where it lets nobody write. */
const CLOSED: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS']

/** InvalidInput where something is in the way; asked before the work, not after it. */
export function refuseExisting(path: string, { force }: { readonly force: boolean }): void {
  const found = lookAt(path)
  if (found === undefined) {
    if (lookAt(dirname(path))?.isDirectory()) return
    throw new InvalidInput('--out', `there is no folder ${shown(dirname(path))}`)
  }
  if (found.isDirectory())
    throw new InvalidInput('--out', `${shown(path)} is a folder; name a file`)
  if (!found.isFile() || force) return
  throw new InvalidInput('--out', `${shown(path)} is there already; --force writes over it`)
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw told(error, path)
  }
}

/** Answers how many bytes there are. What is no file, such as a pipe, is written to as it is. */
export async function writeAtomically(path: string, pieces: Pieces): Promise<number> {
  const found = lookAt(path)
  if (found !== undefined && !found.isFile()) return write(path, pieces, 'w')
  const made = `${path}.part-${process.pid}`
  using signals = new StopSignals({
    onFirst: () => signals.leave(),
    onLeave: () => rmSync(made, { force: true }),
  })
  rmSync(made, { force: true })
  try {
    // Its name can be guessed: a link that somebody puts there is not followed.
    const bytes = await write(made, pieces, 'wx')
    renameSync(made, path)
    syncFolder(dirname(path))
    return bytes
  } catch (error) {
    rmSync(made, { force: true })
    throw told(error, path)
  }
}

async function write(path: string, pieces: Pieces, flags: 'w' | 'wx'): Promise<number> {
  const stream = createWriteStream(path, { flags, flush: true })
  // The error is thrown where the stream is awaited next. It must not end the process before.
  const failed = once(stream, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  try {
    for await (const text of brought(pieces)) {
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), failed])
    }
    stream.end()
    await Promise.race([once(stream, 'close'), failed])
    return stream.bytesWritten
  } catch (error) {
    stream.destroy()
    // The reader of a pipe has read enough.
    if (errorCode(error) === 'EPIPE') return stream.bytesWritten
    if (flags === 'wx' && CLOSED.includes(errorCode(error)))
      throw new InvalidInput('--out', `nothing can be written into the folder ${dirname(path)}`)
    throw told(error, path)
  }
}

async function* brought(pieces: Pieces): AsyncGenerator<string> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length < AT_ONCE) continue
    yield text
    text = ''
  }
  yield text
}

/** For stdout: `write` of an Output, for larger pieces at a time. */
export async function writeOut(
  write: (text: string) => Promise<void>,
  pieces: Pieces,
): Promise<void> {
  for await (const text of brought(pieces)) await write(text)
}

function told(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const { code } = error
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const message = `the disk is full: ${path} could not be written; free some space, then try again`
    return new CrawlerError('disk-full', message, { cause: error })
  }
  if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) return error
  return new InvalidInput('--out', `${shown(path)} cannot be written: ${error.message}`)
}
