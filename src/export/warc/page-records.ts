// The records of a page: its response, as far as it is known, and its metadata.
//
// A stored body is what the server sent, after transfer and content decoding, in its original charset. Only
// some headers were stored; the response is rebuilt from these.
import { STATUS_CODES } from 'node:http'
import { partRows } from '../../core/page.ts'
import { type CanonicalUrl, hostOf, pathOf } from '../../core/url.ts'
import { byOrder } from '../../lib/sorted.ts'
import type { WholePage } from '../../store/page-reader.ts'
import { digestOf, linesOf, type RecordField, recordId, timeOf, type WarcRecord } from './record.ts'

/** Headers with other characters are not what the server sent, and are left out. */
const PLAIN = /^[\x20-\x7e]+$/

type PageRecords = {
  readonly response: WarcRecord
  readonly metadata: WarcRecord
  /** The digest of the body. */
  readonly digest: string
}

/** `begunAt`: start of the export, so that another export of the same page has other record ids. */
export function recordsOf(page: WholePage, body: Uint8Array, begunAt: number): PageRecords {
  const { id, url, fetchedAt: date } = page
  const digest = digestOf(body)
  const responseId = recordId('response', begunAt, id, url, date)
  const target: RecordField = ['WARC-Target-URI', targetOf(url)]
  const response: WarcRecord = {
    type: 'response',
    ...{ id: responseId, date },
    contentType: 'application/http; msgtype=response',
    fields: [target, ['WARC-Payload-Digest', digest], ...truncatedField(page, body)],
    block: Buffer.concat([Buffer.from(httpHead(page, body), 'latin1'), body]),
  }
  const metadata: WarcRecord = {
    type: 'metadata',
    ...{ id: recordId('metadata', begunAt, id, url, date), date },
    contentType: 'application/warc-fields',
    fields: [target, ['WARC-Concurrent-To', responseId]],
    block: Buffer.from(linesOf(metadataOf(page))),
  }
  return { response, metadata, digest }
}

/** Stored URLs have none of these characters; the encoding ensures that nothing can end a line. */
function targetOf(url: CanonicalUrl): string {
  return url.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent)
}

function truncatedField({ truncated, sizeBytes }: WholePage, body: Uint8Array): RecordField[] {
  if (!truncated) return []
  return [['WARC-Truncated', body.byteLength < sizeBytes ? 'length' : 'unspecified']]
}

function httpHead(page: WholePage, body: Uint8Array): string {
  const { statusCode, contentType, charset, etag, lastModified } = page
  const type = charset === '' ? contentType : `${contentType}; charset=${charset}`
  const kept: readonly RecordField[] = [
    ['Content-Type', type],
    ['Content-Length', String(body.byteLength)],
    ['ETag', etag],
    ['Last-Modified', lastModified],
  ]
  const headers = kept.filter(([, value]) => PLAIN.test(value))
  return `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}\r\n${linesOf(headers)}\r\n`
}

function metadataOf(page: WholePage): readonly RecordField[] {
  const { title, language, kind, relevance, depth, parts } = page
  const said: readonly RecordField[] = [
    ['title', title],
    ['language', language],
    ['kind', kind],
    ['relevance', relevance === null ? '' : String(relevance)],
    ['depth', String(depth)],
  ]
  const links = partRows('links', parts.links ?? '[]').flatMap(({ url }): RecordField[] => {
    return typeof url === 'string' ? [['outlink', url]] : []
  })
  return [...said.filter(([, value]) => value !== ''), ...links]
}

type Capture = {
  readonly filename: string
  readonly offset: number
  readonly length: number
  readonly digest: string
}

/** The index line with the position of the page's response; plain ASCII. */
export function cdxjLine(page: WholePage, capture: Capture): string {
  const { url, contentType, statusCode, fetchedAt } = page
  const found = JSON.stringify({
    url: targetOf(url),
    mime: PLAIN.test(contentType) ? contentType : '-',
    status: String(statusCode),
    digest: capture.digest,
    length: String(capture.length),
    offset: String(capture.offset),
    filename: capture.filename,
  })
  return `${surt(url)} ${timeOf(fetchedAt).replaceAll(/\D/g, '').slice(0, 14)} ${found}`
}

const WWW = /^www\d*\./
const PORT = /:\d+$/
/** Query arguments that identify a session, not a page. */
const SESSION = /^(?:(?:jsessionid|phpsessid|sid)=[0-9a-z]{32}|aspsessionid[a-z]{8}=[a-z]{24})$/

const PERCENT = 0x25

/**
 * `https://www.Example.com/A/?b=2&a=1` becomes `com,example)/a?a=1&b=2`. ASCII without spaces.
 *
 * The key of a URL in an index of archived pages (CDXJ). The host is reversed, so that the pages of a site
 * sort together, and the URL is normalized as web archive tools do before a lookup. They do more than
 * core/url.ts: URLs that differ only in case, www, query order or percent-encoding have one key. pywb finds
 * nothing in an index with other keys.
 */
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
  const sorted = all.map(keyed).sort((a, b) => byOrder(a.name, b.name) || byOrder(a.rest, b.rest))
  const text = sorted.map(({ name, rest }) => name + rest).join('&')
  return text === '' ? '' : `?${text}`
}

function keyed(argument: string): { readonly name: string; readonly rest: string } {
  const equals = argument.indexOf('=')
  const at = equals < 0 ? argument.length : equals
  return { name: argument.slice(0, at), rest: argument.slice(at) }
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
