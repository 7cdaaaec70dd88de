// What became of pages, told to other programs over a Unix socket: lines of JSON, in any language.
// docs/FEED.md is what their authors read.
//
// The one who serves only reads the store's log of changes (store/change-feed.ts) and keeps nothing
// about who listens: the cursor is the listener's to keep. So a change may be told twice, never not at
// all, and a slow listener costs nothing: for it, less is read.
//
// Left out: pages themselves. Whoever wants a page's text asks the store for it by its id.
import { CHANGES, type Change, type PageChange } from '../store/change-feed.ts'

/** What a listener may ask. */
export type FeedRequest = {
  /** Go on after this cursor. */
  readonly after: number
  /** Of which store the cursor is; null when nothing was said. Who says it, also '', is told so, too. */
  readonly store: string | null
}

/** A line as a listener reads it. */
export type Told = {
  readonly cursor: number
  readonly change: Change
  readonly id: number | null
  readonly url: string | null
  readonly crawl: number
}

/** A request is some dozen bytes. */
export const MAX_REQUEST_BYTES = 4096
/** Of what is told: a URL has 2,083 characters at most. */
export const MAX_TOLD_BYTES = 64 * 1024

/** A cursor that no store reaches; larger ones cannot be told apart. */
const MAX_CURSOR = Number.MAX_SAFE_INTEGER

/** One line, with its end. */
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

/** The answer to a request that names a store: which this is, where it goes on, how far there is. */
export function greetingOf(store: string, cursor: number, last: number): string {
  return `${JSON.stringify({ store, cursor, last })}\n`
}

export const NOT_UNDERSTOOD = `${JSON.stringify({
  error: 'not understood; a request is one line such as {"after":0}',
})}\n`

/** Null for what is no request. */
export function decodeRequest(line: string): FeedRequest | null {
  const asked = objectFrom(line)
  const after = asked?.after
  const store = asked?.store ?? null
  if (typeof after !== 'number' || !Number.isInteger(after)) return null
  if (after < 0 || after > MAX_CURSOR) return null
  if (store !== null && typeof store !== 'string') return null
  return { after, store }
}

/** Null for what is no change. */
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
