// Hosts as people see them, the largest first. Those that this session visits are as of the last answer
// about them; all others as of the last time they were read, behind the back of whoever asks.
import type { HostState } from '../../core/host.ts'
import { largestFirst } from './host-record.ts'
import type { OwnLeases } from './own-leases.ts'

const READ_EVERY_MS = 2000
/** With very many hosts, reading takes no more than this share of the time. */
const MAX_SHARE = 0.02

export class ShownHosts {
  readonly #own: OwnLeases
  readonly #read: () => Promise<readonly HostState[]>
  #others: ReadonlyMap<string, HostState> = new Map()
  #isReading = false
  #notBefore = 0

  constructor(own: OwnLeases, read: () => Promise<readonly HostState[]>) {
    this.#own = own
    this.#read = read
  }

  take(limit: number): readonly HostState[] {
    if (!this.#isReading && performance.now() >= this.#notBefore) void this.#readAll()
    const hosts = new Map(this.#others)
    for (const state of this.#own.hostStates()) hosts.set(state.host, state)
    return largestFirst([...hosts.values()], limit)
  }

  async #readAll(): Promise<void> {
    this.#isReading = true
    const began = performance.now()
    try {
      const hosts = await this.#read()
      this.#others = new Map(hosts.map((state) => [state.host, state]))
    } catch {
      // What is wrong with the server, calls that matter will tell.
    } finally {
      const now = performance.now()
      this.#notBefore = now + Math.max(READ_EVERY_MS, (now - began) / MAX_SHARE)
      this.#isReading = false
    }
  }
}
