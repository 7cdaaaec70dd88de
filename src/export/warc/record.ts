// Records of a web archive (WARC 1.1, ISO 28500), each a separate gzip member, so that a reader can start at
// any of them. Records are built from known values, never passed through: whatever was stored, a field is one
// line, and a length is that of the bytes that follow.
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'

const gzip = promisify(gzipWithCallback)

export type RecordField = readonly [name: string, value: string]

export type WarcRecord = {
  readonly type: 'warcinfo' | 'response' | 'metadata'
  /** Made by `recordId`. */
  readonly id: string
  /** Epoch ms. */
  readonly date: number
  readonly contentType: string
  readonly fields: readonly RecordField[]
  readonly block: Uint8Array
}

/** The record as bytes of the file. */
export async function encodeRecord(record: WarcRecord): Promise<Buffer> {
  const { type, id, date, contentType, fields, block } = record
  const head = linesOf([
    ['WARC-Type', type],
    ['WARC-Record-ID', id],
    ['WARC-Date', timeOf(date)],
    ...fields,
    ['WARC-Block-Digest', digestOf(block)],
    ['Content-Type', contentType],
    ['Content-Length', String(block.byteLength)],
  ])
  return gzip(Buffer.concat([Buffer.from(`WARC/1.1\r\n${head}\r\n`), block, END]))
}

const END = Buffer.from('\r\n\r\n')

/** Fields as lines of text; also the block of records that consist of fields. */
export function linesOf(fields: readonly RecordField[]): string {
  return fields.map(([name, value]) => `${name}: ${oneLine(value)}\r\n`).join('')
}

/** Everything that could end a line, and lone surrogates, become a space. */
function oneLine(value: string): string {
  return value.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** A record id that depends only on its arguments. */
export function recordId(...from: readonly (string | number)[]): string {
  const hex = hash('sha256', JSON.stringify(from), 'hex')
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3)
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ]
  return `<urn:uuid:${groups.join('-')}>`
}

/** In the form that all archive readers can check. */
export function digestOf(bytes: Uint8Array): string {
  return `sha1:${base32(hash('sha1', bytes, 'buffer'))}`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** For whole groups of five bytes, such as a digest of twenty. */
function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET.charAt((held >>> bits) & 31)
    }
  }
  return text
}

const LAST_YEAR = Date.UTC(9999, 11, 31)

export function timeOf(ms: number): string {
  return new Date(Math.min(LAST_YEAR, Math.max(0, Math.round(ms) || 0))).toISOString()
}
