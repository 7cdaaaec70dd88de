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
