// Asks the public search of a server.
import type { PublicResult } from '../../api/shapes/public-result.ts'

export type { PublicResult } from '../../api/shapes/public-result.ts'

type Question = {
  /** The folder that search.js was loaded from. */
  readonly server: string
  readonly key: string
  /** '': the first public crawl. */
  readonly crawl: string
  readonly text: string
  readonly limit: number
  readonly offset: number
}

export type Answer =
  | { readonly outcome: 'found'; readonly result: PublicResult }
  /** Try again after this time. */
  | { readonly outcome: 'busy'; readonly waitMs: number }
  /** The key or the site of the page is not accepted, or the crawl is not open. */
  | { readonly outcome: 'closed' }
  | { readonly outcome: 'failed' }

const PATIENCE_MS = 10_000
const MAX_WAIT_S = 15

/** Null if it was stopped by `signal`. */
export async function ask(question: Question, signal: AbortSignal): Promise<Answer | null> {
  const late = new AbortController()
  const giveUp = (): void => late.abort()
  const timer = setTimeout(giveUp, PATIENCE_MS)
  signal.addEventListener('abort', giveUp)
  try {
    const response = await fetch(addressOf(question), {
      signal: late.signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    })
    if (response.ok) return { outcome: 'found', result: await response.json() }
    const { status } = response
    if (status !== 429 && status !== 503) {
      return { outcome: status >= 400 && status < 500 ? 'closed' : 'failed' }
    }
    const seconds = Number(response.headers.get('retry-after') ?? 1)
    return { outcome: 'busy', waitMs: 1000 * Math.min(MAX_WAIT_S, Math.max(1, seconds || 1)) }
  } catch {
    return signal.aborted ? null : { outcome: 'failed' }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  }
}

/** All of it is in the address: a request with headers of its own would be asked about before each one. */
function addressOf({ server, key, crawl, text, limit, offset }: Question): URL {
  const url = new URL('public/search', server)
  const query = { key, q: text, typing: 'true', limit: String(limit), offset: String(offset) }
  url.search = String(new URLSearchParams(crawl === '' ? query : { ...query, crawl }))
  return url
}
