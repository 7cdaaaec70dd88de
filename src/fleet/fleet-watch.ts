// Checks workers and stores repeatedly, and remembers for a while which have left.
import type { Clock } from '../lib/clock.ts'
import type {
  CrawlLeases,
  Fleet,
  FleetSnapshot,
  FleetSource,
  FleetWorker,
  StoreName,
  StoreState,
} from './fleet.ts'

const LOOK_MS = 1000
/** How long a worker that left is still shown, so that a user notices it after a break. */
const GONE_FOR_MS = 10 * 60_000
const MAX_GONE = 50
/** When the registry is back, everything it forgot has been reported again by then. */
const RETURN_MS = 5000

type FleetWatchOptions = {
  readonly source: FleetSource
  readonly clock: Clock
  /** How long a store may be away. */
  readonly patienceMs: number
  readonly log: (text: string) => void
  /** A store was away for too long. */
  readonly onGivenUp: (text: string) => void
}

const NAMES: Readonly<Record<StoreName, string>> = { postgres: 'PostgreSQL', redis: 'Redis' }

/** Resolves after the first check. */
export async function openFleetWatch(options: FleetWatchOptions): Promise<FleetWatch> {
  const watch = new FleetWatch(options)
  await watch.look()
  watch.goOn()
  return watch
}

export class FleetWatch implements Fleet, AsyncDisposable {
  readonly #options: FleetWatchOptions
  readonly #stores = new Map<StoreName, StoreState>()
  readonly #gone = new Map<string, FleetWorker>()
  readonly #listeners = new Set<() => void>()
  #present: readonly FleetWorker[] = []
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> | null = null
  #isClosed = false

  constructor(options: FleetWatchOptions) {
    this.#options = options
    const since = options.clock.now()
    for (const store of options.source.stores) {
      this.#stores.set(store, { store, isUp: true, since, givesUpAt: null })
    }
  }

  get workers(): readonly FleetWorker[] {
    return [...this.#present, ...[...this.#gone.values()].toReversed()]
  }

  get stores(): readonly StoreState[] {
    return [...this.#stores.values()]
  }

  leases(crawlId: number): Promise<CrawlLeases | null> {
    return this.#options.source.leases(crawlId)
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Checks everything once. */
  async look(): Promise<void> {
    this.#looking = this.#look()
    await this.#looking
  }

  /** Checks again and again from now on, until it is disposed of. */
  goOn(): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.look().then(() => this.goOn()), LOOK_MS)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#listeners.clear()
    await this.#options.source[Symbol.asyncDispose]()
    await this.#looking
  }

  async #look(): Promise<void> {
    const { source } = this.#options
    const { stores, registryIn } = source
    const others = stores.filter((store) => store !== registryIn)
    const [seen, ...answers] = await Promise.allSettled([
      source.look(),
      ...others.map((store) => source.ask(store)),
    ])
    if (this.#isClosed) return
    for (const [nth, store] of others.entries()) this.#note(store, answers[nth] ?? seen)
    this.#note(registryIn, seen)
    if (seen.status === 'fulfilled') this.#hear(seen.value)
    for (const listener of this.#listeners) listener()
  }

  #note(store: StoreName, outcome: PromiseSettledResult<unknown>): void {
    const { clock, patienceMs, log, onGivenUp } = this.#options
    const now = clock.now()
    const before = this.#stores.get(store)
    const isUp = outcome.status === 'fulfilled'
    if (before?.isUp === isUp) {
      if (before.givesUpAt === null || now < before.givesUpAt) return
      const seconds = Math.round((now - before.since) / 1000)
      onGivenUp(`${NAMES[store]} could not be reached for ${seconds} s`)
      return
    }
    this.#stores.set(store, { store, isUp, since: now, givesUpAt: isUp ? null : now + patienceMs })
    if (isUp) {
      const awayMs = now - (before?.since ?? now)
      log(`${NAMES[store]} is back after ${Math.round(awayMs / 1000)} s`)
    } else {
      const { reason } = outcome
      const why = reason instanceof Error ? reason.message : reason
      const until = timeOf(now + patienceMs)
      log(`${NAMES[store]} is away since ${timeOf(now)}, is waited for until ${until}: ${why}`)
    }
  }

  #hear({ workers, leases }: FleetSnapshot): void {
    const now = this.#options.clock.now()
    const here = new Set(workers.map(({ id }) => id))
    const { registryIn } = this.#options.source
    const isJustBack = now - (this.#stores.get(registryIn)?.since ?? 0) < RETURN_MS
    const missing = this.#present.filter(({ record }) => !here.has(record.id))
    const awaited = isJustBack ? missing : []
    for (const one of isJustBack ? [] : missing) {
      this.#gone.set(one.record.id, { ...one, leases: 0, goneAt: now })
    }
    for (const [id, { goneAt }] of this.#gone) {
      const isForgotten = here.has(id) || now - (goneAt ?? now) >= GONE_FOR_MS
      if (isForgotten || this.#gone.size > MAX_GONE) this.#gone.delete(id)
    }
    const present = workers.map((record) => ({
      ...{ record, goneAt: null },
      leases: leases.get(record.id) ?? 0,
    }))
    this.#present = [...present, ...awaited]
  }
}

/** In local time. */
function timeOf(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}
