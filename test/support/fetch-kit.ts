// A fetcher with short limits, a hostile site, and ways to ask and to look at the answer.
import assert from 'node:assert/strict'
import { type CanonicalUrl, canonicalise } from '../../src/core/url.ts'
import {
  type Fetched,
  type Fetcher,
  type FetcherOptions,
  type FetchRequest,
  openFetcher,
} from '../../src/http/fetcher.ts'
import { type HostileSite, openHostileSite } from './hostile-server.ts'

export type Response = Extract<Fetched, { outcome: 'response' }>
export type FetchKit = AsyncDisposable & {
  readonly site: HostileSite
  /** With so much time that only a misdeed can end a request, however busy the machine. */
  fetch(path: string, request?: Partial<FetchRequest>): Promise<Fetched>
  /** With so little time that a server which does not go on is given up soon. */
  fetchHastily(path: string): Promise<Fetched>
}

/** How much of a body the requests below want, unless they redirect. */
export const WANTED = 100_000

/** Trusts the hostile site only. Its end asserts that no connection and no rejection is left over. */
export async function openFetchKit(): Promise<FetchKit> {
  const stray: unknown[] = []
  const onStray = (error: unknown): number => stray.push(error)
  process.on('unhandledRejection', onStray)
  const site = await openHostileSite()
  const trustedHosts = new Set([site.host])
  const patient = openTestFetcher({ trustedHosts })
  const hasty = openTestFetcher({ trustedHosts, limits: { headersMs: 150, idleMs: 150 } })
  return {
    site,
    fetch: (path, request) => fetchWith(patient, `${site.origin}/${path}`, request),
    fetchHastily: (path) => fetchWith(hasty, `${site.origin}/${path}`),
    [Symbol.asyncDispose]: async () => {
      await patient[Symbol.asyncDispose]()
      await hasty[Symbol.asyncDispose]()
      await site.quiet()
      await site[Symbol.asyncDispose]()
      process.off('unhandledRejection', onStray)
      assert.deepEqual(stray, [])
    },
  }
}

export function openTestFetcher(options: Partial<FetcherOptions> = {}): Fetcher {
  return openFetcher({
    userAgent: 'Jelajah-test/1',
    timeoutMs: 30_000,
    proxies: [],
    connectTo: [],
    dns: [],
    allowPrivate: false,
    http2: false,
    insecureTls: false,
    concurrency: 8,
    perHost: 1,
    trustedHosts: new Set(),
    ...options,
  })
}

export function fetchWith(
  fetcher: Fetcher,
  href: string,
  request: Partial<FetchRequest> = {},
): Promise<Fetched> {
  const wants = (status: number): number => (status >= 300 && status < 400 ? 0 : WANTED)
  return fetcher.fetch({
    url: canonicalise(href) as CanonicalUrl,
    wants,
    onStart: () => {},
    ...request,
  })
}

export function response(fetched: Fetched): Response {
  if (fetched.outcome === 'response') return fetched
  return assert.fail(summary(fetched))
}

export function text(fetched: Fetched): string {
  return Buffer.concat(response(fetched).body).toString('latin1')
}

/** `failed private-address: 10.0.0.1`, or `response 200`. */
export function summary(fetched: Fetched): string {
  if (fetched.outcome === 'stale') return 'stale'
  return `${fetched.outcome} ${fetched.outcome === 'response' ? fetched.status : fetched.reason}`
}
