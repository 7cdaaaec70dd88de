// Undoes content codings piece by piece, for bodies that may become far larger than memory should hold; the
// reader says when it has enough. Gzip inside of that (`sitemap.xml.gz`) is detected by its bytes. A body
// that is cut off or damaged yields everything before the damage.
import { finished } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { codingNames, decompress, hasBytes, hasZlibHeader, ZSTD_PARAMS } from './decompress.ts'

/** Size of one piece: small enough that a reader never blocks its thread. */
const CHUNK_BYTES = 65_536

export type InflateOptions = {
  /** The header as sent. */
  readonly codings: string
  /** Further layers of gzip to undo. */
  readonly gzipLayers: number
  /** Limit for each layer; the rest is not read. */
  readonly maxBytes: number
  /** Receives the next piece; returns false if it wants no more. */
  readonly onChunk: (chunk: Uint8Array) => boolean
}

type InflateEnd =
  | { readonly ok: true; readonly truncated: boolean }
  /** `reason` describes the problem in words. */
  | { readonly ok: false; readonly reason: string }

type Inflater = ReturnType<typeof createGunzip>
/** The result of one layer; `collected` if another layer is inside it. */
type Layer = {
  readonly truncated: boolean
  readonly collected: Uint8Array | null
  /** Its length in bytes. */
  readonly came: number
}

export async function inflate(body: Uint8Array, options: InflateOptions): Promise<InflateEnd> {
  const names = codingNames(options.codings)
  if (typeof names === 'string') return { ok: false, reason: names }
  const left = [...names]
  let layers = options.gzipLayers
  let bytes = body
  let truncated = false
  for (;;) {
    const name = left.shift() ?? (layers-- > 0 && isGzip(bytes) ? 'gzip' : null)
    if (name === null || bytes.byteLength === 0) break
    const stream = inflaterFor(name, bytes)
    if (stream === undefined) return { ok: false, reason: `unknown encoding "${name}"` }
    if (stream === null) continue
    const mayHoldMore = (first: Uint8Array) => left.length > 0 || (layers > 0 && isGzip(first))
    const layer = await undo(stream, bytes, { ...options, mayHoldMore })
    truncated ||= layer.truncated
    if (layer.came === 0 && layer.truncated) {
      // Damaged before the first piece was full: small enough to search for the valid prefix.
      const saved = decompress(bytes, name, CHUNK_BYTES)
      if (!saved.ok) return saved
      bytes = saved.bytes
      continue
    }
    if (layer.collected === null) return { ok: true, truncated }
    bytes = layer.collected
  }
  return { ok: true, truncated: !(await handOut(bytes, options)) || truncated }
}

function isGzip(bytes: Uint8Array): boolean {
  return hasBytes(bytes, 0x1f, 0x8b)
}

/** Null: the body is not in that coding, whatever the header says. Undefined: there is no such coding. */
function inflaterFor(name: string, body: Uint8Array): Inflater | null | undefined {
  const zlib = { chunkSize: CHUNK_BYTES }
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return isGzip(body) ? createGunzip(zlib) : null
    case 'deflate':
      return hasZlibHeader(body) ? createInflate(zlib) : createInflateRaw(zlib)
    case 'br':
      return createBrotliDecompress({ chunkSize: CHUNK_BYTES })
    case 'zstd':
      if (!hasBytes(body, 0x28, 0xb5)) return null
      return createZstdDecompress({ chunkSize: CHUNK_BYTES, params: ZSTD_PARAMS })
    default:
      return undefined
  }
}

type LayerOptions = InflateOptions & { readonly mayHoldMore: (first: Uint8Array) => boolean }

/** Pieces arrive by event: an iterated stream loses its buffer when it fails. */
function undo(stream: Inflater, body: Uint8Array, options: LayerOptions): Promise<Layer> {
  const { maxBytes, onChunk, mayHoldMore } = options
  return new Promise((resolve) => {
    let [size, isCut] = [0, false]
    let collected: Uint8Array[] | null = null
    stream.on('data', (chunk: Buffer) => {
      if (isCut) return
      if (size === 0 && mayHoldMore(chunk)) collected = []
      const room = maxBytes - size
      const piece = chunk.byteLength > room ? chunk.subarray(0, room) : chunk
      size += piece.byteLength
      collected?.push(piece)
      const isEnough = collected === null && !onChunk(piece)
      if (!isEnough && piece === chunk) return
      isCut = true
      stream.destroy()
    })
    finished(stream, (error) => {
      const isDamaged = !isCut && error !== undefined && error !== null
      resolve({
        truncated: isCut || isDamaged,
        collected: collected === null ? null : Buffer.concat(collected),
        came: size,
      })
    })
    // The end is written separately: an error there must not discard the last decoded bytes.
    stream.write(body, () => stream.end())
  })
}

/** Plain bytes, with a pause after each piece so that others get their turn; false if it was cut. */
async function handOut(bytes: Uint8Array, options: InflateOptions): Promise<boolean> {
  const { maxBytes, onChunk } = options
  const end = Math.min(bytes.byteLength, maxBytes)
  for (let at = 0; at < end; at += CHUNK_BYTES) {
    if (!onChunk(bytes.subarray(at, Math.min(end, at + CHUNK_BYTES)))) return false
    await new Promise((resolve) => setImmediate(resolve))
  }
  return end === bytes.byteLength
}
