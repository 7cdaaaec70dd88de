// An export to a pipe or a device: it cannot be resumed.
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

// A target as the frame sees it: it can save checkpoints.

/** By file name. */
export type FileLengths = Readonly<Record<string, SinkLengths>>

/** The description in every exported folder. Only folders that contain it are ever replaced. */
export const MANIFEST = 'export.json'

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
