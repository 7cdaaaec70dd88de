// Decides where a URL may lead: the address to connect to, or the reason for a refusal. The same rules apply
// to every page, robots.txt, sitemap and redirect, and are checked for every new connection.
import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { ConnectTo } from '../core/crawl-terms.ts'
import {
  type AllowPrivate,
  isLoopbackName,
  mayBePrivate,
  PrivateAccess,
} from '../core/private-access.ts'
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

/**
 * True for a port that links from the web may use: some ports never serve web pages, but accept any line of
 * text.
 */
function isWebPort(port: number): boolean {
  return !refused.has(port)
}

/** Base address and prefix length of IPv4 blocks that are not public. */
const CLOSED_V4: readonly (readonly [base: string, bits: number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, and where clouds keep their metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays, gone
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
]

/** The same inside 2000::/3, as groups to match from the left; everything outside is closed anyway. */
const CLOSED_V6: readonly (readonly [first: number, second: number, bits: number])[] = [
  [0x2001, 0x0000, 23], // protocol assignments, Teredo, benchmarks, ORCHID
  [0x2001, 0x0db8, 32], // documentation
  [0x3fff, 0x0000, 20], // documentation
]

const closedV4 = CLOSED_V4.map(([base, bits]) => ({
  base: numberOf(base),
  mask: maskOf(bits),
}))
const closedV6 = CLOSED_V6.map(([first, second, bits]) => ({
  base: joined(first, second),
  mask: maskOf(bits),
}))

/**
 * True for addresses that are reachable from anywhere on the internet. False if in doubt. It checks the
 * address of a connection, never a name. The tables are those of IANA's special-purpose registries for IPv4
 * and IPv6.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return isPublicV4(numberOf(ip))
  // A zone id names an interface of this machine.
  if (!isIPv6(ip) || ip.includes('%')) return false
  return isPublicV6(groupsOf(ip))
}

function isPublicV4(address: number): boolean {
  return closedV4.every(({ base, mask }) => (address & mask) >>> 0 !== base)
}

function isPublicV6(groups: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const low = joined(g, h)
  const leading = a | b | c | d
  if (leading === 0 && e === 0 && f === 0xffff) return isPublicV4(low)
  // NAT64, as DNS64 resolvers return it. The local-use block 64:ff9b:1::/48 stays closed.
  if (a === 0x64 && b === 0xff9b && (c | d | e | f) === 0) return isPublicV4(low)
  if (a >> 13 !== 1) return false
  if (a === 0x2002) return isPublicV4(joined(b, c))
  // ISATAP carries an IPv4 address in its interface id.
  if ((e & ~0x0200) === 0 && f === 0x5efe) return isPublicV4(low)
  const head = joined(a, b)
  return closedV6.every(({ base, mask }) => (head & mask) >>> 0 !== base)
}

function numberOf(dotted: string): number {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
  return joined((a << 8) | b, (c << 8) | d)
}

function joined(high: number, low: number): number {
  return ((high << 16) | low) >>> 0
}

function maskOf(bits: number): number {
  return (-1 << (32 - bits)) >>> 0
}

/** The eight groups of an address that `isIPv6` has accepted. */
function groupsOf(ip: string): number[] {
  const [head = '', tail] = ip.split('::')
  const left = groupsIn(head)
  if (tail === undefined) return left
  const right = groupsIn(tail)
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right]
}

function groupsIn(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const address = numberOf(group)
    return [address >>> 16, address & 0xffff]
  })
}
