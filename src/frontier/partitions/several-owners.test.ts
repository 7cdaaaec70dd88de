// A crawl by several programs that come, die and go: its limits are exact, and its hosts get equal shares. All
// programs are in this process, on simulated time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OwnersPlace } from '../../../test/support/several-owners.ts'
import { SimulatedTime } from '../../../test/support/simulated-time.ts'
import {
  type ScouterEnd,
  VirtualScouter,
  VirtualStore,
  type VirtualWeb,
} from '../../../test/support/virtual-scouter.ts'
import { jainsIndex } from '../../core/fairness.ts'
import type { CrawlSettings, Job } from '../../core/job.ts'
import type { Found } from '../../core/link.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { orderingNamed } from '../../ordering/index.ts'
import type { Lease } from '../frontier.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import type { PartitionedFrontier } from './partitioned-frontier.ts'

const SALT = 5
const hashUrl = createUrlHasher(SALT)

/** Every page links to the next two of its host, and to the front of the next host. */
class SmallWeb implements VirtualWeb {
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
    const { host, page } = placeOf(url)
    const links = [page + 1, page + 2].filter((next) => next < (this.sizes[host] ?? 0))
    const next = (host + 1) % this.sizes.length
    return [...links.map((one) => this.found(host, one)), this.found(next, 0)]
  }

  isHot(url: CanonicalUrl): boolean {
    return placeOf(url).page % 3 === 1
  }

  latencyOf(url: CanonicalUrl): number {
    return this.#latencyMs(placeOf(url).host)
  }
}

function placeOf(url: CanonicalUrl): { readonly host: number; readonly page: number } {
  const [, host = '', page = ''] = /h(\d+)\.test\/(\d+)/.exec(url) ?? []
  return { host: Number(host), page: Number(page) }
}

type StageOptions = {
  readonly web: SmallWeb
  readonly partitions: number
  readonly settings?: Partial<CrawlSettings>
  /** Hosts whose front pages are seeds. */
  readonly seeds?: readonly number[]
}

class Stage {
  readonly time = new SimulatedTime()
  readonly store: VirtualStore
  readonly running = new Map<VirtualScouter, Promise<ScouterEnd>>()
  readonly #options: StageOptions
  readonly #place: OwnersPlace
  readonly #seeds: readonly Found[]

  constructor(options: StageOptions) {
    const { web, partitions, settings, seeds = [0] } = options
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
    this.#place = new OwnersPlace({
      ...{ time: this.time, partitions, job, ordering, policy: hostPolicyNamed('fair') },
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
    const frontiers: PartitionedFrontier[] = []
    for (let at = 0; at < owners; at += 1) frontiers.push(await this.#opened())
    await this.time.pass(5000)
    for (const frontier of frontiers) this.#run(frontier, concurrency)
  }

  async begin(): Promise<VirtualScouter> {
    return this.#run(await this.#opened(), 4)
  }

  #run(frontier: PartitionedFrontier, concurrency: number): VirtualScouter {
    const { web } = this.#options
    const { time, store } = this
    const scouter = new VirtualScouter({ frontier, time, store, web, concurrency })
    this.running.set(scouter, scouter.run())
    if (store.limits.maxHot !== null && store.isFull) scouter.drain()
    return scouter
  }

  async #opened(): Promise<PartitionedFrontier> {
    const frontier = await this.time.until(this.#place.open())
    await this.time.until(frontier.add(this.#seeds, 'seed'))
    return frontier
  }

  /** Leaves as a worker that is told to: what is under way ends. */
  async leave(scouter: VirtualScouter): Promise<void> {
    scouter.drain()
    await this.time.until(Promise.all([this.running.get(scouter)]))
    this.running.delete(scouter)
    await this.time.until(scouter.frontier[Symbol.asyncDispose]())
  }

  kill(scouter: VirtualScouter): void {
    scouter.kill()
    this.running.delete(scouter)
  }

  #drainAll(): void {
    for (const scouter of this.running.keys()) scouter.drain()
  }

  /** Waits until all scouters that are left have ended by themselves. */
  async end(): Promise<readonly ScouterEnd[]> {
    const ends = await this.time.until(Promise.all(this.running.values()))
    for (const { frontier } of this.running.keys()) {
      await this.time.until(frontier[Symbol.asyncDispose]())
    }
    return ends
  }
}

/** Up to 8 owners, of which some die, some leave, and some come later. */
async function stormyCrawl(stage: Stage, random: () => number): Promise<readonly ScouterEnd[]> {
  const below = (limit: number): number => Math.floor(random() * limit)
  const first = 1 + below(8)
  for (let at = 0; at < first; at += 1) await stage.begin()
  const events = below(4)
  for (let event = 0; event < events; event += 1) {
    await stage.time.pass(100 + below(3000))
    const scouter = stage.scouters[below(stage.scouters.length)]
    const kind = below(3)
    if (kind === 0 || scouter === undefined) await stage.begin()
    else if (kind === 1) stage.kill(scouter)
    else await stage.leave(scouter)
  }
  if (stage.scouters.length === 0) await stage.begin()
  return stage.end()
}

function webOf(random: () => number): SmallWeb {
  const hosts = 2 + Math.floor(random() * 10)
  return new SmallWeb(Array.from({ length: hosts }, () => 1 + Math.floor(random() * 12)))
}

/** Random runs of each limit. More of them: LIMIT_RUNS=17 makes 50. */
const RUNS = Number(process.env.LIMIT_RUNS ?? 6)

test('--max-pages is exact, whoever comes, dies and goes', async () => {
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const random = seededRandom(seed)
    const web = webOf(random)
    const maxPages = 1 + Math.floor(random() * 1.2 * web.pages)
    const stage = new Stage({
      web,
      partitions: 1 + Math.floor(random() * 8),
      settings: { maxPages },
    })
    const ends = await stormyCrawl(stage, random)
    const expected = Math.min(maxPages, web.pages)
    assert.equal(stage.store.pages.size, expected, `seed ${seed}: ${maxPages} of ${web.pages}`)
    assert.ok(
      ends.every((end) => end === 'limit' || end === 'empty'),
      `seed ${seed}: ${ends}`,
    )
  }
})

