// What a fetch asks for and what it brings.
import type { CanonicalUrl } from '../core/url.ts'
import type { RoomShare } from './body-reader.ts'

export type Fetched =
  | {
      readonly outcome: 'response'
      readonly status: number
      readonly headers: ResponseHeaders
      /** As it came, up to what was wanted; still encoded. */
      readonly body: readonly Uint8Array[]
      /** All that was received for it, headers and framing included. */
      readonly wireBytes: number
      /** The server had more of it than was wanted, or sent only a part. */
      readonly truncated: boolean
      /** Epoch milliseconds. */
      readonly startedAt: number
      readonly tookMs: number
    }
  /**
   * A kept connection that the server had closed: nothing came back. Asking again is right, but it is
   * one more request, so in the host's own time. `crowded`: this machine has no file, port or memory left
   * for a connection, as this code says; nothing was sent.
   */
  | { readonly outcome: 'stale'; readonly crowded?: string }
  /** `private-address: 10.0.0.1`, `port: 6379`: nothing was sent. */
  | { readonly outcome: 'refused'; readonly reason: string }
  | {
      readonly outcome: 'failed'
      /** A code of FAILURES, then what helps a person. */
      readonly reason: string
      /** Trying again may help. */
      readonly transient: boolean
      /** It says something about the host, not only about this URL. */
      readonly hostFault: boolean
      /** Null when no request went out. */
      readonly startedAt: number | null
      readonly tookMs: number
    }

export type FetchRequest = {
  readonly url: CanonicalUrl
  /** Asked once at the headers: how many bytes of the body are wanted; 0: none. */
  wants(status: number, headers: ResponseHeaders): number
  /** Of the memory for long bodies; left out: it may have what it wants. */
  readonly share?: RoomShare
  /** Asked when it is about to go out: false, and it does not, but comes back as `stale`. */
  mayStart?(): boolean
  /** The request goes out on a connection now. */
  onStart(): void
  /** What is sent along, which makes it a POST; absent: a GET. */
  readonly post?: Uint8Array
  /** Besides our own, or in their place; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

// The few response headers a crawl needs. Of a header that is sent twice the first counts, except
// where the standard makes a list of it.

export type ResponseHeaders = {
  /** As sent; '' when absent, here and below. */
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

/** More than this of one kind is noise. */
const MAX_ROBOTS_TAGS = 50
const NONE: readonly string[] = []
const DIGITS = /^\d{1,15}$/
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** `raw` has lower-case names and its bytes as Latin-1. */
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

/** Sites write raw UTF-8 here, whatever the standard says, and mean it. */
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
