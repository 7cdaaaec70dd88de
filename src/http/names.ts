// Name lookup: the hosts file, then name servers, then other sources of the system.
import { promises } from 'node:dns'
import { lookup as askSystem } from 'node:dns/promises'
import { Gate } from '../lib/gate.ts'
import { HostsFile, type NameConfig, readNameConfig } from './name-config.ts'
import { type Answer, codeOf, LookupError } from './resolver.ts'

export interface Names {
  /** Rejects with a LookupError. */
  lookup(name: string): Promise<Answer>
  /** Cancels pending lookups. */
  close(): void
}

type NamesOptions = {
  /** Replaces the system's name servers: `ADDRESS` or `ADDRESS:PORT` each. [] keeps the system's. */
  readonly servers: readonly string[]
  readonly hosts?: HostsFile
}

/** The system uses a thread pool, where a silent name occupies one thread: some must stay free. */
const SYSTEM_AT_ONCE = 8
/** How long a change of the system's name servers may remain unnoticed. */
const LOOK_AGAIN_MS = 5_000

export function openNames({ servers, hosts = new HostsFile() }: NamesOptions): Names {
  return servers.length > 0 ? new ChosenNames(servers, hosts) : new SystemNames(hosts)
}

class ChosenNames implements Names {
  readonly #hosts: HostsFile
  readonly #servers: NameServers

  constructor(servers: readonly string[], hosts: HostsFile) {
    this.#servers = new NameServers(servers)
    this.#hosts = hosts
  }

  async lookup(name: string): Promise<Answer> {
    const addresses = await this.#hosts.addressesOf(name)
    return addresses === null ? this.#servers.lookup(name) : { addresses }
  }

  close(): void {
    this.#servers.close()
  }
}

class SystemNames implements Names {
  readonly #hosts: HostsFile
  readonly #system = new Gate(SYSTEM_AT_ONCE)
  #servers: NameServers | null = null
  #config: Promise<NameConfig | null> = Promise.resolve(null)
  #lookAt = Number.NEGATIVE_INFINITY
  #mark = ''

  constructor(hosts: HostsFile) {
    this.#hosts = hosts
  }

  async lookup(name: string): Promise<Answer> {
    const config = await this.#configNow()
    if (config === null) return this.#askSystem(name)
    const addresses = await this.#hosts.addressesOf(name)
    if (addresses !== null) return { addresses }
    if (!name.includes('.') || (config.hasMdns && name.endsWith('.local'))) {
      return this.#askSystem(name)
    }
    return this.#askServers(name, config)
  }

  close(): void {
    this.#servers?.close()
  }

  async #askServers(name: string, { mark, ndots }: NameConfig): Promise<Answer> {
    // c-ares reads the servers once, so a change needs a new resolver.
    if (this.#servers === null || this.#mark !== mark) this.#servers = new NameServers(null)
    this.#mark = mark
    try {
      return await this.#servers.lookup(name)
    } catch (error) {
      const mayBeShort = name.split('.').length - 1 < ndots
      if (codeOf(error) !== 'ENOTFOUND' || !mayBeShort) throw error
      return this.#askSystem(name)
    }
  }

  #configNow(): Promise<NameConfig | null> {
    if (performance.now() < this.#lookAt) return this.#config
    this.#lookAt = performance.now() + LOOK_AGAIN_MS
    this.#config = readNameConfig()
    return this.#config
  }

  /** The result of `getaddrinfo`, including hosts files and private zones. */
  #askSystem(name: string): Promise<Answer> {
    return this.#system.run(async () => {
      try {
        const found = await askSystem(name, { all: true, order: 'verbatim' })
        return { addresses: found.map(({ address }) => address) }
      } catch (error) {
        throw new LookupError(codeOf(error))
      }
    })
  }
}

type Found = { readonly address: string; readonly ttl: number }
/** The result for one address family. */
type Half = { readonly records: readonly Found[]; readonly code: string | null }

/**
 * Timeout of the first try; it doubles. There are many tries because c-ares shortens the first of them if a
 * server is quick, and a quick server may still wait for a slow one.
 */
const TRY_MS = 2_000
const TRIES = 5
/** Once one family has addresses, the other has this long: some servers never answer for it. */
const OTHER_FAMILY_MS = 300
/** The name does not exist, for any record type. */
const NO_NAME = 'ENOTFOUND'
const NO_ADDRESS = 'ENODATA'

/** Queries name servers directly: no thread waits for them, however many names are silent. */
class NameServers {
  readonly #resolver = new promises.Resolver({ timeout: TRY_MS, tries: TRIES })

  /** `servers`: addresses, optionally with a port; null means those of the system. */
  constructor(servers: readonly string[] | null) {
    if (servers !== null) this.#resolver.setServers(servers)
  }

  /** IPv4 comes first, since nearly every machine can reach it. Rejects with a LookupError. */
  lookup(name: string): Promise<Answer> {
    const four = halfOf(this.#resolver.resolve4(name, { ttl: true }))
    const six = halfOf(this.#resolver.resolve6(name, { ttl: true }))
    return new Promise((resolve, reject) => {
      const halves: { four?: Half; six?: Half } = {}
      let timer: NodeJS.Timeout | undefined
      const settle = (): void => {
        clearTimeout(timer)
        const known = [halves.four, halves.six].filter((half) => half !== undefined)
        const records = known.flatMap((half) => half.records)
        if (records.length > 0) resolve(answerOf(records))
        else reject(new LookupError(worstOf(known)))
      }
      const take = (family: 'four' | 'six', half: Half): void => {
        halves[family] = half
        const isLast = halves.four !== undefined && halves.six !== undefined
        if (isLast || half.code === NO_NAME) settle()
        else if (half.records.length > 0) timer = setTimeout(settle, OTHER_FAMILY_MS)
      }
      void four.then((half) => take('four', half))
      void six.then((half) => take('six', half))
    })
  }

  /** Cancels all queries. */
  close(): void {
    this.#resolver.cancel()
  }
}

async function halfOf(asked: Promise<readonly Found[]>): Promise<Half> {
  try {
    return { records: await asked, code: null }
  } catch (error) {
    return { records: [], code: codeOf(error) }
  }
}

function answerOf(records: readonly Found[]): Answer {
  const seconds = Math.min(...records.map(({ ttl }) => ttl))
  return { addresses: records.map(({ address }) => address), ttlMs: seconds * 1000 }
}

/** "No address" in one family means nothing if the other family could not be queried. */
function worstOf(halves: readonly Half[]): string {
  const codes = halves.map(({ code }) => code ?? NO_ADDRESS)
  if (codes.includes(NO_NAME)) return NO_NAME
  return codes.find((code) => code !== NO_ADDRESS) ?? NO_ADDRESS
}