test('--max-hot is exact, whoever comes, dies and goes', async () => {
  for (let seed = 101; seed <= 100 + RUNS; seed += 1) {
    const random = seededRandom(seed)
    const web = webOf(random)
    const hot = web.sizes.reduce((sum, size) => sum + Math.floor((size + 1) / 3), 0)
    const maxHot = 1 + Math.floor(random() * 1.2 * hot)
    const stage = new Stage({ web, partitions: 1 + Math.floor(random() * 8), settings: { maxHot } })
    await stormyCrawl(stage, random)
    assert.equal(stage.store.hot, Math.min(maxHot, hot), `seed ${seed}: ${maxHot} of ${hot}`)
    if (maxHot >= hot) assert.equal(stage.store.pages.size >= hot, true)
  }
})

test('--duration ends all programs with what is under way, and no page is lost or stored twice', async () => {
  for (let seed = 201; seed <= 200 + RUNS - 1; seed += 1) {
    const random = seededRandom(seed)
    const web = new SmallWeb(Array.from({ length: 12 }, () => 12))
    const stage = new Stage({ web, partitions: 1 + Math.floor(random() * 8) })
    const owners = 1 + Math.floor(random() * 8)
    for (let at = 0; at < owners; at += 1) await stage.begin()
    const durationMs = 100 + Math.floor(random() * 1200)
    await stage.time.pass(durationMs)
    const endsAt = stage.time.now()
    const under = new Set<CanonicalUrl>()
    stage.store.onPage = (url) => {
      assert.ok(stage.time.now() - endsAt <= 30, `seed ${seed}: ${url} began after the end`)
      under.add(url)
    }
    for (const scouter of stage.scouters) scouter.drain()
    const ends = await stage.end()
    assert.deepEqual(new Set(ends), new Set(['drained']))
    assert.ok(under.size <= 4 * owners)
    // The next run finds the rest.
    stage.running.clear()
    stage.store.onPage = () => {}
    await stage.begin()
    await stage.end()
    assert.equal(stage.store.pages.size, web.pages, `seed ${seed}`)
  }
})

test('the last page is fetched although the program that was granted it has none', async () => {
  // All that is left waits on one host, so seven of eight programs have nothing to fetch.
  const web = new SmallWeb([30])
  const stage = new Stage({ web, partitions: 8, settings: { maxPages: 29 } })
  for (let at = 0; at < 8; at += 1) await stage.begin()
  const ends = await stage.end()
  assert.equal(stage.store.pages.size, 29)
  assert.deepEqual(new Set(ends), new Set(['limit']))
})

test('a program that is alone does not end while a message to itself is under way', async () => {
  // Each page leads to the next host only, mostly in another partition of the same program.
  const web = new SmallWeb(Array.from({ length: 40 }, () => 1))
  const stage = new Stage({ web, partitions: 8 })
  await stage.begin()
  assert.deepEqual(await stage.end(), ['empty'])
  assert.equal(stage.store.pages.size, 40)
})

test('nor does one that took the partitions of a dead one over, with messages that nobody has read', async () => {
  for (let seed = 1; seed <= 4; seed += 1) {
    const web = new SmallWeb(Array.from({ length: 40 }, () => 1))
    const stage = new Stage({ web, partitions: 8 })
    const dying = await stage.begin()
    const other = await stage.begin()
    await stage.time.pass(1000 + 137 * seed)
    stage.kill(dying)
    assert.deepEqual(await stage.end(), ['empty'])
    assert.equal(stage.store.pages.size, 40, `seed ${seed}`)
    assert.ok(other)
  }
})

for (const { owners, concurrency, why } of [
  { owners: 1, concurrency: 16, why: 'one program' },
  { owners: 4, concurrency: 16, why: 'four programs' },
  { owners: 4, concurrency: 1, why: 'four programs that have too few connections for their hosts' },
]) {
  test(`fair: unequal sites get the same number of pages from ${why}`, async () => {
    const sizes = Array.from({ length: 24 }, (_, host) => (host % 3 === 0 ? 200 : 50))
    const web = new SmallWeb(sizes, (host) => (host % 5 === 0 ? 60 : 20))
    const seeds = sizes.map((_, host) => host)
    const stage = new Stage({ web, partitions: 5, seeds, settings: { maxPages: 24 * 20 } })
    await stage.beginTogether(owners, concurrency)
    const counts = sizes.map(() => 0)
    let least = 1
    stage.store.onPage = (url) => {
      const host = Number(hostOf(url).slice(1).split('.')[0])
      counts[host] = (counts[host] ?? 0) + 1
      if (stage.store.pages.size >= 240) least = Math.min(least, jainsIndex(counts))
    }
    await stage.end()
    assert.equal(stage.store.pages.size, 24 * 20)
    assert.ok(least >= 0.95, `${least}`)
  })
}
