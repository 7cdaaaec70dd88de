// An export to a pipe or a device: it cannot be resumed.
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { InvalidInput } from '../core/errors.ts'
import { makeTemporaryFolder } from '../lib/own-files.ts'
import type { Sink, Target } from './exporter.ts'

export class PipeTarget implements NotedTarget {
  readonly #sink: BufferedSink
  #folder: string | null = null

  constructor(outlet: Outlet, gzip: boolean) {
    this.#sink = new BufferedSink(outlet, gzip, { bytes: 0, length: 0 })
  }

  get taken(): number {
    return this.#sink.length
  }

  async append(): Promise<Sink> {
    return this.#sink
  }

  async put(): Promise<void> {
    throw needsPath('a folder')
  }

  async sweep(): Promise<void> {}

  path(): string {
    throw needsPath('a file')
  }

  async workFolder(): Promise<string> {
    this.#folder ??= makeTemporaryFolder('jelajah-export-')
    return this.#folder
  }

  async note(): Promise<FileLengths> {
    await this.#sink.flush()
    return {}
  }

  async size(): Promise<number> {
    return this.#sink.lengths.bytes
  }

  async describe(): Promise<void> {}

  async complete(): Promise<void> {
    await this.#sink.flush()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true })
  }
}

function needsPath(what: string): InvalidInput {
  return new InvalidInput('--out', `this export needs ${what}: it cannot go to a pipe`)
}

/** By file name. */
export type FileLengths = Readonly<Record<string, SinkLengths>>

/** The description in every exported folder. Only folders that contain it are ever replaced. */
export const MANIFEST = 'export.json'

/** A target as the frame sees it: it can save checkpoints. */
export interface NotedTarget extends Target, AsyncDisposable {
  /** Bytes received from exporters in this run; checkpoints depend on it. */
  readonly taken: number
  /** Syncs everything and returns the lengths of all growing files. */
  note(): Promise<FileLengths>
  /** Total bytes written, over all runs. */
  size(): Promise<number>
  /** Writes the description of the export to a file, if it is a folder. */
  describe(manifest: Readonly<Record<string, unknown>>): Promise<void>
  /** Gives the finished export its final name, and deletes temporary files. */
  complete(): Promise<void>
}

const compress = promisify(gzip)

/** The size of the buffer. Compressed output is buffered completely until the next flush. */
const PIECE_BYTES = 256 * 1024

export type Outlet = (bytes: Uint8Array) => Promise<void>

export type SinkLengths = {
  /** Bytes written. */
  readonly bytes: number
  /** Bytes received. */
  readonly length: number
}

/** A growing file of an export: buffers its input and writes it in large pieces. */
export class BufferedSink implements Sink {
  readonly #outlet: Outlet
  readonly #gzip: boolean
  #pieces: Uint8Array[] = []
  #waiting = 0
  #length: number
  #bytes: number

  constructor(outlet: Outlet, gzip: boolean, { bytes, length }: SinkLengths) {
    this.#outlet = outlet
    this.#gzip = gzip
    this.#bytes = bytes
    this.#length = length
  }

  get length(): number {
    return this.#length
  }

  /** As of the last flush. */
  get lengths(): SinkLengths {
    return { bytes: this.#bytes, length: this.#length }
  }

  async write(content: string | Uint8Array): Promise<void> {
    // Lone surrogates become U+FFFD here, so the result is always valid UTF-8.
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    this.#pieces.push(bytes)
    this.#waiting += bytes.length
    this.#length += bytes.length
    if (!this.#gzip && this.#waiting >= PIECE_BYTES) await this.flush()
  }

  /** Writes everything; compressed output becomes a gzip member that can be read by itself. */
  async flush(): Promise<void> {
    if (this.#waiting === 0) return
    const all = Buffer.concat(this.#pieces, this.#waiting)
    this.#pieces = []
    this.#waiting = 0
    const out = this.#gzip ? await compress(all) : all
    await this.#outlet(out)
    this.#bytes += out.length
  }
}
