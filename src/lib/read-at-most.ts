// A stream of unknown length into memory, but never more of it than asked for.
import type { Readable } from 'node:stream'

export type ReadBytes = {
  readonly bytes: Buffer
  /** There was more. */
  readonly truncated: boolean
}

/** The first `maxBytes` of a stream, which is closed afterwards. Rejects when reading fails. */
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
