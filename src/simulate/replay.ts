// One crawl of a known web: the real frontier and the real ordering, a clock that advances only when nothing
// else can happen, and fetches answered from the world.
//
//   lease ─▶ in flight, as long as the fetch once took ─▶ landed ─▶ settled with the links of the page
//
// Without politeness time does not advance, and fetches end one by one in the order they began: with n in
// flight, a URL is chosen without the results of the n - 1 before it, as in a real crawl whose fetches all
// take equally long.
import type { CanonicalUrl } from '../core/url.ts'
import type { Frontier, FrontierUpdate, Lease } from '../frontier/frontier.ts'
import { ManualClock } from '../lib/clock.ts'
import { type Heaped, IndexedHeap } from '../lib/indexed-heap.ts'
import type { Ordering, Scorer } from '../ordering/ordering.ts'
import type { FoundPages, PageLinks } from './page-links.ts'
import type { ReplayWorld } from './replay-world.ts'

/** How the crawl behaves; the same for all contenders. */
export type Politeness = {
  /** Requests in flight over all hosts, and to one host. */
  readonly concurrency: number
  readonly perHost: number
  /** Gap between requests to one host in virtual milliseconds; 0: time does not advance. */
  readonly delayMs: number
}

export type FrontierSetup = Politeness & {
  readonly ordering: Ordering
  readonly scorer: Scorer
  readonly hostPolicy: string
  readonly seeds: readonly CanonicalUrl[]
  readonly clock: ManualClock
}

/** Opens an empty frontier that hashes URLs with `REPLAY_SALT` and admits every URL. */
export type OpenFrontier = (setup: FrontierSetup) => Promise<Frontier>

export type ReplayOptions = Pick<FrontierSetup, 'ordering' | 'scorer' | 'hostPolicy'> & {
  readonly world: ReplayWorld
  readonly found: FoundPages
  readonly links: PageLinks
  readonly seeds: readonly number[]
  /** Ends after this many fetches. */
  readonly limit: number
  readonly politeness: Politeness
  readonly openFrontier: OpenFrontier
  /** Called from time to time with the number of new fetches. */
  readonly onFetched?: (count: number) => void
}

/** The fetched pages, in order. */
export type Fetches = {
  readonly fetched: Uint32Array
  /** Virtual milliseconds since the start; null if time did not advance. */
  readonly at: Float64Array | null
  readonly ranDry: boolean
}

type Flight = Heaped & { readonly lease: Lease; readonly page: number }

const TOLD_EVERY = 100
/** Limit of moments at which a URL was ready but none was leased: then none ever will be. */
const MAX_IDLE = 10_000

export async function replay(options: ReplayOptions): Promise<Fetches> {
  const { world, seeds, politeness } = options
  const clock = new ManualClock()
  await using frontier = await options.openFrontier({
    ...options,
    ...politeness,
    seeds: seeds.map((page) => options.found.of(page).url),
    clock,
  })
  await frontier.add(
    seeds.map((page) => options.found.of(page)),
    'seed',
  )
  // Awaited here, before the frontier is closed.
  return await new Crawl(options, world, frontier, clock).run()
}

class Crawl {
  readonly #options: ReplayOptions
  readonly #world: ReplayWorld
  readonly #frontier: Frontier
  readonly #clock: ManualClock
  readonly #startedAt: number
  readonly #flights = new IndexedHeap<Flight>()
  readonly #fetched: Uint32Array
  readonly #at: Float64Array
  #count = 0
  #launched = 0
  #idle = 0

  constructor(options: ReplayOptions, world: ReplayWorld, frontier: Frontier, clock: ManualClock) {
    this.#options = options
    this.#world = world
    this.#frontier = frontier
    this.#clock = clock
    this.#startedAt = clock.now()
    this.#fetched = new Uint32Array(options.limit)
    this.#at = new Float64Array(options.limit)
  }

  async run(): Promise<Fetches> {
    const { limit } = this.#options
    while (this.#count < limit) {
      const next = await this.#launch()
      if (next === Number.POSITIVE_INFINITY) break
      this.#clock.advance(next - this.#clock.now())
      await this.#land()
    }
    this.#options.onFetched?.(this.#count % TOLD_EVERY)
    const hasTime = this.#options.politeness.delayMs > 0
    return {
      fetched: this.#fetched.slice(0, this.#count),
      at: hasTime ? this.#at.slice(0, this.#count) : null,
      ranDry: this.#count < limit,
    }
  }

  /** Starts the fetches that may start now; returns when something can happen next, Infinity for never. */
  async #launch(): Promise<number> {
    const { limit, politeness } = this.#options
    const now = this.#clock.now()
    const free = Math.min(politeness.concurrency, limit - this.#count) - this.#flights.size
    const leases = free > 0 ? await this.#frontier.lease(free) : []
    for (const lease of leases) this.#fly(lease, now)
    const landing = this.#flights.firstKey
    if (leases.length === free || landing <= now) return landing
    return Math.min(landing, this.#readyAt(now))
  }

  #fly(lease: Lease, now: number): void {
    const page = this.#world.find(lease.url)
    if (page === undefined) throw new RangeError(`nothing is known of ${lease.url}`)
    this.#frontier.requestSent(lease)
    // With politeness every fetch takes at least 1 ms.
    const takes =
      this.#options.politeness.delayMs > 0 ? Math.max(1, this.#world.fetchMs[page] ?? 1) : 0
    this.#flights.put({ heapAt: -1, lease, page }, now + takes, this.#launched++)
  }

  /** The next moment at which there may be something to lease. */
  #readyAt(now: number): number {
    const { readyAt } = this.#frontier.status()
    if (readyAt === null) return Number.POSITIVE_INFINITY
    if (readyAt > now) return readyAt
    this.#idle++
    return this.#idle > MAX_IDLE ? Number.POSITIVE_INFINITY : now + 1
  }

  async #land(): Promise<void> {
    const updates: FrontierUpdate[] = []
    const hasTime = this.#options.politeness.delayMs > 0
    while (this.#flights.firstKey <= this.#clock.now()) {
      const flight = this.#flights.pop()
      if (flight === undefined) break
      this.#note(flight.page)
      this.#frontier.requestEnded(flight.lease, { ok: true })
      updates.push(await this.#updateFrom(flight))
      if (!hasTime) break
    }
    if (updates.length > 0) await this.#frontier.settle(updates)
  }

  #note(page: number): void {
    this.#idle = 0
    this.#at[this.#count] = this.#clock.now() - this.#startedAt
    this.#fetched[this.#count++] = page
    if (this.#count % TOLD_EVERY === 0) this.#options.onFetched?.(TOLD_EVERY)
  }

  async #updateFrom({ lease, page }: Flight): Promise<FrontierUpdate> {
    if (page >= this.#world.alive) {
      return { lease, outcome: 'failed', reason: 'http-404', retryAt: null }
    }
    const { judged, found } = await this.#options.links.of(page)
    return { lease, outcome: 'stored', found, likeness: 0, judged }
  }
}
