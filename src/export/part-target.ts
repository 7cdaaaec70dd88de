// An export before it has its final name. Until it is complete, it is `NAME.part` beside it: a file or a
// folder. Files are open only while a piece is written, since an export may have thousands.
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'
import { CrawlerError, InvalidInput } from '../core/errors.ts'
import { errorCode } from '../lib/present.ts'
import type { Sink } from './exporter.ts'
import {
  BufferedSink,
  type FileLengths,
  MANIFEST,
  type NotedTarget,
  type SinkLengths,
} from './pipe-target.ts'

const gzip = promisify(gzipWithCallback)

/** Does not follow symlinks that somebody planted. */
const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW
const NOTHING: SinkLengths = { bytes: 0, length: 0 }
const SYNCED_AT_ONCE = 32
/** The single file of an export that is no folder. */
const ONE = ''

type PartTargetOptions = {
  /** The final name; the names of temporary files begin with it. */
  readonly out: string
  readonly kind: 'file' | 'folder'
  readonly gzip: boolean
  /** The file lengths at the last checkpoint; empty on the first run. */
  readonly files: FileLengths
}

/** Throws InvalidInput if the files do not match the checkpoint. */
export async function openPartTarget(options: PartTargetOptions): Promise<NotedTarget> {
  const { out, kind, files } = options
  return orOutError(partPath(out), async () => {
    if (kind === 'folder') await mkdir(partPath(out), { recursive: true })
    const target = new PartTarget(options)
    for (const [name, lengths] of Object.entries(files)) await target.cutBack(name, lengths)
    return target
  })
}

class PartTarget implements NotedTarget {
  readonly #options: PartTargetOptions
  readonly #sinks = new Map<string, BufferedSink>()
  /** Files written since the last checkpoint, so perhaps not on disk. */
  readonly #unsynced = new Set<string>()
  /** Folders with new entries, for the same reason. */
  readonly #renewed = new Set<string>()
  /** Files that other code writes. */
  readonly #foreign = new Set<string>()
  /** The last folder created; the next file is mostly in the same one. */
  #folder = ''
  #putBytes = 0

  constructor(options: PartTargetOptions) {
    this.#options = options
  }

  get taken(): number {
    let length = this.#putBytes
    for (const sink of this.#sinks.values()) length += sink.length
    return length
  }

  async cutBack(name: string, lengths: SinkLengths): Promise<void> {
    const path = this.#pathOf(name)
    const size = (await stat(path).catch(() => null))?.size ?? 0
    if (size < lengths.bytes) {
      const message = `${path} is not as it was left; --fresh starts again`
      throw new InvalidInput('--out', message)
    }
    await using file = await open(path, WRITE)
    await file.truncate(lengths.bytes)
    this.#sinkOf(name, lengths)
  }

  async append(name: string): Promise<Sink> {
    const key = this.#keyOf(name)
    const known = this.#sinks.get(key)
    if (known !== undefined) return known
    await this.#create(key, new Uint8Array())
    return this.#sinkOf(key, NOTHING)
  }

  async put(name: string, content: string | Uint8Array): Promise<void> {
    const key = this.#keyOf(name)
    if (key === ONE) throw new InvalidInput('--out', 'this export needs a folder')
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const out = this.#options.gzip ? await gzip(bytes) : bytes
    this.#putBytes += bytes.length
    await this.#create(key, out)
  }

  async sweep(isLeftOver: (name: string) => boolean): Promise<void> {
    const part = partPath(this.#options.out)
    for await (const path of filesIn(part)) {
      if (isLeftOver(relative(part, path))) await this.#within(ONE, () => rm(path))
    }
  }

  path(name: string): string {
    const key = this.#options.kind === 'file' ? ONE : name
    this.#foreign.add(key)
    return this.#pathOf(key)
  }

  async workFolder(): Promise<string> {
    const path = workPath(this.#options.out)
    await orOutError(path, () => mkdir(path, { recursive: true }))
    return path
  }

  async note(): Promise<FileLengths> {
    for (const sink of this.#sinks.values()) await sink.flush()
    await this.#syncAll([...this.#unsynced])
    this.#unsynced.clear()
    for (const folder of this.#renewed) await orOutError(folder, () => syncFolder(folder))
    this.#renewed.clear()
    return Object.fromEntries([...this.#sinks].map(([name, sink]) => [name, sink.lengths]))
  }

  async size(): Promise<number> {
    const path = partPath(this.#options.out)
    if (this.#options.kind === 'file') return (await stat(path)).size
    let bytes = 0
    for await (const file of filesIn(path)) bytes += (await stat(file)).size
    return bytes
  }

  async describe(manifest: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#options.kind === 'file') return
    this.#foreign.add(MANIFEST)
    await this.#create(MANIFEST, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
  }

  async complete(): Promise<void> {
    const { out, kind } = this.#options
    await this.note()
    await orOutError(out, async () => {
      if (kind === 'folder') await this.#clear()
      for (const name of this.#foreign) await this.#sync(name)
    })
    await giveFinalName(out, kind)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sinks.clear()
  }

  #sinkOf(key: string, lengths: SinkLengths): BufferedSink {
    const outlet = (bytes: Uint8Array) => this.#write(key, bytes)
    const sink = new BufferedSink(outlet, this.#options.gzip, lengths)
    this.#sinks.set(key, sink)
    return sink
  }

  async #create(key: string, content: Uint8Array): Promise<void> {
    this.#unsynced.add(key)
    await this.#within(key, async (path) => {
      await this.#makeFolderOf(path)
      await using file = await open(path, WRITE | constants.O_TRUNC, 0o666)
      await writeAll(file, content, 0)
    })
  }

  async #write(key: string, bytes: Uint8Array): Promise<void> {
    const at = this.#sinks.get(key)?.lengths.bytes ?? 0
    this.#unsynced.add(key)
    await this.#within(key, async (path) => {
      await using file = await open(path, WRITE, 0o666)
      await writeAll(file, bytes, at)
    })
  }

  async #sync(key: string): Promise<void> {
    await this.#within(key, async (path) => {
      await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
      await file.sync()
    })
  }

  /** Syncs several files at a time, so that the disk can combine the work. */
  async #syncAll(names: readonly string[]): Promise<void> {
    for (let at = 0; at < names.length; at += SYNCED_AT_ONCE) {
      await Promise.all(names.slice(at, at + SYNCED_AT_ONCE).map((name) => this.#sync(name)))
    }
  }

  /** Deletes files of an earlier run that this run did not write: the store may have changed. */
  async #clear(): Promise<void> {
    const folder = partPath(this.#options.out)
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const isKnown = this.#sinks.has(entry.name) || this.#foreign.has(entry.name)
      if (entry.isFile() && !isKnown) await rm(join(folder, entry.name))
    }
  }

  async #makeFolderOf(path: string): Promise<void> {
    const folder = dirname(path)
    this.#renewed.add(folder)
    if (folder === this.#folder || this.#options.kind === 'file') return
    await mkdir(folder, { recursive: true })
    this.#folder = folder
    this.#renewed.add(dirname(folder))
  }

  #keyOf(name: string): string {
    const { kind, gzip } = this.#options
    if (kind === 'file') return ONE
    return gzip ? `${name}.gz` : name
  }

