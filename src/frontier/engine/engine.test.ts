// The rules of the frontier, part by part: how URLs are added (intake), which host may be visited (schedule),
// what becomes a lease (picking), and what an update changes (settling). SQLite is in memory and the test
// controls the time. test/contract/frontier tests what a whole frontier promises.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found, founds, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import type { CrawlSettings, Job } from '../../core/job.ts'
import type { Found } from '../../core/link.ts'
import { hostOf } from '../../core/url.ts'
import { ManualClock } from '../../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { orderingNamed } from '../../ordering/index.ts'
import type { FrontierUpdate, HostFeedback, Lease } from '../frontier.ts'
import { MemoryRows } from '../memory/memory-rows.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import type { Admit } from './admission.ts'
import { createEngine } from './engine.ts'
import type { OtherPartitions, Source } from './link-intake.ts'
import { OwnerParts } from './owner-parts.ts'
import { pick } from './picking.ts'
import { QUEUED, STORED, shownState } from './states.ts'

const SETTINGS = { ...DEFAULT_SETTINGS, sitemaps: false, ignoreRobots: true, delayMs: 1000 }
const SEED: Source = { foundOn: null, via: 'seed', depth: 0, hops: 0, page: null }
const LINK: Source = { ...SEED, via: 'link', depth: 1 }

function rig(
  settings: Partial<CrawlSettings> = {},
  admit: Admit = () => null,
  otherPartitions: OtherPartitions | null = null,
) {
  const clock = new ManualClock(0)
  const all = { ...SETTINGS, ...settings }
  const job: Job = {
    ...{ id: 1, name: '', origin: 'cli', seeds: [urlOf('a.test/')], topic: null, salt: 77 },
    settings: all,
  }
  const ordering = orderingNamed(all.ordering)
  const options = {
    ...{ job, ordering, clock, admit, templateOf: () => null, otherPartitions },
    scorer: ordering.createScorer({}, 1),
    policy: hostPolicyNamed(all.hostPolicy),
  }
  const owner = new OwnerParts(options)
  const engine = createEngine(new MemoryRows(), options, owner)
  owner.enter(engine)
  const { intake, hosts, schedule, picking, leases, urls, settling } = engine
  const placeTouched = () => {
    for (const host of hosts.takeTouched()) schedule.place(host)
  }
  return {
    ...engine,
    clock,
    add(links: readonly Found[], source: Source = LINK): number {
      const added = intake.add(links, source)
      placeTouched()
      return added
    },
    pick: (limit = 10): Lease[] =>
      pick(schedule, () => picking, {
        limit,
        room: undefined,
        refusals: { left: 1000 },
        lacksConnections: true,
      }),
    send(lease: Lease): void {
      const sent = leases.requestSent(lease)
      if (sent) schedule.place(sent.origin.host)
    },
    end(lease: Lease, feedback: HostFeedback = { ok: true }): void {
      const ended = leases.requestEnded(lease, feedback)
      if (ended) schedule.place(ended.origin.host)
    },
    settle(update: FrontierUpdate): boolean {
      const isTaken = settling.settle(update)
      placeTouched()
      return isTaken
    },
    stateOf(id: number): string {
      const { state, reason } = urls.read(id)
      return `${shownState(state)}${reason === '' ? '' : ` ${reason}`}`
    },
  }
}

const paths = (leases: readonly Lease[]): string[] =>
  leases.map(({ url }) => url.replace('http://', ''))

test('intake: a URL is known once, however often it is found', () => {
  const { add, stateCounts } = rig()
  assert.equal(add(founds('a.test/', 'a.test/1', 'a.test/'), SEED), 2)
  assert.equal(add(founds('a.test/1', 'a.test/2')), 1)
  assert.equal(stateCounts.counts.queued, 3)
})

test('intake: what the rules of the crawl refuse is kept with its reason, and never queued', () => {
  const admit: Admit = (url) => (hostOf(url) === 'a.test' ? null : 'scope')
  const { add, pick, stateOf } = rig({}, admit)
  add(founds('a.test/1', 'b.test/1'))
  assert.deepEqual(paths(pick()), ['a.test/1'])
  assert.equal(stateOf(2), 'refused scope')
})

test('intake: a link that says nofollow is no path, until another link is', () => {
  const { add, stateOf } = rig()
  add([found('a.test/1', { nofollow: true })])
  assert.match(stateOf(1), /^refused nofollow/)
  add(founds('a.test/1'))
  assert.equal(stateOf(1), 'queued')
})

test('intake: a link that a plug-in bars is no path, until another link is, and has its own reason', () => {
  const { add, stateOf } = rig()
  add([found('a.test/1', { nofollow: true, barred: 'refused' })])
  add([found('a.test/2', { nofollow: true, barred: 'unanswered' })])
  assert.equal(stateOf(1), 'refused plugin-link: refused by admit')
  assert.equal(stateOf(2), 'refused plugin-link: admit gave no answer')
  add(founds('a.test/1'))
  assert.equal(stateOf(1), 'queued')
})

