// Any charset to UTF-8, by the WHATWG rules: byte order mark, header, declaration in the first
// kilobyte, and what the bytes themselves say when nobody declared anything. The result stays
// bytes: UTF-8 is scanned as it is (no byte of a longer character looks like ASCII), so that only
// what is kept ever becomes a string, and most pages need no work here at all.
import { isAscii, isUtf8 } from 'node:buffer'
import sniffEncoding from 'html-encoding-sniffer'
import { MIMEType } from 'whatwg-mimetype'

export type Decoded = {
  /** Without a byte order mark. May hold malformed sequences: they become U+FFFD when read. */
  readonly utf8: Buffer
  /** The encoding's WHATWG name, in lower case. */
  readonly charset: string
}

export type MediaType = {
  /** `text/html`, lower case; '' when there is none or it is nonsense. */
  readonly essence: string
  /** The charset label as declared; '' when there is none. */
  readonly charset: string
}

const NO_TYPE: MediaType = { essence: '', charset: '' }
const MAX_HEADER_LENGTH = 1024
const MAX_KEPT_TYPES = 256
const keptTypes = new Map<string, MediaType>()

/** Reads a Content-Type header. Servers repeat a handful of values, so these are kept. */
export function parseMediaType(header: string): MediaType {
  const kept = keptTypes.get(header)
  if (kept !== undefined) return kept
  const parsed = MIMEType.parse(header.slice(0, MAX_HEADER_LENGTH))
  const type =
    parsed === null
      ? NO_TYPE
      : { essence: parsed.essence, charset: parsed.parameters.get('charset') ?? '' }
  if (keptTypes.size >= MAX_KEPT_TYPES) keptTypes.clear()
  keptTypes.set(header, type)
  return type
}

const UNDECLARED = 'undeclared'
/** A browser that meets a declaration late in the head starts over with it. */
const LATE_PRESCAN_BYTES = 65_536
const HEAD_END = /<(?:\/head|body|template|noscript)[\s/>]/i

/** The WHATWG name, lower case, of the encoding these bytes are in. */
export function sniffCharset(bytes: Uint8Array, label: string, xml = false): string {
  const options = { transportLayerEncodingLabel: label, defaultEncoding: UNDECLARED }
  const declared = sniffEncoding(bytes, xml ? { ...options, xml } : options)
  if (declared !== UNDECLARED) return declared.toLowerCase()
  if (xml || (isUtf8(bytes) && !isAscii(bytes))) return 'utf-8'
  return lateDeclaration(bytes)
}

/** What the head declares behind its first kilobyte; without that what the standard supposes. */
function lateDeclaration(bytes: Uint8Array): string {
  const start = asBuffer(bytes.subarray(0, LATE_PRESCAN_BYTES))
  const headEnd = start.toString('latin1').search(HEAD_END)
  const maxPrescanBytes = headEnd < 0 ? LATE_PRESCAN_BYTES : headEnd
  return sniffEncoding(bytes, { maxPrescanBytes }).toLowerCase()
}

/** Decodes a body whose charset `label` came with its Content-Type ('' for none). Never throws. */
export function toUtf8(bytes: Uint8Array, label: string, xml = false): Decoded {
  const charset = sniffCharset(bytes, label, xml)
  if (charset === 'utf-8') return { utf8: withoutMark(bytes), charset }
  if (!NOT_ASCII.has(charset) && isAscii(bytes)) return { utf8: asBuffer(bytes), charset }
  return { utf8: Buffer.from(decoderOf(charset)(bytes)), charset }
}

/** Encodings in which a plain ASCII byte may mean something else. */
const NOT_ASCII = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp', 'replacement'])

const decoders = new Map<string, (bytes: Uint8Array) => string>()

function decoderOf(charset: string): (bytes: Uint8Array) => string {
  const kept = decoders.get(charset)
  if (kept !== undefined) return kept
  const decode = createDecoder(charset)
  decoders.set(charset, decode)
  return decode
}

function createDecoder(charset: string): (bytes: Uint8Array) => string {
  // The standard's answer to encodings that were used to smuggle scripts past filters.
  if (charset === 'replacement') return (bytes) => (bytes.byteLength === 0 ? '' : '\uFFFD')
  const decoder = new TextDecoder(charset)
  return (bytes) => decoder.decode(bytes)
}

function withoutMark(bytes: Uint8Array): Buffer {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return asBuffer(marked ? bytes.subarray(3) : bytes)
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
