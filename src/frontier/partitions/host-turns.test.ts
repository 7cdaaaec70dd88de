// Turns at hosts of another owner: two owners on simulated time, and the log that the host's server would have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { founds, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import { sampleJob } from '../../../test/contract/sample-page.ts'
import { OwnersPlace, openOwners } from '../../../test/support/several-owners.ts'
import { SimulatedTime } from '../../../test/support/simulated-time.ts'
import { hostOf } from '../../core/url.ts'
import { orderingNamed } from '../../ordering/index.ts'
import type { Lease } from '../frontier.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import type { PartitionedFrontier } from './partitioned-frontier.ts'

const DELAY_MS = 1000
const PAGES = 12
/** Of `founds`. */
const SALT = 77

type Entry = { readonly at: number; readonly by: string }

class Stage {
  readonly time = new SimulatedTime()
  readonly log: Entry[] = []
  readonly place: OwnersPlace

  constructor(perHost: number) {
    const { settings, ...job } = sampleJob()
    const plain = { ...settings, delayMs: DELAY_MS, perHost, ignoreRobots: true, sitemaps: false }
    const ordering = orderingNamed('breadth-first')
    this.place = new OwnersPlace({
      ...{ job: { ...job, id: 1, salt: SALT, settings: { ...plain, trapBudget: 0 } }, ordering },
      ...{ policy: hostPolicyNamed('fair'), admit: () => null, templateOf: () => null },
      ...{ time: this.time, partitions: 8, roundMs: 50 },
      createScorer: () => ordering.createScorer({}, 1),
    })
  }

  /** The owner of the host, and another one. */
  async open(): Promise<{ owner: PartitionedFrontier; guest: PartitionedFrontier }> {
    const both = await openOwners(this.place, 2, this.time)
    const pages = founds(...Array.from({ length: PAGES }, (_, at) => `a.test/${at}`))
    const [one, two] = both
    assert.ok(one && two)
    const isOnes = (await this.time.until(one.add(pages, 'seed'))) > 0
    await this.time.until(two.add(pages, 'seed'))
    return isOnes ? { owner: one, guest: two } : { owner: two, guest: one }
  }

  /** A request that takes some time. */
  async request(frontier: PartitionedFrontier, lease: Lease, by: string): Promise<void> {
    await this.time.sleep(30)
    if (!frontier.isValid(lease)) return frontier.requestEnded(lease, { ok: true })
    this.log.push({ at: this.time.now(), by })
    frontier.requestSent(lease)
    await this.time.sleep(200)
    frontier.requestEnded(lease, { ok: true })
  }

  /** The owner visits all pages of its host. */
  async visitAll(owner: PartitionedFrontier): Promise<void> {
    while (owner.counts().stored < PAGES) {
      for (const lease of await owner.lease(2)) void this.visit(owner, lease)
      await this.time.sleep(10)
    }
  }

  async visit(owner: PartitionedFrontier, lease: Lease): Promise<void> {
    await this.request(owner, lease, 'owner')
    await owner.settle([stored(lease)])
  }

  /** As the visit of a robots.txt does (scouter/visit-robots.ts). */
  async visitAsGuest(guest: PartitionedFrontier, path: string): Promise<void> {
    const url = urlOf(`a.test/${path}`)
    for (;;) {
      const lease = await guest.leaseFor(url)
      if (lease !== null) return this.request(guest, lease, 'guest')
      await this.time.sleep(20)
    }
  }
}

for (const perHost of [1, 2]) {
  test(`a request to a host of another owner keeps the host's gap, as its log shows (${perHost} at once)`, async () => {
    const stage = new Stage(perHost)
    const { owner, guest } = await stage.open()
    const all = [
      stage.visitAll(owner),
      stage.visitAsGuest(guest, 'robots.txt'),
      stage.visitAsGuest(guest, 'other.txt'),
      stage.visitAsGuest(guest, 'third.txt'),
    ]
    await stage.time.until(Promise.all(all))
    const { log } = stage
    assert.equal(log.filter(({ by }) => by === 'guest').length, 3)
    assert.equal(log.length, PAGES + 3)
    const gaps = log.slice(1).map(({ at }, nth) => at - (log[nth]?.at ?? 0))
    assert.ok(Math.min(...gaps) >= DELAY_MS, gaps.join(' '))
    for (const each of [guest, owner]) await stage.time.until(each[Symbol.asyncDispose]())
  })
}

test('a turn whose guest died ends by itself', async () => {
  const stage = new Stage(1)
  const { owner, guest } = await stage.open()
  const url = urlOf('a.test/robots.txt')
  let lease: Lease | null = null
  while (lease === null) {
    lease = await guest.leaseFor(url)
    await stage.time.pass(20)
  }
  assert.equal(hostOf(lease.url), 'a.test')
  guest.abandon()
  assert.deepEqual(await owner.lease(1), [])
  await stage.time.until(stage.visitAll(owner))
  await stage.time.until(owner[Symbol.asyncDispose]())
})
