// The network side of a visit: requests one URL once and returns the result, whatever a server does. This
// code knows nothing of HTML, queues or politeness.
//
//   fetch ──▶ route (guards, DNS) ──▶ idle connection of the origin ────▶ exchange ──▶ Fetched
//                              └──▶ new connection (TCP, proxy, TLS) ──┘
//
// Invariants
// - `fetch` never rejects and always ends within the limits; its socket is idle or closed by then.
// - No connection is made to an address the route did not allow.
// - Redirects are returned, not followed; no cookies, no Alt-Svc; bodies stay encoded.
import type { Dispatcher } from 'undici'
import { InvalidInput } from '../core/errors.ts'
import type { CrawlSettings } from '../core/job.ts'
import { type CanonicalUrl, pathOf } from '../core/url.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { parseProxy, type WebProxy } from './connect.ts'
import { ConnectionPool } from './connection-pool.ts'
import { Exchange, type FetchLimits } from './exchange.ts'
import { faultOf } from './failure.ts'
import type { Fetched, FetchRequest } from './fetched.ts'
import { Connector, connectionKey, type HttpConnection } from './http-connection.ts'
import { type Names, openNames } from './names.ts'
import type { OwnListeners } from './own-listeners.ts'
import { type Lookup, Resolver } from './resolver.ts'
import { Router } from './route.ts'

export type { Fetched, FetchRequest, ResponseHeaders } from './fetched.ts'

export interface Fetcher extends AsyncDisposable {
  fetch(request: FetchRequest): Promise<Fetched>
  /**
   * Starts the lookup of a URL's host before a request, and waits only briefly. Returns 0 if the lookup is
   * done and a fetch will not wait for it, else the milliseconds until a retry is worthwhile.
   */
  lookUp(url: CanonicalUrl): Promise<number>
  /** The addresses of a URL's host, if known without waiting; null if it is not looked up yet. */
  addressesOf(url: CanonicalUrl): readonly string[] | null
}

export type FetcherOptions = Pick<
  CrawlSettings,
  | 'userAgent'
  | 'timeoutMs'
  | 'proxies'
  | 'connectTo'
  | 'allowPrivate'
  | 'dns'
  | 'http2'
  | 'insecureTls'
  | 'concurrency'
  | 'perHost'
> & {
  /** See `RouterOptions`. */
  readonly trustedHosts: ReadonlySet<string>
  readonly seedHosts?: ReadonlySet<string>
  readonly ownListeners?: OwnListeners
  /** Shorter than the defaults (connect 10 s, headers 20 s, idle 15 s), for tests. */
  readonly limits?: Partial<Omit<FetchLimits, 'totalMs'>>
  readonly clock?: Clock
  /** The most idle connections. */
  readonly idle?: number
  /** Replaces hosts file, name servers and system, for tests. */
  readonly lookup?: Lookup
}

const LIMITS = { connectMs: 10_000, headersMs: 20_000, idleMs: 15_000 }
/** The longest delay before an exceeded limit is noticed. */
const SLOWEST_TICK_MS = 250
const ACCEPT = 'text/html, application/xhtml+xml, text/*;q=0.8, application/xml;q=0.8, */*;q=0.1'
/** Nearly every name needs less. Nobody waits for slower ones. */
const LOOK_UP_MS = 500
const GET = { method: 'GET' } as const
const ACCEPT_ENCODING = 'gzip, br, zstd, deflate'

/** The recommended number of idle connections. */
export function idleFor(concurrency: number): number {
  return 8 * concurrency + 64
}

export function openFetcher(options: FetcherOptions): Fetcher {
  return new UndiciFetcher(options)
}

class UndiciFetcher implements Fetcher {
  readonly #limits: FetchLimits
  readonly #clock: Clock
  readonly #names: Names
  readonly #resolver: Resolver
  readonly #router: Router
  readonly #opener: Connector
  readonly #proxies: readonly WebProxy[]
  readonly #headers: Readonly<Record<string, string>>
  readonly #plainHeaders: string[]
  readonly #pool: ConnectionPool<HttpConnection>
  readonly #underWay = new Set<Exchange>()
  readonly #tickMs: number
  #ticker: NodeJS.Timeout | null = null
  #nextProxy = 0
  #closed = false

