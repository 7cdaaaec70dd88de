// A crawl of a made-up web by several virtual scouters that share a frontier, on simulated time.
import type { CrawlSettings, Job } from '../../src/core/job.ts'
import type { Found } from '../../src/core/link.ts'
import { type CanonicalUrl, hostOf } from '../../src/core/url.ts'
import type { Lease } from '../../src/frontier/frontier.ts'
import type { PartitionedFrontier } from '../../src/frontier/partitions/partitioned-frontier.ts'
import { hostPolicyNamed } from '../../src/frontier/policy/index.ts'
import { createUrlHasher } from '../../src/lib/url-hash.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import { orderingNamed } from '../../src/ordering/index.ts'
import { OwnersFixture } from './several-owners.ts'
import { SimulatedTime } from './simulated-time.ts'
import { type Line, onBadLine, StoppableTime } from './unreliable-storage.ts'
import {
  type ScouterEnd,
  VirtualScouter,
  VirtualStore,
  type VirtualWeb,
} from './virtual-scouter.ts'

const SALT = 5
/** Programs on bad lines lose their partitions again and again, and need long. */
const END_MS = 1_000_000
const hashUrl = createUrlHasher(SALT)

/** Every page links to the next two of its host, and to the front of the next host. */
export class SmallWeb implements VirtualWeb {
  readonly sizes: readonly number[]
  readonly #latencyMs: (host: number) => number

  constructor(sizes: readonly number[], latencyMs: (host: number) => number = () => 30) {
    this.sizes = sizes
    this.#latencyMs = latencyMs
  }

  get pages(): number {
    return this.sizes.reduce((sum, size) => sum + size, 0)
  }

  found(host: number, page: number): Found {
    const url = `http://h${host}.test/${page}` as CanonicalUrl
    return { url, hash: hashUrl(url), nofollow: false, signals: null }
  }

  linksOf({ url }: Pick<Lease, 'url'>): readonly Found[] {
    const { host, page } = locationOf(url)
    const links = [page + 1, page + 2].filter((next) => next < (this.sizes[host] ?? 0))
    const next = (host + 1) % this.sizes.length
    return [...links.map((one) => this.found(host, one)), this.found(next, 0)]
  }

  isHot(url: CanonicalUrl): boolean {
    return locationOf(url).page % 3 === 1
  }

  latencyOf(url: CanonicalUrl): number {
    return this.#latencyMs(locationOf(url).host)
  }
}

function locationOf(url: CanonicalUrl): { readonly host: number; readonly page: number } {
  const [, host = '', page = ''] = /h(\d+)\.test\/(\d+)/.exec(url) ?? []
  return { host: Number(host), page: Number(page) }
}

export type OwnersStageOptions = {
  readonly web: SmallWeb
  readonly partitions: number
  readonly settings?: Partial<CrawlSettings>
  /** Hosts whose front pages are seeds. */
  readonly seeds?: readonly number[]
  readonly leaseMs?: number
  /** Each program has a bad line to the storage, and a slow parser now and then. */
  readonly line?: Line
}

type Program = { readonly frontier: PartitionedFrontier; readonly time: StoppableTime }

export class OwnersStage {
  readonly time = new SimulatedTime()
  readonly store: VirtualStore
  readonly running = new Map<VirtualScouter, Promise<ScouterEnd>>()
  /** By host: when its requests went out. */
  readonly requests = new Map<string, number[]>()
  /** How many pages there were when a scouter found that there is nothing more to do. */
  readonly pagesAtEnds: number[] = []
  /** Pages that were requested and did not fit, until the first scouter found the end: it ends all of them. */
  refusedAtEnd = 0
  readonly #times = new Map<VirtualScouter, StoppableTime>()
  readonly #options: OwnersStageOptions
  readonly #fixture: OwnersFixture
  readonly #seeds: readonly Found[]