test('intake: what is too deep waits for a shorter path', () => {
  const { add, stateOf } = rig({ maxDepth: 2 })
  add(founds('a.test/far'), { ...LINK, depth: 3 })
  assert.match(stateOf(1), /^refused depth/)
  add(founds('a.test/far'), { ...LINK, depth: 2 })
  assert.equal(stateOf(1), 'queued')
})

test('intake: a seed is queued although rules that spare seeds had refused it', () => {
  const { add, stateOf } = rig({ maxDepth: 0 })
  add(founds('a.test/1'))
  assert.match(stateOf(1), /^refused depth/)
  add(founds('a.test/1'), SEED)
  assert.equal(stateOf(1), 'queued')
})

test('schedule: a host rests for its delay, counted from the moment the request goes out', () => {
  const { add, pick, send, end, clock, schedule } = rig()
  add(founds('a.test/1', 'a.test/2'))
  const [lease] = pick()
  assert.deepEqual(pick(), [], 'its request has not gone out yet')
  clock.advance(300)
  send(lease!)
  end(lease!)
  assert.equal(schedule.readyAt, 1300)
  clock.advance(999)
  assert.deepEqual(pick(), [])
  clock.advance(1)
  assert.deepEqual(paths(pick()), ['a.test/2'])
})

test('schedule: hosts do not wait for each other', () => {
  const { add, pick } = rig()
  add(founds('a.test/1', 'a.test/2', 'b.test/1', 'c.test/1'))
  assert.deepEqual(paths(pick()).sort(), ['a.test/1', 'b.test/1', 'c.test/1'])
})

test('schedule: a host that asks for rest gets it, and a longer gap from then on', () => {
  const { add, pick, send, end, clock, schedule } = rig()
  add(founds('a.test/1', 'a.test/2', 'a.test/3'))
  const first = pick()[0]!
  send(first)
  end(first, { ok: false, trouble: 'http-503', restMs: 60_000 })
  assert.equal(schedule.readyAt, 60_000)
  clock.advance(60_000)
  const second = pick()[0]!
  assert.equal(second.hostFailures, 1)
  send(second)
  end(second, { ok: true, delayMs: 5000 })
  assert.equal(schedule.readyAt, 65_000)
})

test('schedule: as many requests run at a host as the crawl allows, without a delay', () => {
  const { add, pick, send, end } = rig({ perHost: 2, delayMs: 0 })
  add(founds('a.test/1', 'a.test/2', 'a.test/3'))
  const [one, two] = pick()
  assert.deepEqual(paths(pick()), [])
  for (const lease of [one!, two!]) send(lease)
  end(one!)
  assert.deepEqual(paths(pick()), ['a.test/3'])
})

test('picking: robots.txt goes before any page of its origin, and each origin has its own', () => {
  const { add, pick } = rig({ ignoreRobots: false })
  add(founds('a.test/1', 'b.test/1'))
  assert.deepEqual(
    pick().map(({ kind, url }) => `${kind} ${url}`),
    ['robots http://a.test/robots.txt', 'robots http://b.test/robots.txt'],
  )
  assert.deepEqual(pick(), [], 'no page before the answer')
})

test('picking: the limit holds, and what is picked is not picked again', () => {
  const { add, pick } = rig({ delayMs: 0, perHost: 10 })
  add(founds('a.test/1', 'a.test/2', 'a.test/3'))
  assert.deepEqual(paths(pick(2)), ['a.test/1', 'a.test/2'])
  assert.deepEqual(paths(pick(2)), ['a.test/3'])
  assert.deepEqual(pick(2), [])
})

test('picking: a request outside the queue has the next turn of its host', () => {
  const { add, pick, send, end, clock, picking, hosts } = rig()
  add(founds('a.test/1', 'a.test/2'))
  const page = pick()[0]!
  send(page)
  end(page)
  const target = urlOf('a.test/moved.txt')
  const outside = () => picking.outside(target, hosts.originFor(target, 'a.test'))
  assert.equal(outside(), null, 'the host rests')
  clock.advance(900)
  assert.equal(outside(), null)
  clock.advance(100)
  assert.deepEqual(pick(), [], 'the page lets it go first')
  assert.equal(outside()?.url, target)
})

test('picking: a host that has used up its budget gets no more, and what waits there is refused', () => {
  const budget = { ...DEFAULT_SETTINGS.hostBudget, requests: 1 }
  const { add, pick, send, end, clock, stateOf } = rig({ hostBudget: budget })
  add(founds('a.test/1', 'a.test/2'))
  const lease = pick()[0]!
  send(lease)
  end(lease)
  clock.advance(1000)
  assert.deepEqual(pick(), [])
  assert.match(stateOf(2), /^refused/)
})

