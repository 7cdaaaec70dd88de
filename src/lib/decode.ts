// Converts any charset to UTF-8, by the WHATWG rules: byte order mark, header, declaration in the first
// kilobyte, and a guess from the bytes if nothing is declared. The result stays bytes: UTF-8 can be scanned
// directly (no byte of a longer character looks like ASCII), so only text that is kept becomes a string, and
// most pages need no conversion at all.
import { isAscii, isUtf8 } from 'node:buffer'
import sniffEncoding from 'html-encoding-sniffer'
import { MIMEType } from 'whatwg-mimetype'

type Decoded = {
  /** Without a byte order mark. May hold malformed sequences: they become U+FFFD when read. */
  readonly utf8: Buffer
  /** The encoding's WHATWG name, in lower case. */
  readonly charset: string
}

type MediaType = {
  /** `text/html`, lower case; '' if it is missing or invalid. */
  readonly essence: string
  /** The charset label as declared; '' if there is none. */
  readonly charset: string
}

const NO_TYPE: MediaType = { essence: '', charset: '' }
const MAX_HEADER_LENGTH = 1024
const MAX_KEPT_TYPES = 256
const keptTypes = new Map<string, MediaType>()

/** Parses a Content-Type header. Servers repeat a handful of values, so the results are cached. */
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
const PRESCAN_BYTES = 1024
/** A tag that begins before that counts, unless it is longer than this. */
const MAX_TAG_BYTES = 1024
/** A browser that finds a declaration late in the head starts again with it. */
const LATE_PRESCAN_BYTES = 65_536
/** The parts of a head: its end, a declaration, and elements that contain no tags. */
const HEAD_PIECES =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|title|textarea|noscript|noframes|template)[\s/>][\s\S]*?(?:<\/\1|$)|<meta[\s/][^>]*>|<(?:\/head|body)[\s/>]/gi
const HEAD_END = /^<(?:\/head|body)/i
const META = /^<meta/i

/** The WHATWG name, lower case, of the encoding these bytes are in. */
export function sniffCharset(bytes: Uint8Array, label: string, xml = false): string {
  const options = { transportLayerEncodingLabel: label, defaultEncoding: UNDECLARED }
  const own = xml ? { xml } : { maxPrescanBytes: prescanEnd(bytes) }
  const declared = sniffEncoding(bytes, { ...options, ...own })
  if (declared !== UNDECLARED) return declared.toLowerCase()
  const text = whole(bytes)
  if (xml || (isUtf8(text) && !isAscii(text))) return 'utf-8'
  return lateDeclaration(bytes)
}

/** A kilobyte, extended to the end of the tag at its border. */
function prescanEnd(bytes: Uint8Array): number {
  const start = asBuffer(bytes.subarray(0, PRESCAN_BYTES))
  if (start.length < PRESCAN_BYTES || start.lastIndexOf('<') <= start.lastIndexOf('>')) {
    return PRESCAN_BYTES
  }
  const end = asBuffer(bytes.subarray(PRESCAN_BYTES, PRESCAN_BYTES + MAX_TAG_BYTES)).indexOf('>')
  return PRESCAN_BYTES + end + 1
}

/** A truncated body may end within a character. */
function whole(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

/** The declaration after the first kilobyte of the head; the standard's default if there is none. */
function lateDeclaration(bytes: Uint8Array): string {
  const start = asBuffer(bytes.subarray(0, LATE_PRESCAN_BYTES)).toString('latin1')
  let declarations = ''
  for (const [piece] of start.slice(0, start.lastIndexOf('>') + 1).matchAll(HEAD_PIECES)) {
    if (HEAD_END.test(piece)) break
    if (META.test(piece)) declarations += piece
  }
  const maxPrescanBytes = declarations.length
  return sniffEncoding(Buffer.from(declarations, 'latin1'), { maxPrescanBytes }).toLowerCase()
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
  // The standard's replacement for encodings that were used to smuggle scripts past filters.
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