  constructor(options: OwnersStageOptions) {
    const { web, partitions, settings, seeds = [0], leaseMs } = options
    this.#options = options
    this.#seeds = seeds.map((host) => web.found(host, 0))
    const job: Job = {
      ...({ id: 1, name: 'several', origin: 'cli', topic: null, salt: SALT } as const),
      seeds: this.#seeds.map(({ url }) => url),
      settings: {
        ...{ ...DEFAULT_SETTINGS, ignoreRobots: true, sitemaps: false, trapBudget: 0 },
        ...{ delayMs: 100, scope: 'any', ...settings },
      },
    }
    this.store = new VirtualStore(job.settings)
    // As the supervisor of a crawl does when it has enough.
    this.store.onPage = () => {
      if (job.settings.maxHot !== null && this.store.isFull) this.#drainAll()
    }
    const ordering = orderingNamed('breadth-first')
    this.#fixture = new OwnersFixture({
      ...{ time: this.time, partitions, job, ordering, policy: hostPolicyNamed('fair') },
      ...(leaseMs === undefined ? {} : { leaseMs }),
      createScorer: () => ordering.createScorer({}, 1),
      admit: () => null,
      templateOf: () => null,
    })
  }

  get scouters(): readonly VirtualScouter[] {
    return [...this.running.keys()]
  }

  /** They begin when each has its partitions. */
  async beginTogether(owners: number, concurrency: number): Promise<void> {
    const programs: Program[] = []
    for (let at = 0; at < owners; at += 1) programs.push(await this.#opened())
    await this.time.pass(5000)
    for (const program of programs) this.#run(program, concurrency)
  }

  async begin(): Promise<VirtualScouter> {
    return this.#run(await this.#opened(), 4)
  }

  #run({ frontier, time }: Program, concurrency: number): VirtualScouter {
    const { web, line } = this.#options
    const { store } = this
    const scouter = new VirtualScouter({
      ...{ frontier, time, store, web, concurrency },
      onRequest: (url) => this.#note(url),
      ...(line && {
        parseMs: () => (line.random() < line.slowPercent / 100 ? line.random() * line.slowMs : 5),
        isTwice: () => line.random() < line.twicePercent / 100,
      }),
    })
    this.running.set(scouter, this.#toItsEnd(scouter))
    this.#times.set(scouter, time)
    if (store.limits.maxHot !== null && store.isFull) scouter.drain()
    return scouter
  }

  /** A process that has found the end leaves. */
  async #toItsEnd(scouter: VirtualScouter): Promise<ScouterEnd> {
    const end = await scouter.run()
    if (end === 'limit' || end === 'empty') {
      if (this.pagesAtEnds.length === 0) this.refusedAtEnd = this.store.refused
      this.pagesAtEnds.push(this.store.pages.size)
    }
    if (end !== 'killed') await scouter.frontier[Symbol.asyncDispose]()
    return end
  }

  #note(url: CanonicalUrl): void {
    const host = hostOf(url)
    const times = this.requests.get(host) ?? []
    times.push(this.time.now())
    this.requests.set(host, times)
  }

  /** The shortest time between two requests to one host; Infinity if there were no two. */
  get shortestGap(): number {
    const gaps = [...this.requests.values()].flatMap((times) =>
      times.slice(1).map((at, nth) => at - (times[nth] ?? 0)),
    )
    return Math.min(Number.POSITIVE_INFINITY, ...gaps)
  }

  async #opened(): Promise<Program> {
    const { line } = this.#options
    const time = new StoppableTime(this.time)
    const { storage } = this.#fixture
    const own = { storage: line ? onBadLine(storage, time, line) : storage, timers: time }
    const frontier = await this.time.until(this.#fixture.open(own))
    await this.time.until(frontier.add(this.#seeds, 'seed'))
    return { frontier, time }
  }

  /** As by SIGSTOP, for so long. */
  stop(scouter: VirtualScouter, ms: number): void {
    this.#times.get(scouter)?.stop(ms)
  }

  /** Leaves as a worker that is told to: what is under way ends. */
  async leave(scouter: VirtualScouter): Promise<void> {
    scouter.drain()
    await this.time.until(Promise.all([this.running.get(scouter)]))
    this.running.delete(scouter)
  }

  kill(scouter: VirtualScouter): void {
    scouter.kill()
    this.running.delete(scouter)
  }

  #drainAll(): void {
    for (const scouter of this.running.keys()) scouter.drain()
  }

  /** Waits until all scouters that are left have ended by themselves. */
  end(): Promise<readonly ScouterEnd[]> {
    return this.time.until(Promise.all(this.running.values()), END_MS)
  }
}
