// From a URL to a new connection: checks the guards, then decides where and how to connect.
import { type CanonicalUrl, originOf } from '../core/url.ts'
import type { Destination, WebProxy } from './connect.ts'
import { ours } from './failure.ts'
import { HttpConnection } from './http-connection.ts'
import type { Resolver } from './resolver.ts'
import type { Route, Router } from './route.ts'

/** A route that the guards allowed. */
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
  /** Origins where HTTP/2 failed. */
  readonly #plain = new Set<string>()

  constructor(options: ConnectorOptions) {
    this.#options = options
  }

  /** Called for every request, even if a connection is idle, since the address may have changed. */
  async wayTo(url: CanonicalUrl, proxy: WebProxy | null): Promise<Route> {
    const route = await this.#options.router.route(new URL(url))
    return route.kind !== 'open' || proxy === null ? route : this.#routeTo(proxy)
  }

  /** Returns an unconnected connection; the first request connects it. */
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

  /** From now on this URL's origin is requested with HTTP/1.1. */
  withoutHttp2(url: CanonicalUrl): void {
    if (this.#plain.size >= MAX_ORIGINS) this.#plain.clear()
    this.#plain.add(originOf(url))
  }

  /** The user named the proxy, so its address is not checked. */
  async #routeTo({ hostname, port }: WebProxy): Promise<Route> {
    const found = await this.#options.resolver.resolve(hostname)
    if (found.addresses !== null) return { kind: 'open', addresses: found.addresses, port }
    return { kind: 'failed', fault: ours(`no way to the proxy, dns: ${found.code}`) }
  }
}

/** Connections with the same key are interchangeable. */
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
