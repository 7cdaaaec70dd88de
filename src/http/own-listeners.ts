// The addresses where this program and its databases listen. Links to them are refused, even if the address
// is public, because these services trust connections from this machine.
import { BlockList, isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

type Listener = {
  /** An address or a name. */
  readonly host: string
  readonly port: number
}

export interface OwnListeners {
  /** True if one of the listeners is at one of these addresses, with this port. */
  includes(addresses: readonly string[], port: number): boolean
}

const EVERYWHERE = new Set(['0.0.0.0', '::', ''])

/** Looks up names once, now; names without an address are left out. */
export async function openOwnListeners(
  listeners: readonly Listener[],
  resolve: (name: string) => Promise<readonly string[]>,
): Promise<OwnListeners> {
  const byPort = new Map<number, BlockList>()
  for (const { host, port } of listeners) {
    const known = byPort.get(port) ?? new BlockList()
    byPort.set(port, known)
    for (const address of await addressesOf(host, resolve)) add(known, address)
  }
  return {
    includes: (addresses, port) => {
      const own = byPort.get(port)
      return own !== undefined && addresses.some((address) => own.check(address, familyOf(address)))
    },
  }
}

/** The server of a URL such as `redis://host:6379`; null for a socket, or if it cannot be parsed. */
export function listenerOf(url: string, usualPort: number): Listener | null {
  const { hostname = '', port = '' } = URL.parse(url) ?? {}
  if (hostname === '') return null
  return { host: hostname, port: port === '' ? usualPort : Number(port) }
}

async function addressesOf(
  host: string,
  resolve: (name: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const bare = host.replace(/^\[|\]$/g, '')
  if (EVERYWHERE.has(bare)) return ['127.0.0.1', '::1', ...machineAddresses()]
  return isIP(bare) === 0 ? resolve(bare).catch(() => []) : [bare]
}

function machineAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.map(({ address }) => address)
}

/** All of 127.0.0.0/8 is this machine, and so is the unspecified address. */
function add(own: BlockList, address: string): void {
  if (!isLoopback(address)) {
    own.addAddress(address, familyOf(address))
    return
  }
  own.addSubnet('127.0.0.0', 8, 'ipv4')
  own.addAddress('::1', 'ipv6')
  own.addAddress('0.0.0.0', 'ipv4')
  own.addAddress('::', 'ipv6')
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address)
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}
