// Programs that share a crawl and come, die, stop and go, with bad lines to the storage, slow parsers, and receipts
// that arrive late, twice, or at another program. All of them are in this process, on simulated time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OwnersStage, SmallWeb } from '../../../test/support/owners-stage.ts'
import { OwnersFixture } from '../../../test/support/several-owners.ts'
import { SimulatedTime } from '../../../test/support/simulated-time.ts'
import { type LineCall, throughLine } from '../../../test/support/unreliable-storage.ts'
import type { Job } from '../../core/job.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { orderingNamed } from '../../ordering/index.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import { partitionOf } from './partition-of.ts'
import type { PartitionedFrontier } from './partitioned-frontier.ts'

const DELAY_MS = 100

type Storm = {
  readonly stage: OwnersStage
  readonly random: () => number
  readonly leaseMs: number
  readonly expected: number
}

function stormOf(seed: number): Storm {
  const random = seededRandom(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const sizes = Array.from({ length: 2 + below(14) }, () => 1 + Math.floor(random() ** 2 * 40))
  const web = new SmallWeb(sizes, () => 10 + below(2) * below(400))
  const seeds = sizes.map((_, host) => host).filter(() => random() < 0.7)
  if (seeds.length === 0) seeds.push(0)
  const maxPages = random() < 0.6 ? 1 + below(web.pages) : 1000
  const leaseMs = 3000 + below(7000)
  const stage = new OwnersStage({
    ...{ web, seeds, leaseMs, partitions: 1 + below(12) },
    settings: { maxPages, delayMs: DELAY_MS },
    line: {
      ...{ random, slowMs: 500 + below(1.3 * leaseMs) },
      ...{ slowPercent: below(2) * below(8), twicePercent: below(2) * below(30) },
    },
  })
  return { stage, random, leaseMs, expected: Math.min(maxPages, web.pages) }
}

async function passStorm({ stage, random, leaseMs }: Storm): Promise<void> {
  const below = (limit: number): number => Math.floor(random() * limit)
  const first = 1 + below(5)
  for (let at = 0; at < first; at += 1) await stage.begin()
  const events = below(6)
  for (let event = 0; event < events; event += 1) {
    await stage.time.pass(50 + below(3000))
    const scouter = stage.scouters[below(stage.scouters.length)]
    const kind = scouter === undefined ? 0 : below(4)
    if (kind === 0 || scouter === undefined) await stage.begin()
    else if (kind === 1) stage.kill(scouter)
    else if (kind === 2) await stage.leave(scouter)
    else stage.stop(scouter, leaseMs * (0.3 + 1.5 * random()))
  }
  if (stage.scouters.length === 0) await stage.begin()
  await stage.end()
}

/** Random storms. More of them: STORMS=1000. */
const STORMS = Number(process.env.STORMS ?? 40)
const FIRST = Number(process.env.STORM ?? 1)

test('no storm loses a page, ends a crawl early, lets it stand still, or makes it impolite', async () => {
  for (let seed = FIRST; seed < FIRST + STORMS; seed += 1) {
    const storm = stormOf(seed)
    const { stage, expected } = storm
    await assert.doesNotReject(passStorm(storm), `seed ${seed}`)
    assert.equal(stage.store.pages.size, expected, `seed ${seed}`)
    assert.deepEqual(new Set(stage.pagesAtEnds), new Set([expected]), `seed ${seed}: an early end`)
    assert.ok(stage.shortestGap >= DELAY_MS, `seed ${seed}: ${stage.shortestGap} ms`)
  }
})

const SLOW_MS = 3000

/** Two partitions; all pages are of a host of the second. */
class TwoPartitions {
  readonly time = new SimulatedTime()
  readonly #place: OwnersFixture
  readonly #host: number
  readonly #web = new SmallWeb(Array.from({ length: 20 }, () => 5))

  constructor() {
    const ordering = orderingNamed('breadth-first')
    const hosts = this.#web.sizes.map((_, host) => host)
    this.#host = hosts.find((host) => partitionOf(`h${host}.test`, 2) === 1) ?? 0
    const job: Job = {
      ...({ id: 1, name: 'two', origin: 'cli', topic: null, salt: 5 } as const),
      seeds: [this.#web.found(this.#host, 0).url],
      settings: { ...DEFAULT_SETTINGS, ignoreRobots: true, sitemaps: false },
    }
    this.#place = new OwnersFixture({
      ...{ time: this.time, partitions: 2, job, ordering, policy: hostPolicyNamed('fair') },
      createScorer: () => ordering.createScorer({}, 1),
      ...{ admit: () => null, templateOf: () => null },
    })
  }

  /** `slow`: what takes long for this program. */
  async open(slow: readonly LineCall[] = []): Promise<PartitionedFrontier> {
    const own = throughLine(this.#place.storage, (call) =>
      this.time.sleep(slow.includes(call) ? SLOW_MS : 0),
    )
    const frontier = await this.time.until(this.#place.open({ storage: own, timers: this.time }))
    const seed = this.#web.found(this.#host, 0)
    await this.time.until(frontier.add([seed], 'seed'))
    return frontier
  }

  /** Whether a program ever takes the crawl for finished, although a page waits. */
  async endsEarly(frontier: PartitionedFrontier, forMs: number): Promise<boolean> {
    for (let ms = 0; ms < forMs; ms += 10) {
      await this.time.pass(10)
      if (frontier.status().readyAt === null && frontier.counts().queued > 0) return true
    }
    return false
  }
}

test('a crawl does not end while its only program is about to release the partition with its pages', async () => {
  const two = new TwoPartitions()
  const first = await two.open(['write'])
  const joining = two.open()
  assert.equal(await two.endsEarly(first, 15_000), false)
  const second = await joining
  await two.time.until(Promise.all([first, second].map((each) => each[Symbol.asyncDispose]())))
})

test('a crawl does not end while its only program still reads the messages of a partition it has claimed', async () => {
  const two = new TwoPartitions()
  const first = await two.open(['inbox'])
  const second = await two.open()
  await two.time.pass(20_000)
  second.abandon()
  assert.equal(await two.endsEarly(first, 40_000), false)
  await two.time.until(first[Symbol.asyncDispose]())
})