  constructor(options: FetcherOptions) {
    const { clock = systemClock, lookup } = options
    const { http2, insecureTls, concurrency, perHost } = options
    this.#limits = { ...LIMITS, ...options.limits, totalMs: options.timeoutMs }
    this.#tickMs = Math.min(SLOWEST_TICK_MS, Math.min(...Object.values(this.#limits)) / 4)
    this.#clock = clock
    this.#proxies = options.proxies.map(parseProxy)
    const proxied = this.#proxies.length > 0
    const names = openNames({ servers: options.dns })
    this.#names = names
    const resolver = new Resolver({ lookup: lookup ?? ((name) => names.lookup(name)) })
    const router = new Router({ ...options, resolver, proxied })
    this.#resolver = resolver
    this.#router = router
    const onGone = (connection: HttpConnection): void => this.#pool.drop(connection)
    this.#opener = new Connector({ router, resolver, http2, insecureTls, onGone })
    this.#pool = new ConnectionPool({
      perOrigin: perHost,
      total: options.idle ?? idleFor(concurrency),
    })
    this.#headers = ownHeaders(options.userAgent)
    this.#plainHeaders = Object.entries(this.#headers).flat()
  }

  fetch(request: FetchRequest): Promise<Fetched> {
    return new Promise((resolve) => {
      const cancel = (): void => exchange.cancel()
      const exchange = new Exchange({
        request,
        limits: this.#limits,
        clock: this.#clock,
        proxied: this.#proxies.length > 0,
        onResult: (fetched) => {
          this.#underWay.delete(exchange)
          // Idle connections are the first that can be spared.
          if (fetched.outcome === 'stale' && fetched.crowded !== undefined) this.#pool.empty()
          request.signal?.removeEventListener('abort', cancel)
          resolve(fetched)
        },
        onFree: (connection) => this.#pool.put(connection),
        onHttp2Trouble: () => this.#opener.withoutHttp2(request.url),
      })
      if (this.#closed || request.signal?.aborted) return cancel()
      request.signal?.addEventListener('abort', cancel)
      this.#underWay.add(exchange)
      this.#ticker ??= setInterval(() => this.#tick(), this.#tickMs).unref()
      this.#send(exchange)
    })
  }

  async lookUp(url: CanonicalUrl): Promise<number> {
    const name = this.#router.nameFor(new URL(url))
    return name === null ? 0 : this.#resolver.await(name, LOOK_UP_MS)
  }

  addressesOf(url: CanonicalUrl): readonly string[] | null {
    const name = this.#router.nameFor(new URL(url))
    if (name === null) return []
    const known = this.#resolver.known(name)
    return known === null ? null : (known.addresses ?? [])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#names.close()
    if (this.#ticker !== null) clearInterval(this.#ticker)
    for (const exchange of this.#underWay) exchange.cancel()
    this.#pool.close()
  }

  #tick(): void {
    const now = performance.now()
    for (const exchange of this.#underWay) exchange.check(now)
    if (this.#underWay.size > 0 || this.#ticker === null) return
    clearInterval(this.#ticker)
    this.#ticker = null
  }

  #send(exchange: Exchange): void {
    this.#sendTo(exchange, this.#takeProxy()).catch((error) =>
      exchange.fail(faultOf(error, 'connecting')),
    )
  }

  async #sendTo(exchange: Exchange, proxy: WebProxy | null): Promise<void> {
    const { request } = exchange
    const { url } = request
    const way = await this.#opener.wayTo(url, proxy)
    if (way.kind === 'refused') exchange.refuse(way.reason)
    else if (way.kind === 'failed') exchange.fail(way.fault)
    else {
      const kept = this.#pool.take(connectionKey(url, proxy), way.addresses)
      const connection = kept ?? this.#opener.open(url, proxy, way)
      exchange.sendOn(connection, this.#dispatchOptions(request, proxy))
    }
  }

  #takeProxy(): WebProxy | null {
    if (this.#proxies.length === 0) return null
    this.#nextProxy = (this.#nextProxy + 1) % this.#proxies.length
    return this.#proxies[this.#nextProxy] ?? null
  }

  #dispatchOptions(request: FetchRequest, proxy: WebProxy | null): Dispatcher.DispatchOptions {
    const { url, headers, post } = request
    const send = post === undefined ? GET : ({ method: 'POST', body: post } as const)
    // Without a tunnel, a proxy needs the whole URL.
    const plainProxy = proxy !== null && url.startsWith('http:') ? proxy : null
    const path = plainProxy === null ? pathOf(url) : url
    const authorization = plainProxy?.authorization ?? null
    if (headers === undefined && authorization === null) {
      return { ...send, path, headers: this.#plainHeaders }
    }
    const all: Record<string, string> = { ...this.#headers, ...headers }
    if (authorization !== null) all['proxy-authorization'] = authorization
    return { ...send, path, headers: all }
  }
}

function ownHeaders(userAgent: string): Readonly<Record<string, string>> {
  if (/[^\t\x20-\x7e]/.test(userAgent)) {
    throw new InvalidInput('userAgent', 'the user agent must be one line of ASCII')
  }
  return { 'user-agent': userAgent, accept: ACCEPT, 'accept-encoding': ACCEPT_ENCODING }
}
