// Decides where a URL may lead: the address to connect to, or the reason for a refusal. The same rules apply
// to every page, robots.txt, sitemap and redirect, and are checked for every new connection.
import { isIP } from 'node:net'
import type { ConnectTo } from '../core/crawl-terms.ts'
import {
  type AllowPrivate,
  isLoopbackName,
  mayBePrivate,
  PrivateAccess,
} from '../core/private-access.ts'
import { isPublicAddress } from './address-guard.ts'
import { type Fault, unwell } from './failure.ts'
import type { OwnListeners } from './own-listeners.ts'
import type { Resolver } from './resolver.ts'

export type Route =
  /** Connect only to one of these addresses. */
  | { readonly kind: 'open'; readonly addresses: readonly string[]; readonly port: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly fault: Fault }

export type RouterOptions = {
  readonly resolver: Resolver
  /**
   * `URL.host` of what the user typed; matched exactly, including the port. Among names, only `localhost` and
   * its subdomains are trusted this way: the user does not control where another name leads.
   */
  readonly trustedHosts: ReadonlySet<string>
  /** `URL.host` of hosts that may have any port as well. */
  readonly seedHosts?: ReadonlySet<string>
  readonly allowPrivate: AllowPrivate
  /** Listeners of this program and its stores; connections to them are refused. */
  readonly ownListeners?: OwnListeners
  readonly connectTo: readonly ConnectTo[]
  /** A proxy will connect for us, so trusted names need no address here. */
  readonly proxied: boolean
}

/** A name may have thousands of addresses; all are checked, but not all are tried. */
const MAX_ADDRESSES = 8
const OWN: Route = { kind: 'refused', reason: 'private-address: a server of Jelajah itself' }

export class Router {
  readonly #options: RouterOptions
  readonly #access: PrivateAccess
  readonly #detours: readonly { readonly matches: (host: string) => boolean; to: ConnectTo }[]

  constructor(options: RouterOptions) {
    this.#options = options
    this.#access = new PrivateAccess(options.allowPrivate)
    this.#detours = options.connectTo.map((to) => ({ matches: hostMatcher(to.pattern), to }))
  }

  /** The name to look up before this URL can be requested; null if a proxy does that. */
  nameFor(url: URL): string | null {
    const detour = this.#detourOf(url)
    const isTrusted = detour !== undefined || this.#isTrusted(url)
    if (isTrusted && this.#options.proxied) return null
    return detour === undefined ? nameOf(url) : unbracketed(detour.address)
  }

  async route(url: URL): Promise<Route> {
    const name = nameOf(url)
    const detour = this.#detourOf(url)
    // The user gave this address, so it is trusted like a seed.
    if (detour !== undefined) return this.#resolved(unbracketed(detour.address), detour.port, true)
    const port = portOf(url)
    if (!isWebPort(port) && !this.#mayHavePort(url.host, name, port)) {
      return { kind: 'refused', reason: `port: ${port}` }
    }
    return this.#resolved(name, port, this.#isTrusted(url))
  }

  /** True if its address is not checked. */
  #isTrusted(url: URL): boolean {
    const isTyped = this.#options.trustedHosts.has(url.host) && mayBePrivate(url.href)
    return isTyped || this.#access.admitsHost(nameOf(url), portOf(url))
  }

  async #resolved(name: string, port: number, trusted: boolean): Promise<Route> {
    const { resolver, proxied, ownListeners: own } = this.#options
    if (trusted && proxied) {
      // The name is not looked up here, but addresses and loopback names are known.
      const isOwn = isPlain(name) && own?.includes(resolver.known(name)?.addresses ?? [], port)
      return isOwn ? OWN : { kind: 'open', addresses: [name], port }
    }
    const answer = resolver.known(name) ?? (await resolver.resolve(name))
    if (answer.addresses === null) return { kind: 'failed', fault: unwell('dns', answer.code) }
    const { addresses } = answer
    if (own?.includes(addresses, port)) return OWN
    // One closed address among open ones is a mistake or a trick, so the host is refused.
    const closed = trusted ? undefined : addresses.find((address) => !this.#isOpen(address, port))
    if (closed !== undefined) return { kind: 'refused', reason: `private-address: ${closed}` }
    return { kind: 'open', addresses: addresses.slice(0, MAX_ADDRESSES), port }
  }

  #detourOf(url: URL): ConnectTo | undefined {
    if (this.#detours.length === 0) return undefined
    const name = nameOf(url)
    return this.#detours.find(({ matches }) => matches(name) || matches(url.host))?.to
  }

  #isOpen(address: string, port: number): boolean {
    return isPublicAddress(address) || this.#access.admitsAddress(address, port)
  }

  #mayHavePort(host: string, name: string, port: number): boolean {
    const { trustedHosts, seedHosts } = this.#options
    return (
      trustedHosts.has(host) || seedHosts?.has(host) === true || this.#access.namesPort(name, port)
    )
  }
}

/** An address, or a name that means this machine everywhere. */
function isPlain(name: string): boolean {
  return isIP(name) !== 0 || isLoopbackName(name)
}

function nameOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

function unbracketed(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? address : bare
}

/** `*` matches any run of characters; linear in the length of the name. */
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

// Ports that never serve web pages, but accept any line of text.

/** https://fetch.spec.whatwg.org/#port-blocking: refused by browsers. */
const REFUSED_BY_BROWSERS = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]

/** Databases, queues, containers, remote desktops and file shares, which that list leaves out. */
const REFUSED_BY_US = [
  445, 873, 1433, 1434, 1521, 1883, 2181, 2375, 2376, 2377, 2379, 2380, 3306, 3389, 4369, 5432,
  5433, 5672, 5900, 5984, 6379, 6380, 6432, 7001, 7199, 8125, 9042, 9092, 9160, 9200, 9300, 9418,
  10250, 10255, 11211, 16379, 26379, 27017, 27018, 27019, 28015, 50070,
]

const refused = new Set([...REFUSED_BY_BROWSERS, ...REFUSED_BY_US])

/** True for a port that links from the web may use. */
function isWebPort(port: number): boolean {
  return !refused.has(port)
}
