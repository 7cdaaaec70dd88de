// What a server would say about a file: its type by its name, or by how it begins. An empty answer
// leaves it to the parser, which then looks at the bytes as a browser does.

import { isAscii, isUtf8 } from 'node:buffer'

export type FileHeaders = {
  /** '' for none, as in the headers of an answer; here and below. */
  readonly contentType: string
  readonly contentEncoding: string
}

/** Maps, since a file may have any name: also that of something every object has. */
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

/** The headers for a file of this name (`page.html.gz`) with these first bytes. */
export function fileHeaders(name: string, bytes: Uint8Array): FileHeaders {
  const contentEncoding = ENCODINGS.get(extensionOf(name)) ?? ''
  const bare = contentEncoding === '' ? name : name.slice(0, name.lastIndexOf('.'))
  const type = TYPES.get(extensionOf(bare)) ?? typeOf(bytes)
  const isSaved = contentEncoding === '' && type !== '' && isSavedAsUtf8(bytes)
  return { contentType: isSaved ? `${type}; charset=utf-8` : type, contentEncoding }
}

/**
 * A page that was saved is UTF-8 by then, whatever its own `<meta>` still says; text in another
 * encoding is as good as never valid UTF-8 by chance.
 */
function isSavedAsUtf8(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !isAscii(bytes)
}

/**
 * The standard takes few tags for a sign of HTML, since it must not be fooled by a stranger. Somebody
 * who hands us a piece of a page by hand means what it looks like.
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
