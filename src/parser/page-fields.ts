// Builds the row of `pages` for a body from the request, the parsed content and the judgement of the focus.
import { hash } from 'node:crypto'
import type { PageFields } from '../core/page.ts'
import { type CanonicalUrl, pathOf } from '../core/url.ts'
import type { HandoverHead } from '../wire/handover.ts'
import type { FocusResult } from './focus.ts'

export type DecodedBody = {
  readonly bytes: Uint8Array
  readonly utf8: Buffer
  readonly type: string
  readonly charset: string
  readonly truncated: boolean
  readonly sizeBytes: number
  /** Includes the bytes beyond the limit for text; null when there are none. */
  readonly whole: Buffer | null
}

export type PageContent = Pick<
  PageFields,
  | 'canonicalUrl'
  | 'title'
  | 'description'
  | 'keywords'
  | 'author'
  | 'publishedAt'
  | 'language'
  | 'html5'
  | 'contentText'
  | 'kind'
  | 'about'
>

export const NO_CONTENT: PageContent = {
  canonicalUrl: null,
  title: '',
  description: '',
  keywords: '',
  author: '',
  publishedAt: null,
  language: '',
  html5: false,
  contentText: '',
  kind: 'other',
  about: '{}',
}

/** The sources of a row of `pages`. */
export type PageRow = {
  readonly head: HandoverHead
  readonly body: DecodedBody
  readonly content: PageContent
  readonly seen: FocusResult
  readonly noindex: boolean
  readonly startedAt: number
  readonly markdown: string
}

/** Hash of a decoded body, see PageFields.contentHash. */
export function contentHashOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex').slice(0, 32)
}

export function pageFields(row: PageRow): PageFields {
  const { head, body, content, seen, noindex, startedAt, markdown } = row
  return {
    url: head.url,
    ...content,
    markdown,
    statusCode: head.status,
    contentType: body.type,
    charset: body.charset,
    hot: !noindex && seen.hot,
    relevance: noindex ? null : seen.relevance,
    depth: head.depth,
    sizeBytes: body.sizeBytes,
    truncated: body.truncated,
    noindex,
    contentHash: contentHashOf(body.bytes),
    fetchedAt: head.fetchedAt,
    fetchMs: head.fetchMs,
    parseMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
    etag: head.etag,
    lastModified: head.lastModified,
  }
}

/** In a longer text the words of the address are a small part. */
const SHORT_TEXT = 4096
const MIN_OWN_WORD = 3
/** A small integer: other numbers are slow. */
const START = 0x811c9dc5 | 0
const PRIME = 0x01000193
const SPACE = 32
const LETTER = 1
const DIGIT = 2
/** Kind of each byte. Bytes of other scripts count as letters. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 48 && byte <= 57) return DIGIT
  return byte >= 128 || /[a-z]/i.test(String.fromCharCode(byte)) ? LETTER : 0
})

/**
 * A 32-bit hash that is equal for near copies. Two pages of one endless template (a calendar, a counter, a
 * page that is not there) tend to differ only in their numbers, in a token, or in words of their own
 * address: words that contain digits are left out and, for a short text, the words of its address. Never 0,
 * which means that there is no hash. `ofLong` computes that of a longer text in the memory where it lies.
 */
export function likenessOf(
  text: Uint8Array,
  url: CanonicalUrl,
  ofLong: ((bytes: number) => number) | null = null,
): number {
  if (text.length > SHORT_TEXT) {
    return (ofLong === null ? likenessOfLong(text) : ofLong(text.length)) >>> 0 || 1
  }
  const own = wordsOf(url)
  let hash = START
  let before = START
  let word = START
  let hasDigit = false
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0
    const kind = KINDS[byte] ?? 0
    if (kind === LETTER) {
      hash = Math.imul(hash ^ byte, PRIME)
      // The case of a letter is one bit.
      word = Math.imul(word ^ (byte | 32), PRIME)
    } else if (kind === DIGIT) {
      hasDigit = true
    } else if (word !== START || hasDigit) {
      if (hasDigit || own.has(word)) hash = before
      else hash = Math.imul(hash ^ SPACE, PRIME)
      before = hash
      word = START
      hasDigit = false
    }
  }
  const isLeftOut = hasDigit || own.has(word)
  return (isLeftOut ? before : hash) >>> 0 || 1
}

/** The same without a look at the address. */
function likenessOfLong(text: Uint8Array): number {
  let hash = START
  let before = START
  /** Letters and digits since the last word: bits of KINDS. */
  let seen = 0
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0
    const kind = KINDS[byte] ?? 0
    if (kind === LETTER) hash = Math.imul(hash ^ byte, PRIME)
    else if (kind === 0 && seen !== 0) {
      hash = (seen & DIGIT) === 0 ? Math.imul(hash ^ SPACE, PRIME) : before
      before = hash
      seen = 0
    }
    seen |= kind
  }
  return (seen & DIGIT) === 0 ? hash : before
}

function wordsOf(url: CanonicalUrl): ReadonlySet<number> {
  const words = new Set<number>()
  for (const [text] of pathOf(url).matchAll(/[a-z]+/gi)) {
    if (text.length < MIN_OWN_WORD) continue
    let word = START
    for (let at = 0; at < text.length; at++) {
      word = Math.imul(word ^ (text.charCodeAt(at) | 32), PRIME)
    }
    words.add(word)
  }
  return words
}
