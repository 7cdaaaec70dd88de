// The records of a page: its response, as far as it is known, and its metadata.
//
// A stored body is what the server sent, after transfer and content decoding, in its original charset. Only
// some headers were stored; the response is rebuilt from these.
import { STATUS_CODES } from 'node:http'
import { partRows } from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { WholePage } from '../../store/page-reader.ts'
import { surt } from '../surt.ts'
import { digestOf, linesOf, type RecordField, recordId, timeOf, type WarcRecord } from './record.ts'

/** Headers with other characters are not what the server sent, and are left out. */
const PLAIN = /^[\x20-\x7e]+$/

export type PageRecords = {
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

export type Capture = {
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
