// Undoes content codings within bounds. One synchronous zlib call does it for every valid body. A body that
// is too large, cut off or damaged takes a slower way that keeps as much as can be decoded: zlib drops its
// output when it throws, so the longest prefix that decodes is searched for.
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib'
import { errorCode } from './present.ts'

type Decompressed =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly truncated: boolean }
  /** `reason` describes the problem in words. */
  | { readonly ok: false; readonly reason: string }

type Attempt = { readonly bytes: Uint8Array; readonly truncated: boolean }
/** Throws on damage and if the output exceeds `maxBytes`; `open` accepts a missing end. */
type Decoder = (body: Uint8Array, maxBytes: number, open: boolean) => Uint8Array

/** Two occur (a proxy compresses again); more are only sent by attackers. */
const MAX_CODINGS = 2
const MAX_HEADER_LENGTH = 200
/** Size of one output buffer: most pages fit, and a false size costs no more than this. */
const CHUNK_BYTES = 65_536
const MAX_CHUNK_BYTES = 1 << 20
/** How far beyond the limit a prefix may decode before it is cut. A larger value finds one sooner. */
const SPARE_BYTES = 4 << 20
/** RFC 9659: no zstd body on the web needs a window above 8 MiB. */
export const ZSTD_PARAMS = { [constants.ZSTD_d_windowLogMax]: 23 }

/** Undoes `codings` (the header as sent) and returns at most `maxBytes`. */
export function decompress(body: Uint8Array, codings: string, maxBytes: number): Decompressed {
  if (codings === '') return cut({ bytes: body, truncated: false }, maxBytes)
  const names = codingNames(codings)
  if (typeof names === 'string') return { ok: false, reason: names }
  let bytes = body
  let truncated = false
  for (const name of names) {
    if (bytes.byteLength === 0) break
    const decoder = decoderFor(name, bytes)
    if (decoder === null) return { ok: false, reason: `unknown encoding "${name}"` }
    const layer = decodeAll(decoder, bytes, maxBytes)
    if (typeof layer === 'string') {
      if (!looksLikeText(bytes)) return { ok: false, reason: `${name} data ${layer}` }
      continue
    }
    bytes = layer.bytes
    truncated ||= layer.truncated
  }
  return cut({ bytes, truncated }, maxBytes)
}

/** The codings of a header in the order to undo them, or the reason in words why they cannot be. */
export function codingNames(codings: string): readonly string[] | string {
  if (codings.length > MAX_HEADER_LENGTH) return 'too many encodings'
  const names = codings.toLowerCase().split(',').map(trimmed).filter(isCoding)
  return names.length > MAX_CODINGS ? `${names.length} encodings` : names.reverse()
}

function trimmed(name: string): string {
  return name.trim()
}

function isCoding(name: string): boolean {
  return name !== '' && name !== 'identity'
}

function cut({ bytes, truncated }: Attempt, maxBytes: number): Decompressed {
  if (bytes.byteLength <= maxBytes) return { ok: true, bytes, truncated }
  return { ok: true, bytes: bytes.subarray(0, maxBytes), truncated: true }
}

function decoderFor(name: string, body: Uint8Array): Decoder | null {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return hasBytes(body, 0x1f, 0x8b) ? gunzip : asIs
    case 'deflate':
      return hasZlibHeader(body) ? inflate : inflateRaw
    case 'br':
      return brotli
    case 'zstd':
      return hasBytes(body, 0x28, 0xb5) ? zstd : asIs
    default:
      return null
  }
}

/** For a server that names a coding it did not use: the body is returned unchanged. */
const asIs: Decoder = (body) => body

const gunzip: Decoder = (body, maxBytes, open) =>
  gunzipSync(body, { ...zlibOptions(maxBytes, open), chunkSize: chunkFor(body, maxBytes) })
const inflate: Decoder = (body, maxBytes, open) => inflateSync(body, zlibOptions(maxBytes, open))
const inflateRaw: Decoder = (body, maxBytes, open) =>
  inflateRawSync(body, zlibOptions(maxBytes, open))

const brotli: Decoder = (body, maxBytes, open) =>
  brotliDecompressSync(body, {
    chunkSize: CHUNK_BYTES,
    maxOutputLength: maxBytes,
    finishFlush: open ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_FINISH,
  })

const zstd: Decoder = (body, maxBytes, open) =>
  zstdDecompressSync(body, {
    chunkSize: CHUNK_BYTES,
    maxOutputLength: maxBytes,
    finishFlush: open ? constants.ZSTD_e_flush : constants.ZSTD_e_end,
    params: ZSTD_PARAMS,
  })

function zlibOptions(maxBytes: number, open: boolean): ZlibOptions {
  return {
    chunkSize: CHUNK_BYTES,
    maxOutputLength: maxBytes,
    finishFlush: open ? constants.Z_SYNC_FLUSH : constants.Z_FINISH,
  }
}

/** A gzip body ends with its decoded size; one buffer of that size avoids joining several. */
function chunkFor(body: Uint8Array, maxBytes: number): number {
  const n = body.byteLength
  if (n < 18) return CHUNK_BYTES
  const claimed = new DataView(body.buffer, body.byteOffset).getUint32(n - 4, true)
  return Math.max(CHUNK_BYTES, Math.min(claimed + 64, maxBytes + 64, MAX_CHUNK_BYTES))
}

/** The decoded body, or the reason in words why there is none. */
function decodeAll(decoder: Decoder, body: Uint8Array, maxBytes: number): Attempt | string {
  try {
    return { bytes: decoder(body, maxBytes, false), truncated: false }
  } catch (error) {
    const bytes = decodePrefix(decoder, body, maxBytes)
    if (bytes.byteLength > 0) return { bytes, truncated: true }
    return isTooLarge(error) ? 'expands beyond all bounds' : 'is damaged'
  }
}

function isTooLarge(error: unknown): boolean {
  return errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
}

/**
 * Decodes the longest valid prefix of the body, or any prefix that reaches the limit. Longer prefixes yield
 * more until one fails, so bisection finds it in a few dozen bounded calls.
 */
function decodePrefix(decoder: Decoder, body: Uint8Array, maxBytes: number): Uint8Array {
  let best: Uint8Array = new Uint8Array(0)
  let sound = 0
  let failing = body.byteLength + 1
  let length = body.byteLength
  while (length > sound && length < failing) {
    try {
      best = decoder(body.subarray(0, length), maxBytes + SPARE_BYTES, true)
      if (best.byteLength >= maxBytes) return best
      sound = length
    } catch {
      failing = length
    }
    length = (sound + failing) >>> 1
  }
  return best
}

/** For a body that is not in its declared coding: some servers send such pages as plain text. */
function looksLikeText(body: Uint8Array): boolean {
  for (const byte of body.subarray(0, 64)) {
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) return false
  }
  return true
}

export function hasBytes(body: Uint8Array, first: number, second: number): boolean {
  return body[0] === first && body[1] === second
}

export function hasZlibHeader(body: Uint8Array): boolean {
  const [first = 0, second = 0] = body
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}