test('settling: a stored page brings its links, one step deeper, in the same step', () => {
  const { add, pick, settle, urls } = rig({ delayMs: 0 })
  add(founds('a.test/'), SEED)
  const lease = pick()[0]!
  assert.equal(settle(stored(lease, founds('a.test/1', 'a.test/2'))), true)
  assert.equal(urls.read(1).state, STORED)
  assert.deepEqual([urls.read(2).depth, urls.read(3).depth], [1, 1])
})

test('settling: a lease that was settled or lost is not taken a second time', () => {
  const { add, pick, settle } = rig({ delayMs: 0 })
  add(founds('a.test/'), SEED)
  const lease = pick()[0]!
  assert.equal(settle({ lease, outcome: 'released' }), true)
  assert.equal(settle(stored(lease)), false, 'it waits again')
  const again = pick()[0]!
  assert.equal(again.tries, 1, 'a released lease is no try')
  assert.equal(settle(stored(again)), true)
})

test('settling: a page that the store reports again is taken without a lease', () => {
  const { add, pick, settle, urls } = rig({ delayMs: 0 })
  add(founds('a.test/'), SEED)
  const lease = pick()[0]!
  settle({ lease, outcome: 'released' })
  assert.equal(settle(stored({ kind: 'page', id: 1, token: null, url: lease.url })), true)
  assert.equal(urls.read(1).state, STORED)
})

test('settling: a failure waits for its time, or is the end', () => {
  const { add, pick, settle, retries, stateOf } = rig({ delayMs: 0 })
  add(founds('a.test/1', 'a.test/2'))
  const [one] = pick(1)
  settle({ lease: one!, outcome: 'failed', reason: 'http-500', retryAt: 5000 })
  assert.deepEqual(retries.due(4999), [])
  assert.deepEqual(
    retries.due(5000).map(({ id }) => id),
    [1],
  )
  const [two] = pick(1)
  settle({ lease: two!, outcome: 'failed', reason: 'http-404', retryAt: null })
  assert.equal(stateOf(2), 'failed http-404')
})

test('settling: a redirect leads on as a URL of its own, one hop further', () => {
  const { add, pick, settle, urls, stateOf } = rig({ delayMs: 0 })
  add(founds('a.test/old'), SEED)
  settle({ lease: pick()[0]!, outcome: 'redirected', to: found('a.test/new') })
  assert.match(stateOf(1), /^redirected/)
  assert.deepEqual([urls.read(2).state, urls.read(2).hops, urls.read(2).depth], [QUEUED, 1, 0])
})

test('intake: a link to another partition is sent once, and again if it is nearer', () => {
  const sent: unknown[] = []
  const otherPartitions: OtherPartitions = {
    numberOf: (id) => 2 * id,
    placeOf: () => assert.fail('nobody asks'),
    partitionOf: (url) => (hostOf(url) === 'b.test' ? 1 : null),
    send: (to, { depth, links }) => sent.push([to, depth, links.map(({ url }) => hostOf(url))]),
    follow: () => assert.fail('nothing redirects'),
    lower: () => assert.fail('nothing is nearer'),
  }
  const { add } = rig({ ordering: 'breadth-first' }, undefined, otherPartitions)
  const links = founds('a.test/1', 'b.test/1')
  for (const depth of [3, 3, 4, 2]) add(links, { ...LINK, depth })
  assert.deepEqual(sent, [
    [1, 3, ['b.test']],
    [1, 2, ['b.test']],
  ])
})

test('settling: a page that was dropped for a better one is refused, and stays so', () => {
  const { add, pick, settle, stateOf, stateCounts } = rig({ delayMs: 0, perHost: 4 })
  add(founds('a.test/1', 'b.test/2'))
  const [first, second] = pick()
  settle(stored(first!))
  const moved = [{ url: urlOf('a.test/1'), of: null, isDropped: true as const }]
  settle({ ...stored(second!), moved } as FrontierUpdate)
  assert.deepEqual([stateOf(1), stateOf(2)], ['refused not-among-best', 'stored'])
  assert.equal(stateCounts.counts.stored, 1)
  assert.equal(stateCounts.counts.refused, 1)
  add(founds('a.test/1'))
  assert.equal(stateOf(1), 'refused not-among-best')
  assert.deepEqual(pick(), [])
})

test('settling: the receipt of a dropped page that comes again counts nothing twice', () => {
  const { add, pick, settle, stateOf, urls } = rig({ delayMs: 0, perHost: 4 })
  add(founds('a.test/1', 'b.test/2', 'c.test/3'))
  const [first, second] = pick()
  const links = founds('c.test/3')
  settle(stored(first!, links))
  const moved = [{ url: urlOf('a.test/1'), of: null, isDropped: true as const }]
  settle({ ...stored(second!, links), moved } as FrontierUpdate)
  const inLinks = urls.read(3).inLinks
  const receipt = { kind: 'page', id: first!.id, token: null, url: first!.url } as const
  assert.equal(settle(stored(receipt, links)), false)
  assert.deepEqual([stateOf(1), urls.read(3).inLinks], ['refused not-among-best', inLinks])
})
