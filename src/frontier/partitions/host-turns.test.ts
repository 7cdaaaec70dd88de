// Turns at hosts of another owner: two owners on simulated time, and the log that the host's server would have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { founds, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import { sampleJob } from '../../../test/contract/sample-page.ts'
import { OwnersFixture, openOwners } from '../../../test/support/several-owners.ts'
import { SimulatedTime } from '../../../test/support/simulated-time.ts'
import { hostOf } from '../../core/url.ts'
import { orderingNamed } from '../../ordering/index.ts'
import type { Lease } from '../frontier.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import { HostTurns } from './host-turns.ts'
import type { OwnedPartition } from './owned-partition.ts'
import type { PartitionedFrontier } from './partitioned-frontier.ts'

const DELAY_MS = 1000
const PAGES = 12
/** Of `founds`. */
const SALT = 77

type Entry = { readonly at: number; readonly by: string }

class Stage {
  readonly time = new SimulatedTime()
  readonly log: Entry[] = []
  readonly fixture: OwnersFixture

  constructor(perHost: number) {
    const { settings, ...job } = sampleJob()
    const plain = { ...settings, delayMs: DELAY_MS, perHost, ignoreRobots: true, sitemaps: false }
    const ordering = orderingNamed('breadth-first')
    this.fixture = new OwnersFixture({
      ...{ job: { ...job, id: 1, salt: SALT, settings: { ...plain, trapBudget: 0 } }, ordering },
      ...{ policy: hostPolicyNamed('fair'), admit: () => null, templateOf: () => null },
      ...{ time: this.time, partitions: 8, roundMs: 50 },
      createScorer: () => ordering.createScorer({}, 1),
    })
  }

  /** The owner of the host, and another one. */
  async open(): Promise<{ owner: PartitionedFrontier; guest: PartitionedFrontier }> {
    const both = await openOwners(this.fixture, 2, this.time)
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

  /** As the visit of a robots.txt does (scouter/visit.ts). */
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

test('a visit that delays the release of its partition gets the turns that it needs to end', async () => {
  const stage = new Stage(1)
  const { time, fixture } = stage
  const first = await time.until(fixture.open())
  const names = Array.from({ length: 16 }, (_, nth) => `h${nth}.test`)
  await time.until(first.add(founds(...names.flatMap((name) => [`${name}/`, `${name}/1`])), 'seed'))
  const visited = await first.lease(16)
  assert.equal(visited.length, 16)
  for (const lease of visited) {
    first.requestSent(lease)
    first.requestEnded(lease, { ok: true })
  }
  // A half of the partitions is to move to it as soon as nothing is under way there.
  const second = await time.until(fixture.open())
  await time.pass(3000)
  const turns = await Promise.all(names.map((name) => first.leaseFor(urlOf(`${name}/robots.txt`))))
  assert.deepEqual(
    turns.map((turn) => turn?.host),
    names,
  )
  for (const turn of turns) if (turn !== null) first.requestEnded(turn, { ok: true })
  await time.pass(2000)
  const more = await first.lease(16)
  assert.ok(more.length < 16, 'nothing new is leased from a partition that leaves')
  for (const each of [first, second]) each.abandon()
})

/** A host that is busy until it is set free, and what is told to those who want a turn there. */
function busyHost() {
  const time = new SimulatedTime()
  const told: string[] = []
  const at = { isFree: false }
  const partition = {
    isLeaving: false,
    engine: { leaseFor: () => (at.isFree ? ({} as Lease) : null), requestEnded: () => {} },
    send: (_: number, { turn }: { turn: { owner: string; nth: number } }) =>
      told.push(`${turn.owner} ${turn.nth}`),
  } as unknown as OwnedPartition
  const turns = new HostTurns({
    ...{ clock: time, timers: time, timeoutMs: 1000, certainMs: () => 10_000 },
    ...{ isOpen: () => true, commit: () => {}, onError: (error) => assert.fail(String(error)) },
  })
  const want = (owner: string, nth: number, url = 'a.test/robots.txt'): void => {
    const turn = { owner, nth, partition: 1 }
    turns.want(partition, { kind: 'turn-wanted', turn, url: urlOf(url) })
  }
  const setFree = async (): Promise<readonly string[]> => {
    at.isFree = true
    await time.pass(200)
    turns.abandon()
    return told
  }
  return { time, want, setFree }
}

test('a guest that asks again for the same host gets one turn, the last it asked for', async () => {
  const { time, want, setFree } = busyHost()
  want('x', 1)
  want('y', 1)
  await time.pass(5000)
  want('x', 2, 'a.test/other.txt')
  want('x', 3, 'b.test/robots.txt')
  assert.deepEqual((await setFree()).toSorted(), ['x 2', 'x 3', 'y 1'])
})

test('a wish for a turn that was not asked for again is forgotten', async () => {
  const { time, want, setFree } = busyHost()
  want('x', 1)
  await time.pass(8000)
  want('y', 1)
  await time.pass(8000)
  assert.deepEqual(await setFree(), ['y 1'])
})
