// An export that goes to a pipe or a device: it comes in one piece or not at all.
import { rm } from 'node:fs/promises'
import { InvalidInput } from '../core/errors.ts'
import { makeTemporaryFolder } from '../lib/own-files.ts'
import { BufferedSink, type Outlet, type SinkLengths } from './buffered-sink.ts'
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

// A target as the frame knows it: it can be brought to a point from which another run goes on.

/** By name of file. */
export type FileLengths = Readonly<Record<string, SinkLengths>>

/** In every export that is a folder: what it is. Only folders that have it are ever replaced. */
export const MANIFEST = 'export.json'

export interface NotedTarget extends Target, AsyncDisposable {
  /** Bytes that exporters gave it in this run, which is what notes go by. */
  readonly taken: number
  /** Brings everything to disk; the lengths of all files that grow, as they are then. */
  note(): Promise<FileLengths>
  /** Bytes of everything that was written, over all runs. */
  size(): Promise<number>
  /** What the export is, in a file of its own where it is a folder. */
  describe(manifest: Readonly<Record<string, unknown>>): Promise<void>
  /** Everything is written: gives it its final name, and takes away what was needed on the way. */
  complete(): Promise<void>
}
