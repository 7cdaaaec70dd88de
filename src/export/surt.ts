// The key of a URL in an index of archived pages (CDXJ). The host is reversed, so that the pages of a site
// sort together, and the URL is normalized as web archive tools do before a lookup. They do more than
// core/url.ts: URLs that differ only in case, www, query order or percent-encoding have one key. pywb finds
// nothing in an index with other keys.
import { type CanonicalUrl, hostOf, pathOf } from '../core/url.ts'

const WWW = /^www\d*\./
const PORT = /:\d+$/
/** Query arguments that identify a session, not a page. */
const SESSION = /^(?:(?:jsessionid|phpsessid|sid)=[0-9a-z]{32}|aspsessionid[a-z]{8}=[a-z]{24})$/

const PERCENT = 0x25

/** `https://www.Example.com/A/?b=2&a=1` becomes `com,example)/a?a=1&b=2`. ASCII without spaces. */
export function surt(url: CanonicalUrl): string {
  const [host, port] = splitPort(hostOf(url).replace(WWW, ''))
  const path = pathOf(url)
  const mark = path.indexOf('?')
  const name = host.startsWith('[') ? host : host.split('.').reverse().join(',')
  const bare = tidyPath(respelled(mark < 0 ? path : path.slice(0, mark)))
  return `${name}${port})${bare}${mark < 0 ? '' : tidyQuery(respelled(path.slice(mark + 1)))}`
}

function splitPort(host: string): readonly [name: string, port: string] {
  const port = PORT.exec(host)?.[0] ?? ''
  return [host.slice(0, host.length - port.length), port]
}

/** Removes empty segments, dot segments and the trailing slash. */
function tidyPath(path: string): string {
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return `/${kept.join('/')}`
}

function tidyQuery(query: string): string {
  const all = query.split('&').filter((argument) => !SESSION.test(argument))
  const sorted = all.map(keyed).sort((a, b) => compare(a.name, b.name) || compare(a.rest, b.rest))
  const text = sorted.map(({ name, rest }) => name + rest).join('&')
  return text === '' ? '' : `?${text}`
}

function keyed(argument: string): { readonly name: string; readonly rest: string } {
  const equals = argument.indexOf('=')
  const at = equals < 0 ? argument.length : equals
  return { name: argument.slice(0, at), rest: argument.slice(at) }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Lower case, with percent-encoding only where a character needs it. */
function respelled(text: string): string {
  let spelled = ''
  for (const byte of unescaped(Buffer.from(text, 'utf8'))) {
    const plain = byte > 0x20 && byte < 0x7f && byte !== PERCENT && byte !== 0x23
    spelled += plain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`
  }
  return spelled.toLowerCase()
}

/** Decodes until nothing is escaped, in one pass: a decoded byte may complete another escape. */
function unescaped(bytes: Buffer): Buffer {
  let length = 0
  for (const byte of bytes) {
    bytes[length++] = byte
    while (length >= 3 && bytes[length - 3] === PERCENT) {
      const value = hexOf(bytes[length - 2] ?? 0, bytes[length - 1] ?? 0)
      if (value < 0) break
      length -= 2
      bytes[length - 1] = value
    }
  }
  return bytes.subarray(0, length)
}

function hexOf(high: number, low: number): number {
  const [tens, ones] = [digitOf(high), digitOf(low)]
  return tens < 0 || ones < 0 ? -1 : tens * 16 + ones
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
