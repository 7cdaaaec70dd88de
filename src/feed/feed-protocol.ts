// Reports page changes to other programs over a Unix socket, as lines of JSON. docs/FEED.md is for the
// authors of such programs.
//
// The server only reads the store's change log (store/change-feed.ts) and keeps no state about listeners;
// each listener keeps its own cursor. So a change may be sent twice, but is never lost, and a slow listener
// costs nothing: less is read for it.
//
// Pages themselves are not sent. A listener reads a page's text from the store by its id.
import { CHANGES, type Change, type PageChange } from '../store/change-feed.ts'

/** The request of a listener. */
export type FeedRequest = {
  /** Continue after this cursor. */
  readonly after: number
  /**
   * The store that the cursor belongs to; null if not given. A request that has it, even '', gets a greeting.
   */
  readonly store: string | null
}

/** A message as a listener reads it. */
export type Told = {
  readonly cursor: number
  readonly change: Change
  readonly id: number | null
  readonly url: string | null
  readonly crawl: number
}

/** A request has some dozen bytes. */
export const MAX_REQUEST_BYTES = 4096
/** Limit of a message: a URL has at most 2,083 characters. */
export const MAX_TOLD_BYTES = 64 * 1024

/** No store reaches this cursor. Larger numbers are not exact. */
const MAX_CURSOR = Number.MAX_SAFE_INTEGER

/** One line, with its line end. */
export function lineOf(change: PageChange): string {
  const { cursor, change: what, pageId, url, crawlId, duplicateOf, noindex, reason } = change
  const line: Record<string, string | number | boolean | null> = {
    ...{ cursor, change: what, id: pageId, url, crawl: crawlId },
    ...(duplicateOf === null ? {} : { duplicate_of: duplicateOf }),
    ...(noindex ? { noindex } : {}),
    ...(reason === '' ? {} : { reason }),
  }
  return `${JSON.stringify(line)}\n`
}

/** The greeting for a request that names a store: this store, the position, and the last cursor. */
export function greetingOf(store: string, cursor: number, last: number): string {
  return `${JSON.stringify({ store, cursor, last })}\n`
}

export const NOT_UNDERSTOOD = `${JSON.stringify({
  error: 'not understood; a request is one line such as {"after":0}',
})}\n`

/** Null if the line is no request. */
export function decodeRequest(line: string): FeedRequest | null {
  const asked = objectFrom(line)
  const after = asked?.after
  const store = asked?.store ?? null
  if (typeof after !== 'number' || !Number.isInteger(after)) return null
  if (after < 0 || after > MAX_CURSOR) return null
  if (store !== null && typeof store !== 'string') return null
  return { after, store }
}

/** Null if the line is no change. */
export function decodeTold(line: string): Told | null {
  const { cursor, change, id = null, url = null, crawl } = objectFrom(line) ?? {}
  const what = CHANGES.find((known) => known === change)
  if (what === undefined || typeof cursor !== 'number' || typeof crawl !== 'number') return null
  if (id !== null && typeof id !== 'number') return null
  if (url !== null && typeof url !== 'string') return null
  return { cursor, change: what, id, url, crawl }
}

function objectFrom(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { ...value } : null
  } catch {
    return null
  }
}

// Splits a stream of bytes into lines of limited length.

const LINE_FEED = 0x0a

export class LineCutter {
  readonly #maxBytes: number
  #pieces: Buffer[] = []
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * The lines that are complete now, without line ends. Null for a line that is too long; nothing follows it.
   */
  *push(bytes: Buffer): Generator<string | null> {
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      if (!this.#keep(bytes.subarray(start, end))) return yield null
      start = end + 1
      yield this.#take()
    }
    // Copied: the buffer belongs to the caller.
    if (!this.#keep(Buffer.from(bytes.subarray(start)))) yield null
  }

  #keep(piece: Buffer): boolean {
    this.#length += piece.length
    if (this.#length > this.#maxBytes) return false
    this.#pieces.push(piece)
    return true
  }

  #take(): string {
    const line = Buffer.concat(this.#pieces).toString('utf8')
    this.#pieces = []
    this.#length = 0
    return line
  }
}