  #pathOf(key: string): string {
    const part = partPath(this.#options.out)
    return key === ONE ? part : join(part, key)
  }

  #within<T>(key: string, work: (path: string) => Promise<T>): Promise<T> {
    const path = this.#pathOf(key)
    return orOutError(path, () => work(path))
  }
}

/** Folder by folder: there may be millions of files. */
async function* filesIn(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path)
    else if (entry.isFile()) yield path
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}

/** The names around an export: its temporary name, and the final rename. */
export function partPath(out: string): string {
  return `${out}.part`
}

export function workPath(out: string): string {
  return `${out}.part.work`
}

/** The last step, also for an export that was interrupted just before it. */
export async function giveFinalName(out: string, kind: 'file' | 'folder'): Promise<void> {
  await orOutError(out, async () => {
    await rm(workPath(out), { recursive: true, force: true })
    await replace(partPath(out), out, kind)
    await syncFolder(dirname(out))
  })
}

/** A file is replaced atomically. An existing folder is first renamed out of the way. */
async function replace(from: string, to: string, kind: 'file' | 'folder'): Promise<void> {
  const old = `${to}.part.old`
  if (kind === 'folder') {
    await rm(old, { recursive: true, force: true })
    await rename(to, old).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error
    })
  }
  await rename(from, to)
  if (kind === 'folder') await rm(old, { recursive: true, force: true })
}

/** Syncs new entries of the folder to disk. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, constants.O_RDONLY)
  // Not every file system supports this, and there is no alternative.
  await folder.sync().catch(() => undefined)
}

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** Translates system errors; returns all others unchanged. */
/** Errors of export files, with messages that say what to do. */
function outError(error: unknown, path: string): unknown {
  const code = errorCode(error)
  if (error instanceof CrawlerError || error instanceof InvalidInput || code === '') return error
  if (FULL.includes(code)) {
    const message =
      `there is no room for ${path} (${code}). ` +
      'What is written so far stays: the same command goes on with it once there is.'
    return new CrawlerError('disk-full', message, { cause: error })
  }
  // The reader closed the pipe; the caller handles that.
  if (code === 'EPIPE') return error
  if (!/^E[A-Z0-9]+$/.test(code)) return error
  return new InvalidInput('--out', `${path} cannot be written: ${code}`)
}

export async function orOutError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw outError(error, path)
  }
}
