// A crawl by several programs that come, die and go: its limits are exact, and its hosts get equal shares. All
// programs are in this process, on simulated time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { founds, stored } from '../../../test/contract/frontier/rig.ts'
import { sampleJob } from '../../../test/contract/sample-page.ts'
import { OwnersStage, SmallWeb } from '../../../test/support/owners-stage.ts'
import { OwnersFixture } from '../../../test/support/several-owners.ts'
import { SimulatedTime } from '../../../test/support/simulated-time.ts'
import type { ScouterEnd } from '../../../test/support/virtual-scouter.ts'
import { NO_COSTS } from '../../core/budget.ts'
import { jainsIndex } from '../../core/fairness.ts'
import type { CrawlSettings } from '../../core/job.ts'
import type { Found } from '../../core/link.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { orderingNamed } from '../../ordering/index.ts'
import type { Lease } from '../frontier.ts'
import { hostPolicyNamed } from '../policy/index.ts'

/** Up to 8 owners, of which some die, some leave, and some come later. */
async function stormyCrawl(
  stage: OwnersStage,
  random: () => number,
): Promise<readonly ScouterEnd[]> {
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
    const stage = new OwnersStage({
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
    const stage = new OwnersStage({
      web,
      partitions: 1 + Math.floor(random() * 8),
      settings: { maxHot },
    })
    await stormyCrawl(stage, random)
    assert.equal(stage.store.hot, Math.min(maxHot, hot), `seed ${seed}: ${maxHot} of ${hot}`)
    if (maxHot >= hot) assert.equal(stage.store.pages.size >= hot, true)
  }
})

/** Every page links to a few others, of any host. Some hosts are slow, so long paths are often found first. */
class TangledWeb extends SmallWeb {
  readonly #links = new Map<CanonicalUrl, readonly Found[]>()

  constructor(random: () => number) {
    const below = (limit: number): number => Math.floor(random() * limit)
    const hosts = 4 + below(8)
    const latencies = Array.from({ length: hosts }, () => 10 + below(2) * below(3000))
    super(
      Array.from({ length: hosts }, () => 20),
      (host) => latencies[host] ?? 10,
    )
    for (let host = 0; host < hosts; host += 1) {
      for (let page = 0; page < 20; page += 1) {
        const next = () => this.found(random() < 0.5 ? host : below(hosts), below(20))
        this.#links.set(this.found(host, page).url, [next(), next()])
      }
    }
  }

  override linksOf({ url }: Pick<Lease, 'url'>): readonly Found[] {
    return this.#links.get(url) ?? []
  }

  within(depth: number): readonly CanonicalUrl[] {
    const known = new Map([[this.found(0, 0).url, 0]])
    for (const [url, at] of known) {
      if (at === depth) continue
      for (const link of this.linksOf({ url })) {
        if (!known.has(link.url)) known.set(link.url, at + 1)
      }
    }
    return [...known.keys()]
  }
}

test('--max-depth is exact, whoever comes, dies and goes', async () => {
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const random = seededRandom(seed)
    const web = new TangledWeb(random)
    const stage = new OwnersStage({ web, partitions: 5, settings: { maxDepth: 6 } })
    await stormyCrawl(stage, random)
    const fetched = [...stage.store.pages].toSorted()
    assert.deepEqual(fetched, web.within(6).toSorted(), `seed ${seed}`)
  }
})

