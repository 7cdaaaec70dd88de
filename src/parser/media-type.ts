// Decides which bodies are parsed, and as which type. The declared type is believed unless the
// bytes plainly contradict it.
import { isAscii, isUtf8 } from 'node:buffer'
import { computedMIMEType } from 'whatwg-mimetype'

type BodyFormat = 'html' | 'xhtml' | 'text'

/** How to read a body, or the type of a body that is not parsed. */
type TypeVerdict =
  | { readonly reading: BodyFormat; readonly type: string }
  | { readonly reading: null; readonly type: string }

/** The number of bytes that the MIME Sniffing Standard looks at. */
const SNIFF_BYTES = 1445
/** Text has no control characters; a page of another charset or with a typing error has a few. */
const MAX_CONTROL_SHARE = 0.05
const MIN_CONTROLS = 8
const CONTROL = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27 ? 1 : 0,
)
/** In UTF-16 any byte may be half of a letter. */
const UTF_16 = /^\s*utf-16/i
const LESS = 60
const HTML_TYPES: ReadonlyMap<string, BodyFormat> = new Map([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'xhtml'],
])

/** Judges by the declared type (essence, '' for none) and charset, and by the bytes. */
export function judgeType(declared: string, body: Uint8Array, charset = ''): TypeVerdict {
  if (declared === '' || declared === '*/*' || declared === 'unknown/unknown') {
    return judgeBytes(body)
  }
  const reading = HTML_TYPES.get(declared) ?? (declared.startsWith('text/') ? 'text' : null)
  if (reading === null) return { reading, type: declared }
  const disguised = disguisedType(body, UTF_16.test(charset))
  return disguised === null ? { reading, type: declared } : { reading: null, type: disguised }
}

function judgeBytes(body: Uint8Array): TypeVerdict {
  const type = computedMIMEType(body.subarray(0, SNIFF_BYTES)).essence
  if (type === 'text/html') return { reading: 'html', type }
  return { reading: type === 'text/plain' ? 'text' : null, type }
}

/** The true type of a body that claims to be text; null when it may be text. */
function disguisedType(body: Uint8Array, isUtf16: boolean): string | null {
  const head = body.subarray(0, SNIFF_BYTES)
  let controls = 0
  for (let at = 0; at < head.byteLength; at++) controls += CONTROL[head[at] ?? 0] ?? 0
  const isBinary = controls > maxControls(head) && !isUtf16 && !isWide(head)
  if (!isBinary && beginsLikeText(head)) return null
  const type = computedMIMEType(head).essence
  if (isMedia(type)) return type
  return isBinary ? 'application/octet-stream' : null
}

function maxControls(head: Uint8Array): number {
  return Math.max(MIN_CONTROLS, MAX_CONTROL_SHARE * head.byteLength)
}

function beginsLikeText(head: Uint8Array): boolean {
  const [first = LESS] = head
  return first === LESS || first === 32 || (first >= 9 && first <= 13)
}

function isMedia(type: string): boolean {
  return !type.startsWith('text/') && type !== 'application/octet-stream' && !type.endsWith('xml')
}

/**
 * UTF-16, recognised by its byte order mark, or because every other byte is NUL and there is no
 * other control character.
 */
function isWide(head: Uint8Array): boolean {
  const [first, second] = head
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  const nuls = [0, 0]
  for (let at = 0; at < head.byteLength; at++) {
    const byte = head[at] ?? 0
    if (byte === 0) nuls[at & 1] = (nuls[at & 1] ?? 0) + 1
    else if (CONTROL[byte] === 1) return false
  }
  const [even = 0, odd = 0] = nuls
  return Math.max(even, odd) > head.byteLength / 4 && Math.min(even, odd) === 0
}

type FileHeaders = {
  /** As in the headers of a response, '' for none. */
  readonly contentType: string
  readonly contentEncoding: string
}

/** Maps, because a file may be named like a property of Object.prototype. */
const ENCODINGS: ReadonlyMap<string, string> = new Map([
  ['gz', 'gzip'],
  ['br', 'br'],
  ['zst', 'zstd'],
])
const TYPES: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['shtml', 'text/html'],
  ['xhtml', 'application/xhtml+xml'],
  ['xht', 'application/xhtml+xml'],
  ['txt', 'text/plain'],
  ['text', 'text/plain'],
  ['log', 'text/plain'],
  ['md', 'text/markdown'],
  ['json', 'application/json'],
  ['js', 'text/javascript'],
  ['mjs', 'text/javascript'],
  ['css', 'text/css'],
  ['csv', 'text/csv'],
  ['svg', 'image/svg+xml'],
])
const HEAD_BYTES = 1024
const MARKUP = /^\s*</
const XML = /^\s*<\?xml\s/
const XHTML_ROOT = /<html[\s>]/

/**
 * The headers for a local file of this name (`page.html.gz`) with these first bytes, as a server would send
 * them. With an empty type the parser looks at the bytes as a browser does.
 */
export function fileHeaders(name: string, bytes: Uint8Array): FileHeaders {
  const contentEncoding = ENCODINGS.get(extensionOf(name)) ?? ''
  const bare = contentEncoding === '' ? name : name.slice(0, name.lastIndexOf('.'))
  const type = TYPES.get(extensionOf(bare)) ?? typeOf(bytes)
  const isSaved = contentEncoding === '' && type !== '' && isSavedAsUtf8(bytes)
  return { contentType: isSaved ? `${type}; charset=utf-8` : type, contentEncoding }
}

/**
 * A saved page is UTF-8 whatever its `<meta>` says: text in another encoding is almost never valid
 * UTF-8 by chance.
 */
function isSavedAsUtf8(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !isAscii(bytes)
}

/**
 * The standard accepts few tags as a sign of HTML, because it must not be fooled by strangers. A
 * user who passes a fragment of a page by hand means HTML.
 */
function typeOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')
  const start = head.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').replaceAll('\0', '')
  if (!MARKUP.test(start)) return ''
  if (!XML.test(start)) return 'text/html'
  return XHTML_ROOT.test(start) ? 'application/xhtml+xml' : ''
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}
