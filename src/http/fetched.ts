// The request and the result of a fetch.
import type { CanonicalUrl } from '../core/url.ts'
import type { RoomShare } from './body-reader.ts'

export type Fetched =
  | {
      readonly outcome: 'response'
      readonly status: number
      readonly headers: ResponseHeaders
      /** As received, up to the wanted size; still encoded. */
      readonly body: readonly Uint8Array[]
      /** All bytes received for it, including headers and framing. */
      readonly wireBytes: number
      /** The server had more than was wanted, or sent only a part. */
      readonly truncated: boolean
      /** Epoch milliseconds. */
      readonly startedAt: number
      readonly tookMs: number
    }
  /**
   * The server had closed an idle connection, and nothing came back. A retry is right, but it is one more
   * request, so it must wait for the host's delay. `crowded` is the error code if this machine has no file,
   * port or memory left for a connection; then nothing was sent.
   */
  | { readonly outcome: 'stale'; readonly crowded?: string }
  /** `private-address: 10.0.0.1`, `port: 6379`: nothing was sent. */
  | { readonly outcome: 'refused'; readonly reason: string }
  | {
      readonly outcome: 'failed'
      /** A code of FAILURES, followed by details for people. */
      readonly reason: string
      /** A retry may help. */
      readonly transient: boolean
      /** The host is the cause, not only this URL. */
      readonly hostFault: boolean
      /** Null if no request was sent. */
      readonly startedAt: number | null
      readonly tookMs: number
    }

export type FetchRequest = {
  readonly url: CanonicalUrl
  /** Called once, after the headers: the number of body bytes wanted; 0 for none. */
  wants(status: number, headers: ResponseHeaders): number
  /** Its share of the memory for long bodies; unlimited if missing. */
  readonly share?: RoomShare
  /** Called just before sending. If false, nothing is sent, and the result is `stale`. */
  mayStart?(): boolean
  /** The request is now sent on a connection. */
  onStart(): void
  /** The body of a POST; the request is a GET if missing. */
  readonly post?: Uint8Array
  /** Additional headers, or replacements for ours; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export type ResponseHeaders = {
  /** As sent; '' if missing, here and below. */
  readonly contentType: string
  readonly contentEncoding: string
  readonly location: string | null
  readonly retryAfter: string | null
  readonly etag: string
  readonly lastModified: string
  /** Every `X-Robots-Tag`, in order. */
  readonly robotsTag: readonly string[]
  readonly date: string | null
  readonly contentLength: number | null
}

type Raw = Readonly<Record<string, string | readonly string[] | undefined>>

/** More than this is noise. */
const MAX_ROBOTS_TAGS = 50
const NONE: readonly string[] = []
const DIGITS = /^\d{1,15}$/
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The few response headers that a crawl needs. If a header is repeated, the first counts, unless the
 * standard makes it a list. `raw` has lower-case names, and bytes as Latin-1.
 */
export function readHeaders(raw: Raw): ResponseHeaders {
  return {
    contentType: first(raw['content-type']) ?? '',
    contentEncoding: listed(raw['content-encoding']),
    location: locationOf(first(raw.location)),
    retryAfter: first(raw['retry-after']) ?? null,
    etag: first(raw.etag) ?? '',
    lastModified: first(raw['last-modified']) ?? '',
    robotsTag: all(raw['x-robots-tag']),
    date: first(raw.date) ?? null,
    contentLength: lengthOf(first(raw['content-length'])),
  }
}

function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value[0]
}

/** Encodings are applied in the order listed, over all lines. */
function listed(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.join(', ') ?? '')
}

function all(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return NONE
  return typeof value === 'string' ? [value] : value.slice(0, MAX_ROBOTS_TAGS)
}

/** Sites send raw UTF-8 here, against the standard. */
function locationOf(value: string | undefined): string | null {
  if (value === undefined || !/[^\x00-\x7f]/.test(value)) return value ?? null
  try {
    return utf8.decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}

function lengthOf(value: string | undefined): number | null {
  return value !== undefined && DIGITS.test(value) ? Number(value) : null
}
