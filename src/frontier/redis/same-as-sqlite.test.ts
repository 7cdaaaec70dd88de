// One session on Redis and the SQLite frontier, told the same things at the same moments, give the same
// leases in the same order and say the same of themselves. What Lua has its own words for, above all the
// rules of src/frontier/policy/, is compared here over random crawls.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { found, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import type { CrawlSettings, Job } from '../../core/job.ts'
import type { Found } from '../../core/link.ts'
import { openRedis } from '../../db/redis.ts'
import { ManualClock } from '../../lib/clock.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { optionValues, orderingNamed } from '../../ordering/index.ts'
import type { Frontier, HostFeedback, Lease, Settlement } from '../frontier.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import { openSqliteFrontier } from '../sqlite/sqlite-frontier.ts'
import { openRedisFrontier } from './redis-frontier.ts'

type Random = () => number

const HELD_RECHECK_MS = 200

const SITES = ['a.test', 'b.test', 'c.test', 'd.test', 'e.test']
const HOSTS = SITES.flatMap((site) => [site, `www.${site}`])

class Pair implements AsyncDisposable {
  readonly clock = new ManualClock()
  readonly random: Random
  readonly both: readonly [Frontier, Frontier]
  readonly #disposed: AsyncDisposableStack
  readonly out: [Lease, Lease][] = []

