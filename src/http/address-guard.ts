// Decides which addresses belong to the public internet. It checks the address of a connection, never a name.
// The tables are those of IANA's special-purpose registries for IPv4 and IPv6.
import { isIPv4, isIPv6 } from 'node:net'

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

/** True for addresses that are reachable from anywhere on the internet. False if in doubt. */
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
