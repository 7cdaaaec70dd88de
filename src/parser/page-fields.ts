// Builds the row of `pages` for a body from the request, the parsed content and the judgement of the focus.
import { hash } from 'node:crypto'
import type { PageFields } from '../core/page.ts'
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
}

/** Hash of a decoded body, see PageFields.contentHash. */
export function contentHashOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex').slice(0, 32)
}

export function pageFields({ head, body, content, seen, noindex, startedAt }: PageRow): PageFields {
  return {
    url: head.url,
    ...content,
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
