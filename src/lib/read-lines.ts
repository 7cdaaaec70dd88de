// The lines of a stream as bytes, one at a time, however large the whole is.
import type { Readable } from 'node:stream'

export type Line = {
  /** From 1. */
  readonly number: number
  /** Without the line break. Valid until the next line is read. */
  readonly bytes: Buffer
  /** The line was longer than allowed; this is its beginning. */
  readonly cut: boolean
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Rejects if reading fails. The stream is closed when the caller stops. */
export async function* readLines(stream: Readable, maxBytes: number): AsyncGenerator<Line> {
  let number = 0
  let pieces: Buffer[] = []
  let length = 0
  const keep = (piece: Buffer) => {
    // One piece too many shows that it was cut; more would only fill memory.
    if (length <= maxBytes) pieces.push(piece)
    length += piece.length
  }
  const take = (): Line => {
    const whole = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
    const cut = length > maxBytes
    const bytes = trimmed((whole ?? Buffer.alloc(0)).subarray(0, maxBytes), cut)
    pieces = []
    length = 0
    return { number: ++number, bytes, cut }
  }
  for await (const chunk of stream) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      keep(bytes.subarray(start, end))
      yield take()
      start = end + 1
    }
    if (start < bytes.length) keep(bytes.subarray(start))
  }
  if (length > 0) yield take()
}

function trimmed(bytes: Buffer, cut: boolean): Buffer {
  return !cut && bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes
}

type ReadBytes = {
  readonly bytes: Buffer
  /** There was more. */
  readonly truncated: boolean
}

/** The first `maxBytes` of a stream, which is closed afterwards. Rejects if reading fails. */
export async function readAtMost(stream: Readable, maxBytes: number): Promise<ReadBytes> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    chunks.push(bytes)
    size += bytes.byteLength
    if (size > maxBytes) break
  }
  return {
    bytes: Buffer.concat(chunks, Math.min(size, maxBytes)),
    truncated: size > maxBytes,
  }
}
