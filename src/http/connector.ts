// From a URL to a new lane: the guards first, then where exactly to connect and how.
import { type CanonicalUrl, originOf } from '../core/url.ts'
import type { Destination } from './connect.ts'
import { ours } from './failure.ts'
import { HttpConnection } from './http-connection.ts'
import type { WebProxy } from './proxy.ts'
import type { Resolver } from './resolver.ts'
import type { Route, Router } from './route.ts'

/** Where a connection goes to, once the guards allowed it. */
export type Way = Extract<Route, { kind: 'open' }>

export type ConnectorOptions = {
  readonly router: Router
  readonly resolver: Resolver
  readonly http2: boolean
  readonly insecureTls: boolean
  readonly onGone: (connection: HttpConnection) => void
}

const MAX_ORIGINS = 10_000

export class Connector {
  readonly #options: ConnectorOptions
  readonly #sessions = new Map<string, Buffer>()
  /** Origins that did not manage HTTP/2. */
  readonly #plain = new Set<string>()

  constructor(options: ConnectorOptions) {
    this.#options = options
  }

  /** Asked for every request, also where a connection is kept: an address may be another by now. */
  async wayTo(url: CanonicalUrl, proxy: WebProxy | null): Promise<Route> {
    const route = await this.#options.router.route(new URL(url))
    return route.kind !== 'open' || proxy === null ? route : this.#routeTo(proxy)
  }

  /** Not connected yet: its first request does that. */
  open(url: CanonicalUrl, proxy: WebProxy | null, way: Way): HttpConnection {
    const target = new URL(url)
    const origin = originOf(url)
    const { insecureTls, onGone } = this.#options
    const http2 = this.#options.http2 && !this.#plain.has(origin)
    return new HttpConnection({
      key: laneKey(url, proxy),
      origin,
      destination: destinationOf(target, way, proxy),
      connect: { http2, insecureTls, sessions: this.#sessions },
      onGone,
    })
  }

  /** From now on this URL's origin is asked in HTTP/1.1. */
  withoutHttp2(url: CanonicalUrl): void {
    if (this.#plain.size >= MAX_ORIGINS) this.#plain.clear()
    this.#plain.add(originOf(url))
  }

  /** The user named the proxy, so no guard asks about its address. */
  async #routeTo({ hostname, port }: WebProxy): Promise<Route> {
    const found = await this.#options.resolver.resolve(hostname)
    if (found.addresses !== null) return { kind: 'open', addresses: found.addresses, port }
    return { kind: 'failed', fault: ours(`no way to the proxy, dns: ${found.code}`) }
  }
}

/** Lanes with the same key can stand for each other. */
export function laneKey(url: CanonicalUrl, proxy: WebProxy | null): string {
  const origin = originOf(url)
  return proxy === null ? origin : `${origin} ${proxy.hostname}:${proxy.port}`
}

function destinationOf(target: URL, { addresses, port }: Way, proxy: WebProxy | null): Destination {
  const secure = target.protocol === 'https:'
  const tlsName = secure ? target.hostname.replace(/^\[|\]$/g, '') : null
  const authority = target.port === '' ? `${target.host}:${secure ? 443 : 80}` : target.host
  return { addresses, port, tlsName, proxy, authority }
}
