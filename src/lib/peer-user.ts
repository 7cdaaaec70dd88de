// Whose process is at the other end of a connection within this machine. The system tells in its tables of
// connections, where it has such (Linux); everybody can read them.
import { readFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'
import { endianness } from 'node:os'

export type Ends = {
  readonly localAddress?: string | undefined
  readonly localPort?: number | undefined
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
}

/**
 * `unknown`: this system does not tell. `gone`: the other end is not there any more, so nobody can say whose
 * it was.
 */
export type PeerUser = number | 'unknown' | 'gone'

type Row = { readonly local: string; readonly remote: string; readonly uid: number; inode: string }

export async function peerUser(ends: Ends, proc = '/proc'): Promise<PeerUser> {
  const { localAddress, localPort, remoteAddress, remotePort } = ends
  if (localAddress === undefined || remoteAddress === undefined) return 'unknown'
  const here = endOf(localAddress, localPort ?? 0)
  const there = endOf(remoteAddress, remotePort ?? 0)
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => read(`${proc}/net/${name}`)))
  const rows = tables.flatMap(rowsOf)
  // Where not even our own end is listed, these are not the tables of this network.
  if (!rows.some(({ local, remote }) => local === here && remote === there)) return 'unknown'
  const peer = rows.find(({ local, remote }) => local === there && remote === here)
  // One that was closed while it has something to say is listed as root's, and belongs to no process.
  return peer === undefined || peer.inode === '0' ? 'gone' : peer.uid
}

function rowsOf(table: string): Row[] {
  const lines = table.split('\n').slice(1)
  return lines.flatMap((line) => {
    const [, local, remote, , , , , uid, , inode] = line.trim().split(/\s+/)
    if (local === undefined || remote === undefined || inode === undefined) return []
    return [{ local: plainEnd(local), remote: plainEnd(remote), uid: Number(uid), inode }]
  })
}

/** As the tables have it: hex, each four bytes in the order of the machine. */
function endOf(address: string, port: number): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const bytes = isIPv4(plain) ? plain.split('.').map(Number) : bytesOfIPv6(plain)
  const hex = Buffer.from(endianness() === 'LE' ? swapped(bytes) : bytes).toString('hex')
  return `${hex}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
}

/** An IPv4 address may be written as one of IPv6. */
function plainEnd(end: string): string {
  return end.replace(/^0{16}(0{4}FFFF|FFFF0{4})(?=[0-9A-F]{8}:)/, '')
}

function swapped(bytes: readonly number[]): number[] {
  return bytes.map((_, at) => bytes[at - (at % 4) + 3 - (at % 4)] ?? 0)
}

function bytesOfIPv6(address: string): number[] {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const words = (text: string) => (text === '' ? [] : text.split(':'))
  const right = tail === undefined ? [] : words(tail)
  const zeros = Array.from(
    { length: Math.max(0, 8 - words(head).length - right.length) },
    () => '0',
  )
  return [...words(head), ...zeros, ...right].flatMap((word) => {
    const value = Number.parseInt(word, 16)
    return [value >> 8, value & 0xff]
  })
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