test('--duration ends all programs with what is under way, and no page is lost or stored twice', async () => {
  for (let seed = 201; seed <= 200 + RUNS - 1; seed += 1) {
    const random = seededRandom(seed)
    const web = new SmallWeb(Array.from({ length: 12 }, () => 12))
    const stage = new OwnersStage({ web, partitions: 1 + Math.floor(random() * 8) })
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
  const stage = new OwnersStage({ web, partitions: 8, settings: { maxPages: 29 } })
  for (let at = 0; at < 8; at += 1) await stage.begin()
  const ends = await stage.end()
  assert.equal(stage.store.pages.size, 29)
  assert.deepEqual(new Set(ends), new Set(['limit']))
})

test('programs do not hold back for domains that their owner has nothing more of', async () => {
  // All owners but those of exhausted domains wait for their share of the last pages, with hosts that are ready.
  for (const seed of [9, 113, 299, 314, 341, 446, 504, 579]) {
    const random = seededRandom(seed)
    const hosts = 2 + Math.floor(random() * 14)
    const web = new SmallWeb(
      Array.from({ length: hosts }, () => 1 + Math.floor(random() ** 2 * 40)),
    )
    const seeds = web.sizes.map((_, host) => host).filter(() => random() < 0.8)
    const maxPages = 1 + Math.floor(random() * 1.1 * web.pages)
    const partitions = 1 + Math.floor(random() * 12)
    const stage = new OwnersStage({ web, partitions, settings: { maxPages }, seeds })
    const owners = 1 + Math.floor(random() * 6)
    for (let at = 0; at < owners; at += 1) await stage.begin()
    await stage.end()
    assert.equal(stage.store.pages.size, Math.min(maxPages, web.pages), `seed ${seed}`)
  }
})

/** Every page links to ten others, of any host: partitions send each other messages all the time. */
class BusyWeb extends SmallWeb {
  readonly #random = seededRandom(3)

  override linksOf(): readonly Found[] {
    const below = (limit: number): number => Math.floor(this.#random() * limit)
    return Array.from({ length: 10 }, () => this.found(below(this.sizes.length), below(4000)))
  }
}

test('a program that joins a busy crawl begins within seconds', async () => {
  const web = new BusyWeb(Array.from({ length: 60 }, () => 4000))
  const stage = new OwnersStage({ web, partitions: 16, settings: { maxPages: 10_000 } })
  for (let at = 0; at < 3; at += 1) await stage.begin()
  await stage.time.pass(10_000)
  const joinedAt = stage.time.now()
  const { frontier } = await stage.begin()
  const isIdle = (): boolean => frontier.status().unsettled === frontier.status().heldByOthers
  while (isIdle() && stage.time.now() < joinedAt + 10_000) await stage.time.pass(100)
  assert.equal(isIdle(), false)
  for (const scouter of stage.scouters) stage.kill(scouter)
})

/** One program, which owns all of a crawl without robots.txt. */
async function openLone(more: Partial<CrawlSettings> = {}) {
  const time = new SimulatedTime()
  const { settings, ...sample } = sampleJob()
  const plain = { ...settings, delayMs: 0, ignoreRobots: true, sitemaps: false, trapBudget: 0 }
  const job = { ...sample, id: 1, salt: 77, settings: { ...plain, ...more } }
  const ordering = orderingNamed('breadth-first')
  const fixture = new OwnersFixture({
    ...{ job, ordering, time, partitions: 1, policy: hostPolicyNamed('fair') },
    ...{ admit: () => null, templateOf: () => null },
    createScorer: () => ordering.createScorer({}, 1),
  })
  return { time, job, fixture, frontier: await time.until(fixture.open()) }
}

test('nobody waits for a lease until what it has refused on its way is written', async () => {
  const { time, job, fixture, frontier } = await openLone({
    hostBudget: { ...NO_COSTS, requests: 1 },
  })
  await time.until(frontier.add(founds('a.test/', 'a.test/2', 'b.test/'), 'seed'))
  const [first] = await time.until(frontier.lease(1))
  assert.equal(first?.url, 'http://a.test/')
  frontier.requestSent(first)
  frontier.requestEnded(first, { ok: true })
  await time.until(frontier.settle([stored(first)]))
  const askedAt = time.now()
  const [next] = await time.until(frontier.lease(2))
  assert.deepEqual([next?.host, time.now() - askedAt], ['b.test', 0])
  await time.pass(500)
  const [, second] = founds('a.test/', 'a.test/2')
  const states = await fixture.storage.states(job)
  assert.equal((await states?.find(second!.url))?.state, 'refused')
})

test('the storage shows leases that last longer than a second, and counts with them', async () => {
  const { time, job, fixture, frontier } = await openLone()
  await time.until(frontier.add(founds('a.test/', 'b.test/'), 'seed'))
  const [quick, slow] = await time.until(frontier.lease(2))
  assert.ok(quick && slow)
  const states = await fixture.storage.states(job)
  const stateOf = async ({ url }: typeof quick) => (await states?.find(url))?.state
  await time.pass(500)
  assert.deepEqual([await stateOf(quick), await stateOf(slow)], ['queued', 'queued'])
  await time.until(frontier.settle([stored(quick)]))
  await time.pass(1500)
  assert.deepEqual([await stateOf(quick), await stateOf(slow)], ['stored', 'leased'])
  assert.deepEqual((await states?.counts())?.leased, 1)
  await time.until(frontier[Symbol.asyncDispose]())
  assert.equal(await stateOf(slow), 'queued')
})

test('a program that is alone does not end while a message to itself is under way', async () => {
  // Each page leads to the next host only, mostly in another partition of the same program.
  const web = new SmallWeb(Array.from({ length: 40 }, () => 1))
  const stage = new OwnersStage({ web, partitions: 8 })
  await stage.begin()
  assert.deepEqual(await stage.end(), ['empty'])
  assert.equal(stage.store.pages.size, 40)
})

test('nor does one that took the partitions of a dead one over, with messages that nobody has read', async () => {
  for (let seed = 1; seed <= 4; seed += 1) {
    const web = new SmallWeb(Array.from({ length: 40 }, () => 1))
    const stage = new OwnersStage({ web, partitions: 8 })
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
    const stage = new OwnersStage({ web, partitions: 5, seeds, settings: { maxPages: 24 * 20 } })
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
