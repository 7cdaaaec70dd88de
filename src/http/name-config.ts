// How this machine looks up names, as far as this program can do the same itself.
//
// On Linux with the usual `hosts: files dns`, these are the hosts file, then the name servers of resolv.conf.
// The system is asked (getaddrinfo) if other sources are named, if there is no resolv.conf, on other systems,
// and for names that only its search list can complete.
import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { errorCode } from '../lib/present.ts'

export type NameConfig = {
  /** Changes if the name servers may have changed. */
  readonly mark: string
  /** A name with fewer dots than this may be completed from the search list. */
  readonly ndots: number
  /** Names under `.local` are looked up on the local network. */
  readonly hasMdns: boolean
}

const NSSWITCH = '/etc/nsswitch.conf'
const RESOLV = '/etc/resolv.conf'
/** Sources that hosts file and name servers cover as well, or that only know this machine. */
const SAME_AS_DNS = new Set(['files', 'dns', 'resolve', 'myhostname', 'mymachines'])
const MDNS = /^mdns[46]?(?:_minimal)?$/

/** Null if the system must be asked. */
export async function readNameConfig(): Promise<NameConfig | null> {
  if (process.platform !== 'linux') return null
  const [nsswitch, resolv] = await Promise.all([textOf(NSSWITCH), textOf(RESOLV)])
  return nameConfigOf(nsswitch, resolv)
}

/** A missing file is null. */
export function nameConfigOf(nsswitch: string | null, resolv: string | null): NameConfig | null {
  const sources = sourcesIn(nsswitch ?? '')
  const others = sources.filter((source) => !SAME_AS_DNS.has(source) && !MDNS.test(source))
  const asksServers = sources.some((source) => source === 'dns' || source === 'resolve')
  if (others.length > 0 || !asksServers || !filesGoFirst(sources)) return null
  if (resolv === null || !/^[ \t]*nameserver[ \t]+\S/m.test(resolv)) return null
  const hasSearch = /^[ \t]*(?:search|domain)[ \t]+[^\s.#;]/m.test(resolv)
  return {
    mark: resolv,
    ndots: hasSearch ? Number(/\bndots:(\d{1,2})/.exec(resolv)?.[1] ?? 1) : 1,
    hasMdns: sources.some((source) => MDNS.test(source)),
  }
}

/** Without the line, libraries assume `files dns`. */
function sourcesIn(nsswitch: string): readonly string[] {
  const line = /^[ \t]*hosts:(.*)$/m.exec(nsswitch)?.[1] ?? 'files dns'
  const sources = line.replace(/#.*/, '').replaceAll(/\[[^\]]*\]/g, ' ')
  return sources.split(/\s+/).filter((source) => source !== '')
}

function filesGoFirst(sources: readonly string[]): boolean {
  const files = sources.indexOf('files')
  const servers = sources.findIndex((source) => source === 'dns' || source === 'resolve')
  return files >= 0 && files < servers
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return null
  }
}

const PATH = '/etc/hosts'
/** How long a change of the file may remain unnoticed. */
const LOOK_AGAIN_MS = 5_000
/** Long block lists have some megabytes; a larger file is not such a list. */
const MAX_BYTES = 64 * 2 ** 20

/** The hosts file of this machine. As for other programs, it takes precedence over name servers. */
export class HostsFile {
  readonly #path: string
  #names: ReadonlyMap<string, readonly string[]> = new Map()
  #mark = ''
  #lookAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null

  constructor(path = PATH) {
    this.#path = path
  }

  /** Null if the file does not have the name. */
  async addressesOf(name: string): Promise<readonly string[] | null> {
    if (performance.now() >= this.#lookAt) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = null
      })
      await this.#reading
    }
    return this.#names.get(name) ?? null
  }

  /** A deleted file counts as empty. If the file cannot be read now, its last contents stay valid. */
  async #read(): Promise<void> {
    this.#lookAt = performance.now() + LOOK_AGAIN_MS
    try {
      const { mtimeMs, size, ino } = await stat(this.#path)
      const mark = `${mtimeMs} ${size} ${ino}`
      if (mark === this.#mark) return
      this.#names = size > MAX_BYTES ? new Map() : parseHosts(await readFile(this.#path, 'utf8'))
      this.#mark = mark
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') return
      this.#names = new Map()
      this.#mark = ''
    }
  }
}

export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0 || address.includes('%')) continue
    for (const alias of aliases) {
      const name = alias.toLowerCase().replace(/\.$/, '')
      const known = names.get(name)
      if (known === undefined) names.set(name, [address])
      else known.push(address)
    }
  }
  return names
}
