// What a disk may hold after a power cut: everything that was synced before, and of the rest whatever it
// pleases. Names in a folder are changed in order and survive when the folder was synced; bytes of a file
// survive when the file was synced, and otherwise in any selection of blocks.
//
// Left out: shared memory of SQLite (`-shm`), which is made anew, and rights and times of files.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Stream } from '../../../src/sample-web/random.ts'
import type { LogRecord } from './log.ts'

/** What survives of that which was not synced. `torn`: any blocks, some of them half. */
export const KEEPS = ['nothing', 'all', 'beginning', 'torn'] as const
export type Keep = (typeof KEEPS)[number]

const BLOCK_BYTES = 4096
const SECTOR_BYTES = 512

type Bytes = Buffer<ArrayBuffer>
type Change = Extract<LogRecord['kind'], 'write' | 'truncate'>
type FileChange = LogRecord & { readonly kind: Change }
type File = { readonly changes: FileChange[]; syncedTo: number }
type NameChange = { readonly record: LogRecord; readonly file: File | null }

export type DiskOptions = {
  readonly root: string
  /** Syncs that are taken to do nothing, as on a disk that lies. */
  readonly ignoresSync?: (path: string, record: LogRecord) => boolean
}

/** Takes records one after the other. */
export class Disk {
  readonly #options: DiskOptions
  readonly #files = new Map<number, File>()
  readonly #paths = new Map<File, string>()
  readonly #names: NameChange[] = []
  readonly #foldersSyncedTo = new Map<string, number>()

  constructor(options: DiskOptions) {
    this.#options = options
  }

  take(record: LogRecord): void {
    const { kind, inode, number } = record
    if (kind === 'write' || kind === 'truncate') {
      this.#fileOf(inode).changes.push(record as FileChange)
    } else if (kind === 'sync') {
      const file = this.#fileOf(inode)
      const path = this.#paths.get(file) ?? ''
      if (!this.#options.ignoresSync?.(path, record))
        file.syncedTo = Math.max(file.syncedTo, number)
    } else if (kind === 'sync-folder') {
      const before = this.#foldersSyncedTo.get(record.path) ?? 0
      this.#foldersSyncedTo.set(record.path, Math.max(before, number))
    } else {
      this.#rename(record)
    }
  }

  /** Writes what may be left into a folder; the same random numbers write the same. */
  write(to: string, keepOf: (path: string) => Keep, random: Stream): void {
    const { files, folders } = this.#namesAfter(keepOf, random)
    for (const folder of folders) {
      mkdirSync(join(to, relative(this.#options.root, folder)), { recursive: true })
    }
    for (const [path, file] of files) {
      if (path.endsWith('-shm')) continue
      const place = join(to, relative(this.#options.root, path))
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, contentOf(file, keepOf(path), random))
    }
  }

  #rename(record: LogRecord): void {
    let file: File | null = null
    if (record.kind === 'create') {
      // The number may have been that of a file that is gone.
      file = { changes: [], syncedTo: 0 }
      this.#files.set(record.inode, file)
      this.#paths.set(file, record.path)
    }
    this.#names.push({ record, file })
  }

  #fileOf(inode: number): File {
    const known = this.#files.get(inode)
    if (known !== undefined) return known
    throw new Error(`inode ${inode} is written and was never made`)
  }

  #namesAfter(keepOf: (path: string) => Keep, random: Stream) {
    const files = new Map<string, File>()
    const folders = new Set<string>()
    const unsynced = new Map<string, number>()
    for (const { record } of this.#names) {
      const folder = dirname(record.path)
      if (record.at >= this.#syncedTo(folder)) unsynced.set(folder, (unsynced.get(folder) ?? 0) + 1)
    }
    const left = new Map(
      [...unsynced].map(([folder, count]) => [folder, someOf(count, keepOf(folder), random)]),
    )
    for (const change of this.#names) {
      const folder = dirname(change.record.path)
      if (change.record.at >= this.#syncedTo(folder)) {
        const more = left.get(folder) ?? 0
        if (more === 0) continue
        left.set(folder, more - 1)
      }
      apply(change, files, folders)
    }
    // What is in a folder that has no name is nowhere.
    const isThere = (path: string): boolean => {
      const above = dirname(path)
      return above === this.#options.root || (folders.has(above) && isThere(above))
    }
    return {
      files: new Map([...files].filter(([path]) => isThere(path))),
      folders: [...folders].filter(isThere),
    }
  }

  #syncedTo(folder: string): number {
    return this.#foldersSyncedTo.get(folder) ?? 0
  }
}

function apply({ record, file }: NameChange, files: Map<string, File>, folders: Set<string>): void {
  const { kind, path, second } = record
  if (kind === 'create' && file !== null) files.set(path, file)
  else if (kind === 'unlink') files.delete(path)
  else if (kind === 'mkdir') folders.add(path)
  else if (kind === 'rmdir') folders.delete(path)
  else if (kind === 'rename') {
    const moved = files.get(path)
    files.delete(path)
    if (moved !== undefined) files.set(second, moved)
  }
}

/** Of things that come in order: how many of the first survive. */
function someOf(count: number, keep: Keep, random: Stream): number {
  if (keep === 'nothing') return 0
  return keep === 'all' ? count : random.below(count + 1)
}

function contentOf({ changes, syncedTo }: File, keep: Keep, random: Stream): Bytes {
  const safe = changes.filter(({ at }) => at < syncedTo)
  const rest = changes.filter(({ at }) => at >= syncedTo)
  const kept =
    keep === 'torn' ? torn(rest, random) : rest.slice(0, someOf(rest.length, keep, random))
  let content: Bytes = Buffer.alloc(0)
  for (const change of [...safe, ...kept]) content = changed(content, change)
  return content
}

function changed(content: Bytes, { kind, number, data }: FileChange): Bytes {
  if (kind === 'truncate') return resized(content, number)
  const grown =
    content.length < number + data.length ? resized(content, number + data.length) : content
  data.copy(grown, number)
  return grown
}

function resized(content: Bytes, bytes: number): Bytes {
  if (bytes <= content.length) return content.subarray(0, bytes)
  return Buffer.concat([content, Buffer.alloc(bytes - content.length)])
}

/** Each block of a write by itself: it is there, it is not, or only its first sectors are. */
function torn(changes: readonly FileChange[], random: Stream): FileChange[] {
  return changes.flatMap((change) => {
    if (change.kind === 'truncate') return random.chance(0.5) ? [change] : []
    const pieces: FileChange[] = []
    for (let from = 0; from < change.data.length; ) {
      const at = change.number + from
      const bytes = Math.min(BLOCK_BYTES - (at % BLOCK_BYTES), change.data.length - from)
      const isHalf = random.chance(0.1)
      const length = isHalf ? Math.min(bytes, SECTOR_BYTES * (1 + random.below(7))) : bytes
      const data = change.data.subarray(from, from + length)
      if (random.chance(0.5)) pieces.push({ ...change, number: at, data })
      from += bytes
    }
    return pieces
  })
}
