// Where a URL may lead us: the address to connect to, or why not. The same rules for every page,
// robots.txt, sitemap and redirect, and asked for every new connection.
import { isIP } from 'node:net'
import type { ConnectTo } from '../core/job.ts'
import { isPublicAddress } from './address-guard.ts'
import { type Fault, unwell } from './failure.ts'
import { isWebPort } from './port-guard.ts'
import type { Resolver } from './resolver.ts'

export type Route =
  /** Connect to one of these addresses and no other. */
  | { readonly kind: 'open'; readonly addresses: readonly string[]; readonly port: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly fault: Fault }

export type RouterOptions = {
  readonly resolver: Resolver
  /** `URL.host` of what the user named; only these exactly, port included. */
  readonly trustedHosts: ReadonlySet<string>
  readonly allowPrivate: boolean
  readonly connectTo: readonly ConnectTo[]
  /** A proxy will connect for us: names the guard has no question about need no address here. */
  readonly proxied: boolean
}

export class Router {
  readonly #options: RouterOptions
  readonly #detours: readonly { readonly matches: (host: string) => boolean; to: ConnectTo }[]

  constructor(options: RouterOptions) {
    this.#options = options
    this.#detours = options.connectTo.map((to) => ({ matches: hostMatcher(to.pattern), to }))
  }

  async route(url: URL): Promise<Route> {
    const name = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
    const detour = this.#detours.find(({ matches }) => matches(name) || matches(url.host))?.to
    // The user wrote this address down: it is as trusted as a seed.
    if (detour !== undefined) return this.#resolved(unbracketed(detour.address), detour.port, true)
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
    const trusted = this.#options.trustedHosts.has(url.host)
    if (!trusted && !isWebPort(port)) return { kind: 'refused', reason: `port: ${port}` }
    return this.#resolved(name, port, trusted || this.#options.allowPrivate)
  }

  async #resolved(name: string, port: number, trusted: boolean): Promise<Route> {
    if (trusted && this.#options.proxied) return { kind: 'open', addresses: [name], port }
    const answer = await this.#options.resolver.resolve(name)
    if (answer.addresses === null) return { kind: 'failed', fault: unwell('dns', answer.code) }
    const { addresses } = answer
    // One closed address among open ones is a mistake or a trick; neither is worth a visit.
    const closed = trusted ? undefined : addresses.find((address) => !isPublicAddress(address))
    if (closed !== undefined) return { kind: 'refused', reason: `private-address: ${closed}` }
    return { kind: 'open', addresses, port }
  }
}

function unbracketed(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? address : bare
}

/** `*` stands for any run of characters; linear in the length of the name. */
export function hostMatcher(pattern: string): (host: string) => boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*')
  const last = rest.pop()
  if (last === undefined) return (host) => host === first
  return (host) => {
    if (!host.startsWith(first) || !host.endsWith(last)) return false
    let at = first.length
    for (const part of rest) {
      const found = host.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= host.length - last.length
  }
}
