// Finds the user of the process at the other end of a connection within this machine, from the system's
// connection tables (Linux), which everybody can read.
import { readFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'
import { endianness } from 'node:os'

type Ends = {
  readonly localAddress?: string | undefined
  readonly localPort?: number | undefined
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
}

/** `unknown`: this system has no such tables. `gone`: the other end is closed, so its user is unknown. */
type PeerUser = number | 'unknown' | 'gone'

type Row = { readonly uid: number; readonly inode: string }
/** By both ends: `LOCAL REMOTE`. */
type Table = ReadonlyMap<string, Row>

/** Returns the users of connections. One read of the tables serves all callers that came before it began. */
export class PeerUsers {
  readonly #proc: string
  #reading: Promise<Table> = Promise.resolve(new Map())
  #next: Promise<Table> | null = null

  constructor(proc = '/proc') {
    this.#proc = proc
  }

  async of({ localAddress, localPort, remoteAddress, remotePort }: Ends): Promise<PeerUser> {
    if (localAddress === undefined || remoteAddress === undefined) return 'unknown'
    const here = endOf(localAddress, localPort ?? 0)
    const there = endOf(remoteAddress, remotePort ?? 0)
    const table = await this.#read()
    // If not even our own end is listed, these are not the tables of this network.
    if (!table.has(`${here} ${there}`)) return 'unknown'
    const peer = table.get(`${there} ${here}`)
    // A closed connection with unsent data is listed as root's, and belongs to no process.
    return peer === undefined || peer.inode === '0' ? 'gone' : peer.uid
  }

  /** A read that has begun may be older than the connection in question. */
  #read(): Promise<Table> {
    this.#next ??= this.#reading.then(() => {
      this.#next = null
      this.#reading = readTables(this.#proc)
      return this.#reading
    })
    return this.#next
  }
}

async function readTables(proc: string): Promise<Table> {
  const table = new Map<string, Row>()
  for (const name of ['tcp', 'tcp6']) {
    for (const line of (await read(`${proc}/net/${name}`)).split('\n').slice(1)) {
      const [, local, remote, , , , , uid, , inode] = line.trim().split(/\s+/)
      if (local === undefined || remote === undefined || inode === undefined) continue
      const ends = `${plainEnd(local)} ${plainEnd(remote)}`
      if (!table.has(ends)) table.set(ends, { uid: Number(uid), inode })
    }
  }
  return table
}

/** In the format of the tables: hex, each four bytes in the byte order of the machine. */
function endOf(address: string, port: number): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const bytes = isIPv4(plain) ? plain.split('.').map(Number) : bytesOfIPv6(plain)
  const hex = Buffer.from(endianness() === 'LE' ? swapped(bytes) : bytes).toString('hex')
  return `${hex}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
}

/** An IPv4 address may be written as an IPv6 address. */
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
