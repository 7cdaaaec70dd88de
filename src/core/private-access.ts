// Which private addresses a crawl may reach: all, none, or those named by `--allow-private`. An entry is a
// host name, an address or a network, with or without a port.
import { BlockList, isIP, isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'
import { Refused } from './errors.ts'

/** Entries in canonical form, such as `10.0.0.0/8` or `intranet.test:8080`. */
export type AllowPrivate = boolean | readonly string[]

type Entry = {
  /** Null: any. */
  readonly port: number | null
} & (
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'network'; readonly base: string; readonly bits: number }
)

const FORM =
  'needs a host, an address or a network such as intranet.test, 10.0.0.5 or 10.0.0.0/8, with a port ' +
  'if only that one is meant'
/** `[fd00::]:80`, `[fd00::/8]:80`, `[fd00::]`. */
const BRACKETS = /^\[([0-9a-f:.]+(?:\/\d{1,3})?)\](?::(\d{1,5}))?$/i
/** `10.0.0.0/8:80`, `10.0.0.5:80`, `host.test:80`; no colon but that of the port. */
const PLAIN = /^([^:[\]\s]+)(?::(\d{1,5}))?$/
const NAME = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/

/** The entry in canonical form; throws `Refused` if it is invalid. */
export function allowedEntry(text: string): string {
  const entry = entryOf(text)
  if (entry === null) throw new Refused(`${FORM}, not "${text.slice(0, 80)}"`)
  return entryText(entry)
}

/** True for a text that can only be a network, never a seed. */
export function isNetworkText(text: string): boolean {
  return /\/\d{1,3}(?:\]?:\d{1,5}|\])?$/.test(text) && entryOf(text)?.kind === 'network'
}

/** True if all wanted entries are granted. */
export function isGranted(wanted: AllowPrivate, granted: AllowPrivate): boolean {
  if (granted === true || wanted === false) return true
  if (wanted === true || granted === false) return wanted !== true && wanted.length === 0
  const doors = entriesOf(granted)
  return entriesOf(wanted).every((one) => doors.some((door) => covers(door, one)))
}

/** RFC 6761: these names mean this machine, whatever a name server says. */
export function isLoopbackName(name: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(name)
}

/**
 * True for a URL that names its address itself: an IP address, `localhost` or a name below it. A user who
 * types it means it. Other names lead wherever their name server says.
 */
export function mayBePrivate(url: string): boolean {
  const { hostname } = new URL(url)
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || isLoopbackName(hostname)
}

/** Nothing at all is allowed. */
export function isClosed(allowed: AllowPrivate): boolean {
  return allowed === false || (allowed !== true && allowed.length === 0)
}

/** The entries, compiled for fast checks of each connection. */
export class PrivateAccess {
  readonly #all: boolean
  readonly #names = new Map<string, Set<number | null>>()
  readonly #networks: { readonly port: number | null; readonly list: BlockList }[] = []

  constructor(allowed: AllowPrivate) {
    this.#all = allowed === true
    for (const entry of typeof allowed === 'boolean' ? [] : entriesOf(allowed)) {
      if (entry.kind === 'network') {
        this.#networks.push({ port: entry.port, list: listOf(entry) })
      } else {
        const ports = this.#names.get(entry.name) ?? new Set()
        this.#names.set(entry.name, ports.add(entry.port))
      }
    }
  }

  /** True if this host may be reached under any address. */
  admitsHost(name: string, port: number): boolean {
    if (this.#all) return true
    const ports = this.#names.get(name.replace(/\.$/, ''))
    return ports !== undefined && (ports.has(null) || ports.has(port))
  }

  admitsAddress(address: string, port: number): boolean {
    if (this.#all) return true
    return this.#networks.some((network) => {
      if (network.port !== null && network.port !== port) return false
      return network.list.check(address, familyOf(address))
    })
  }

  /** True if an entry names this port, which allows it even if it is unusual for the web. */
  namesPort(name: string, port: number): boolean {
    if (this.#names.get(name)?.has(port)) return true
    if (isIP(name) === 0) return false
    return this.#networks.some(
      (network) => network.port === port && network.list.check(name, familyOf(name)),
    )
  }
}

function entriesOf(texts: readonly string[]): Entry[] {
  return texts.map(entryOf).filter((entry) => entry !== null)
}

function entryOf(text: string): Entry | null {
  const written = text.trim().toLowerCase()
  const [whole, digits] = isIP(written.split('/', 1)[0] ?? '') === 6 ? [written] : partsOf(written)
  if (whole === undefined) return null
  const port = digits === undefined ? null : Number(digits)
  if (port !== null && (port < 1 || port > 65_535)) return null
  const [base = '', length, more] = whole.split('/')
  if (isIP(base) !== 0 && !base.includes('%')) {
    const most = isIPv4(base) ? 32 : 128
    if (more !== undefined || (length !== undefined && !/^\d{1,3}$/.test(length))) return null
    const bits = length === undefined ? most : Number(length)
    return bits > most ? null : { kind: 'network', base, bits, port }
  }
  const name = length === undefined ? domainToASCII(base.replace(/\.$/, '')) : ''
  // A text that a URL parser takes for an address must be written as one.
  if (!NAME.test(name) || isIP(name) !== 0 || /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name)) return null
  return { kind: 'name', name, port }
}

function partsOf(written: string): [string | undefined, string | undefined] {
  const parts = BRACKETS.exec(written) ?? PLAIN.exec(written)
  return [parts?.[1], parts?.[2]]
}

function entryText(entry: Entry): string {
  const { port } = entry
  const end = port === null ? '' : `:${port}`
  if (entry.kind === 'name') return `${entry.name}${end}`
  const isWhole = entry.bits === (isIPv4(entry.base) ? 32 : 128)
  const network = isWhole ? entry.base : `${entry.base}/${entry.bits}`
  return isIPv4(entry.base) || port === null ? `${network}${end}` : `[${network}]${end}`
}

function covers(door: Entry, wanted: Entry): boolean {
  if (door.port !== null && door.port !== wanted.port) return false
  if (door.kind === 'name' || wanted.kind === 'name') {
    return door.kind === 'name' && wanted.kind === 'name' && door.name === wanted.name
  }
  if (familyOf(door.base) !== familyOf(wanted.base) || wanted.bits < door.bits) return false
  return listOf(door).check(wanted.base, familyOf(wanted.base))
}

function listOf({ base, bits }: Extract<Entry, { kind: 'network' }>): BlockList {
  const list = new BlockList()
  list.addSubnet(base, bits, familyOf(base))
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6'
}
