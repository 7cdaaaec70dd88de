// Where names are looked up: the hosts file, then name servers, then whatever else the system has.
import { lookup as askSystem } from 'node:dns/promises'
import { Gate } from '../lib/gate.ts'
import { HostsFile } from './hosts-file.ts'
import { type NameConfig, readNameConfig } from './name-config.ts'
import { NameServers } from './name-servers.ts'
import { type Answer, codeOf, LookupError } from './resolver.ts'

export interface Names {
  /** Rejects with a LookupError. */
  lookup(name: string): Promise<Answer>
  /** Gives up what is still asked for. */
  close(): void
}

export type NamesOptions = {
  /** Asked in place of the system's: `ADDRESS` or `ADDRESS:PORT` each; []: the system's are. */
  readonly servers: readonly string[]
  readonly hosts?: HostsFile
}

/** The system answers on threads of its own, of which a silent name holds one: some must be left. */
const SYSTEM_AT_ONCE = 8
/** How long other name servers of the system may go unnoticed. */
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
    // c-ares reads the servers once: others are only seen by one that is made later.
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

  /** What `getaddrinfo` says, hosts files and private zones included. */
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
