// An export that goes to a pipe or a device: it comes in one piece or not at all.
import { rm } from 'node:fs/promises'
import { InvalidInput } from '../core/errors.ts'
import { makeTemporaryFolder } from '../lib/own-files.ts'
import { BufferedSink, type Outlet } from './buffered-sink.ts'
import type { Sink } from './exporter.ts'
import type { FileLengths, NotedTarget } from './noted-target.ts'

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