  constructor(random: Random, both: [Frontier, Frontier], disposed: AsyncDisposableStack) {
    this.random = random
    this.both = both
    this.#disposed = disposed
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit)
  }

  link(): Found {
    const scheme = this.below(5) === 0 ? 'https' : 'http'
    const host = HOSTS[this.below(HOSTS.length)]
    const nofollow = this.below(12) === 0
    return found(`${scheme}://${host}/${this.below(30)}`, { nofollow })
  }

  note(): HostFeedback {
    const kind = this.below(12)
    if (kind === 0) return { ok: false, trouble: 'connect', restMs: 1000 * this.below(90) }
    if (kind === 1) return { ok: true, delayMs: 1500 }
    return kind === 2 ? { ok: true, restMs: 700 } : { ok: true }
  }

  settlement(lease: Lease, seed: number): Settlement {
    const links = Array.from({ length: seed % 7 }, () => this.link())
    const kind = this.below(12)
    const retryAt = this.clock.now() + 500 * this.below(9)
    if (kind === 0) return { lease, outcome: 'failed', reason: 'connect', retryAt }
    if (kind === 1) return { lease, outcome: 'failed', reason: 'http-404', retryAt: null }
    if (kind === 2) return { lease, outcome: 'released' }
    if (kind === 3) return { lease, outcome: 'redirected', to: this.link() }
    if (kind === 4) {
      return { lease, outcome: 'refused', reason: 'type: image/png', found: [], judged: null }
    }
    if (kind === 5) {
      return { lease, outcome: 'duplicate', of: 'http://a.test/', found: links, judged: null }
    }
    return stored(lease, links, { likeness: this.below(3) })
  }

  /** Leases from both, which must be the same ones. */
  async lease(limit: number): Promise<void> {
    const [ours, theirs] = await Promise.all(this.both.map((frontier) => frontier.lease(limit)))
    assert.deepEqual(ours!.map(shown), theirs!.map(shown))
    for (const [at, lease] of ours!.entries()) this.out.push([lease, theirs![at]!])
  }

  /** One that is out lands and is settled. */
  async settleOne(): Promise<void> {
    const [leases] = this.out.splice(this.below(this.out.length), 1)
    if (leases === undefined) return
    const [note, wasSent] = [this.note(), this.below(8) > 0]
    const settlement = this.settlement(leases[0], this.below(50))
    for (const [at, frontier] of this.both.entries()) {
      if (wasSent) frontier.requestSent(leases[at]!)
      if (wasSent || !note.ok) frontier.requestEnded(leases[at]!, note)
      assert.equal(await frontier.settle([{ ...settlement, lease: leases[at]! }]), 1)
    }
  }

  compare(step: number): void {
    const [ours, theirs] = this.both
    assert.deepEqual(ours.counts(), theirs.counts(), `step ${step}`)
    const { readyAt, ...outlook } = ours.status()
    const { readyAt: theirReadyAt, ...their } = theirs.status()
    assert.deepEqual(outlook, their, `step ${step}`)
    assert.equal(readyAt === null, theirReadyAt === null, `step ${step}`)
    // Where all that is ready waits for others, both say when to ask again, in their own time.
    const [at, theirAt] = [readyAt, theirReadyAt].map((each) =>
      Math.max(each ?? 0, this.clock.now()),
    )
    assert.ok(Math.abs(at! - theirAt!) <= HELD_RECHECK_MS, `step ${step}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#disposed.disposeAsync()
  }
}

async function openPair(seed: number, settings: Partial<CrawlSettings>): Promise<Pair> {
  const disposed = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'same-'))
  disposed.defer(() => rmSync(folder, { recursive: true, force: true }))
  const prefix = `test-${randomBytes(6).toString('hex')}`
  const connection = disposed.use(
    await openRedis({ url: `${await sharedRedisUrl()}?prefix=${prefix}` }),
  )
  disposed.defer(async () => {
    const keys = (await connection.call('KEYS', `{${prefix}:*`)) as string[]
    await connection.call('UNLINK', 'none', ...keys)
  })
  const quiet = { ignoreRobots: true, sitemaps: false, trapBudget: 0, maxPages: 100_000 }
  const job: Job = {
    ...{ id: 1, name: 'same', origin: 'cli', topic: null, salt: 77 },
    seeds: ['a.test/', 'b.test/', 'c.test/'].map(urlOf),
    settings: { ...DEFAULT_SETTINGS, ...quiet, scope: 'any', ...settings },
  }
  const ordering = orderingNamed(job.settings.ordering)
  const steering = () => ordering.createScorer(optionValues(ordering, {}), job.salt)
  const both: Frontier[] = []
  const pair = new Pair(seededRandom(seed), both as [Frontier, Frontier], disposed)
  const setup = {
    ...{ job, ordering, policy: hostPolicyNamed(job.settings.hostPolicy), clock: pair.clock },
    ...{ admit: () => null, templateOf: () => null },
  }
  const redis = { connection, clockIsShared: true, sessionMs: 1e9 }
  both.push(
    disposed.use(await openRedisFrontier({ ...setup, ...redis, scorer: steering() })),
    disposed.use(
      await openSqliteFrontier({ ...setup, scorer: steering(), path: join(folder, 'f.db') }),
    ),
  )
  for (const frontier of pair.both) {
    await frontier.add(
      job.seeds.map((seed) => found(seed)),
      'seed',
    )
  }
  return pair
}

function shown({ token: _, ...lease }: Lease): Omit<Lease, 'token'> {
  return lease
}

const CRAWLS: readonly (readonly [string, Partial<CrawlSettings>])[] = [
  ['fair, one at a time', { hostPolicy: 'fair', delayMs: 1000 }],
  ['fair, without a delay', { hostPolicy: 'fair', delayMs: 0, perHost: 2 }],
  ['largest', { hostPolicy: 'largest', delayMs: 300, perHost: 2 }],
  ['best by links', { hostPolicy: 'best', ordering: 'backlink-count', delayMs: 500 }],
  ['depth-first with a limit', { hostPolicy: 'fair', ordering: 'depth-first', maxDepth: 3 }],
]

for (const [what, settings] of CRAWLS) {
  test(`a random crawl gives the same leases as with SQLite: ${what}`, async () => {
    await using pair = await openPair(what.length, settings)
    for (let step = 0; step < 120; step += 1) {
      if (pair.below(3) > 0) await pair.lease(1 + pair.below(4))
      else if (pair.below(5) === 0) pair.clock.advance(pair.below(3000))
      if (pair.below(2) === 0) await pair.settleOne()
      pair.compare(step)
      const { readyAt } = pair.both[1].status()
      if (pair.out.length === 0 && readyAt !== null) {
        pair.clock.advance(Math.max(0, readyAt - pair.clock.now()))
      }
    }
    assert.ok(pair.both[0].counts().stored > 5)
  })
}
