// A growing file of an export: buffers its input and writes it in large pieces.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Sink } from './exporter.ts'

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
