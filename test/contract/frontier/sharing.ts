// Which host goes first: fair, largest, best.
import assert from 'node:assert/strict'
import { jainsIndex } from '../../../src/core/fairness.ts'
import { siteOf } from '../../../src/core/url.ts'
import type { FrontierUpdate, Lease } from '../../../src/frontier/frontier.ts'
import type { Ordering } from '../../../src/ordering/ordering.ts'
import { found, founds, type Promises, type Rig, refused, stored } from './rig.ts'

const bySignal: Ordering = {
  name: 'by-signal',
  about: 'the first signal',
  rescoreOn: [],
  createScorer: () => ({ score: ({ signals }) => signals?.[0] ?? 0 }),
}

export function sharingContract(promise: Promises): void {
  const seeds = ['big.test/', 'middle.test/', 'small.test/']

  promise(
    'fair: unequal sites get the same number of pages while all have some',
    async (rig) => {
      await addSites(rig, { 'big.test': 2000, 'middle.test': 300, 'small.test': 60 })
      assert.ok((await leastJain(rig, 170, { at: 30 })) >= 0.95)
    },
    { seeds, settings: { delayMs: 0 } },
  )

  promise(
    'fair: with a delay as well',
    async (rig) => {
      await addSites(rig, { 'big.test': 2000, 'middle.test': 300, 'small.test': 60 })
      assert.ok((await leastJain(rig, 170, { at: 30 })) >= 0.95)
    },
    { seeds, settings: { delayMs: 1000 } },
  )

  promise(
    'fair: a domain with many hosts gets no more than one with a single host',
    async (rig) => {
      const hosts = Array.from({ length: 10 }, (_, index) => `h${index}.big.test`)
      const many = Object.fromEntries(hosts.map((host) => [host, 200]))
      await addSites(rig, { ...many, 'middle.test': 300, 'small.test': 60 })
      assert.ok((await leastJain(rig, 170, { at: 30 })) >= 0.95)
    },
    { seeds, settings: { delayMs: 1000 } },
  )

  promise(
    'fair: the quick do not wait for one whose pages take long',
    async (rig) => {
      await addSites(rig, { 'big.test': 500, 'middle.test': 500, 'small.test': 60 })
      const takesMs = (lease: Lease): number => (lease.host === 'small.test' ? 10_000 : 50)
      const pages = await pagesIn(rig, 20_000, takesMs)
      // One page each 100 ms, as if they were alone.
      assert.ok(pages.get('big.test')! >= 195, `big.test has ${pages.get('big.test')}`)
      assert.ok(pages.get('middle.test')! >= 195, `middle.test has ${pages.get('middle.test')}`)
      assert.equal(pages.get('small.test'), 2)
    },
    { seeds, settings: { delayMs: 100 } },
  )

  promise(
    'fair: the many hosts of a domain do not wait for another that takes long, either',
    async (rig) => {
      const hosts = Array.from({ length: 10 }, (_, index) => `h${index}.big.test`)
      await addSites(rig, Object.fromEntries(hosts.map((host) => [host, 300])))
      await addSites(rig, { 'small.test': 60 })
      const takesMs = (lease: Lease): number => (lease.host === 'small.test' ? 20_000 : 50)
      const pages = await pagesIn(rig, 20_000, takesMs)
      // Ten hosts at one page a second each; in the first two seconds the other is not known to be slow.
      assert.ok(pages.get('big.test')! >= 170, `big.test has ${pages.get('big.test')}`)
    },
    { seeds: ['big.test/', 'small.test/'], settings: { delayMs: 1000 } },
  )

  promise(
    'fair: a domain that comes back after a long time catches up a little, and then shares',
    async (rig) => {
      const hosts = (site: string): string[] => Array.from({ length: 8 }, (_, n) => `h${n}.${site}`)
      await addSites(rig, Object.fromEntries(hosts('big.test').map((host) => [host, 100])))
      for (let page = 0; page < 300; page += 1) await rig.store()
      await addSites(rig, Object.fromEntries(hosts('small.test').map((host) => [host, 100])))
      const visited: string[] = []
      for (let page = 0; page < 100; page += 1) visited.push(siteOf((await rig.store()).host))
      const last = visited.slice(-40).filter((site) => site === 'small.test').length
      assert.ok(last >= 18 && last <= 22, `of the last 40 pages ${last} were its own`)
      assert.ok(visited.slice(0, 30).every((site) => site === 'small.test'))
    },
    { seeds: ['big.test/', 'small.test/'], settings: { delayMs: 0 } },
  )

  promise(
    'hosts that take long are given no more leases than there is room for, and hide nobody',
    async (rig) => {
      const slow = Array.from({ length: 20 }, (_, index) => `s${index}.test`)
      await addSites(rig, Object.fromEntries(slow.map((host) => [host, 3])))
      const first = await rig.frontier.lease(20)
      assert.ok(first.every(({ pace }) => pace === 'new'))
      for (const lease of first) rig.frontier.requestSent(lease)
      rig.clock.advance(5000)
      for (const lease of first) rig.frontier.requestEnded(lease, { ok: true })
      await rig.frontier.settle(first.map((lease) => stored(lease)))
      await addSites(rig, { 'quick.test': 3 })
      const room = { new: 5, slow: 2 }
      const leases = await rig.frontier.lease(10, 10, room)
      assert.equal(leases.filter(({ pace }) => pace === 'slow').length, 2)
      assert.ok(leases.some(({ host }) => host === 'quick.test'))
      assert.equal(leases.length, 3)
      assert.equal((await rig.frontier.lease(30)).length, 18)
    },
    { settings: { delayMs: 0 } },
  )

  promise(
    'fair: nobody waits for a site that has run dry',
    async (rig) => {
      await addSites(rig, { 'big.test': 100, 'middle.test': 5, 'small.test': 5 })
      assert.equal((await rig.drain()).length, 110)
    },
    { seeds, settings: { delayMs: 0 } },
  )

  for (const [trouble, note] of [
    ['a site that fails', { ok: false, restMs: 50_000 }],
    ['a site that asks for a long rest', { ok: true, restMs: 3_600_000 }],
  ] as const) {
    promise(
      `fair: nobody waits long for ${trouble}`,
      async (rig) => {
        await addSites(rig, { 'big.test': 100, 'middle.test': 100, 'small.test': 100 })
        const began = rig.clock.now()
        await crawlTo(rig, 150, (lease) => {
          const isDown = lease.host === 'small.test'
          rig.frontier.requestEnded(lease, isDown ? note : { ok: true })
          const retryAt = rig.clock.now() + 60_000
          return isDown ? { lease, outcome: 'failed', reason: 'connect', retryAt } : stored(lease)
        })
        assert.ok(rig.clock.now() - began < 100_000)
      },
      { seeds },
    )
  }

  promise(
    'fair: nobody waits long for a site that brings nothing',
    async (rig) => {
      await addSites(rig, { 'big.test': 200, 'middle.test': 200, 'small.test': 200 })
      const began = rig.clock.now()
      await crawlTo(rig, 100, (lease) => {
        rig.frontier.requestEnded(lease, { ok: true })
        const isBarren = lease.host === 'small.test'
        return isBarren ? refused(lease, 'robots') : stored(lease)
      })
      assert.ok(rig.clock.now() - began < 100_000)
      const [one, two] = ['big.test', 'middle.test'].map((host) => storedAt(rig, host))
      assert.ok(Math.abs(one! - two!) <= 2)
    },
    { seeds },
  )

  promise(
    'fair: what was served before a restart still counts',
    async (rig) => {
      await addSites(rig, { 'big.test': 50 })
      for (let page = 0; page < 20; page += 1) await rig.store()
      await rig.restart()
      await addSites(rig, { 'middle.test': 50 })
      // Until they are level.
      for (let page = 0; page < 20; page += 1) {
        assert.equal((await rig.store()).host, 'middle.test')
      }
    },
    { seeds: ['big.test/', 'middle.test/'], settings: { delayMs: 0 } },
  )

  promise(
    'largest: the host with most URLs waiting goes first',
    async (rig) => {
      await addSites(rig, { 'a.test': 3, 'b.test': 9, 'c.test': 5 })
      const leases = await rig.frontier.lease(3)
      assert.deepEqual(
        leases.map(({ host }) => host),
        ['b.test', 'c.test', 'a.test'],
      )
    },
    { settings: { hostPolicy: 'largest' } },
  )

  promise(
    'best: of equal URLs the one found first goes first, whichever host it is on',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store('b.test/1', 'a.test/2', 'c.test/3', 'b.test/4', 'a.test/5')
      const inOrder = ['b.test/1', 'a.test/2', 'c.test/3', 'b.test/4', 'a.test/5']
      const visited = await rig.drain()
      if (!rig.fixture.divided) return assert.deepEqual(visited, inOrder)
      // Partitions do not know which of two URLs was found first.
      assert.deepEqual(visited.toSorted(), inOrder.toSorted())
      assert.ok(visited.indexOf('b.test/1') < visited.indexOf('b.test/4'))
    },
    { seeds: ['a.test/'], settings: { delayMs: 0, scope: 'any', hostPolicy: 'best' } },
  )

  promise(
    'largest: how large a host is counts as of the last round',
    async (rig) => {
      await addSites(rig, { 'a.test': 30, 'b.test': 25, 'c.test': 20 })
      const visited = async (pages: number): Promise<string> => {
        let hosts = ''
        for (let page = 0; page < pages; page += 1) hosts += (await rig.store()).host[0]
        return hosts
      }
      // The first round has 32 picks: all 30 of a, which stays the largest although b and c have
      // more waiting from the seventh page on; then the first 2 of b.
      assert.equal(await visited(32), 'a'.repeat(30) + 'b'.repeat(2))
      await addSites(rig, { 'd.test': 22 })
      // At the second round b has 23 left, d 22, c 20: 23 of b, then 9 of d.
      assert.equal(await visited(32), 'b'.repeat(23) + 'd'.repeat(9))
      // At the third c has 20 and d 13.
      assert.equal(await visited(32), 'c'.repeat(20) + 'd'.repeat(12))
      assert.equal(await visited(1), 'd')
    },
    { settings: { hostPolicy: 'largest', delayMs: 0 } },
  )

  promise(
    'largest: hosts of the same size take turns, and one found within a round waits for the next',
    async (rig) => {
      await addSites(rig, { 'a.test': 40, 'b.test': 40 })
      const hosts: string[] = []
      for (let page = 0; page < 40; page += 1) {
        if (page === 4) await addSites(rig, { 'c.test': 50 })
        hosts.push((await rig.store()).host[0]!)
      }
      // 32 picks of the first round, then c with 50 against 24 each.
      const turns = rig.fixture.divided && hosts[0] === 'b' ? 'ba' : 'ab'
      assert.equal(hosts.join(''), turns.repeat(16) + 'c'.repeat(8))
    },
    { settings: { hostPolicy: 'largest', delayMs: 0 } },
  )

  promise(
    'largest: with a delay the next largest is visited meanwhile',
    async (rig) => {
      await addSites(rig, { 'a.test': 3, 'b.test': 2, 'c.test': 1 })
      const hosts: string[] = []
      while (rig.frontier.status().readyAt !== null) hosts.push((await rig.store()).host[0]!)
      assert.equal(hosts.join(''), 'abcaba')
    },
    { settings: { hostPolicy: 'largest', delayMs: 1000 } },
  )

  promise(
    'best: the host with the best URL goes first',
    async (rig) => {
      const links = [3, 9, 5].map((score) => found(`h${score}.test/`, { signals: [score] }))
      await rig.frontier.add(links, 'seed')
      await rig.frontier.add([found('h3.test/better', { signals: [7] })], 'seed')
      const leases = await rig.frontier.lease(3)
      assert.deepEqual(
        leases.map(({ host }) => host),
        ['h9.test', 'h3.test', 'h5.test'],
      )
    },
    { ordering: bySignal, settings: { hostPolicy: 'best' } },
  )
}

async function addSites(rig: Rig, sizes: Readonly<Record<string, number>>): Promise<void> {
  for (const [host, size] of Object.entries(sizes)) {
    const pages = Array.from({ length: size }, (_, index) => `${host}/${index}`)
    await rig.frontier.add(founds(...pages), 'seed')
  }
}

/** Leases whatever is ready, ten at a time, until so many pages are stored. */
async function crawlTo(
  rig: Rig,
  pages: number,
  land: (lease: Lease) => FrontierUpdate,
): Promise<void> {
  while (rig.frontier.counts().stored < pages) {
    rig.wait()
    for (const lease of await rig.frontier.lease(10)) {
      rig.frontier.requestSent(lease)
      await rig.frontier.settle([land(lease)])
    }
  }
}

function storedAt(rig: Rig, host: string): number {
  return rig.frontier.hosts(100).find((each) => each.host === host)?.stored ?? 0
}

/** Pages per domain of a crawl with 16 places that lasts for so long. */
async function pagesIn(
  { frontier, clock }: Rig,
  forMs: number,
  takesMs: (lease: Lease) => number,
): Promise<ReadonlyMap<string, number>> {
  const underWay: { readonly lease: Lease; readonly until: number }[] = []
  const pages = new Map<string, number>()
  for (const endsAt = clock.now() + forMs; clock.now() <= endsAt; ) {
    for (const lease of await frontier.lease(16 - underWay.length)) {
      frontier.requestSent(lease)
      underWay.push({ lease, until: clock.now() + takesMs(lease) })
    }
    const readyAt = frontier.status().readyAt ?? Number.POSITIVE_INFINITY
    const landsAt = Math.min(...underWay.map(({ until }) => until))
    clock.advance(Math.max(1, Math.min(Math.max(readyAt, clock.now() + 1), landsAt) - clock.now()))
    for (const flight of underWay.filter(({ until }) => until <= clock.now())) {
      underWay.splice(underWay.indexOf(flight), 1)
      const { lease } = flight
      frontier.requestEnded(lease, { ok: true })
      await frontier.settle([stored(lease)])
      const site = siteOf(lease.host)
      pages.set(site, (pages.get(site) ?? 0) + 1)
    }
  }
  return pages
}

/**
 * Crawls up to a number of pages, several at a time, each taking its time, and answers the lowest
 * Jain's index over the seeds' domains seen once `at` pages were stored.
 */
async function leastJain(
  rig: Rig,
  pages: number,
  { at, takesMs = () => 0 }: { at: number; takesMs?: (lease: Lease) => number },
): Promise<number> {
  const { frontier, clock } = rig
  const underWay: { readonly lease: Lease; readonly until: number }[] = []
  const perSite = new Map(rig.job.seeds.map((seed) => [siteOf(new URL(seed).host), 0]))
  let least = 1
  for (let count = 0; count < pages; ) {
    for (const lease of await frontier.lease(16 - underWay.length)) {
      frontier.requestSent(lease)
      underWay.push({ lease, until: clock.now() + takesMs(lease) })
    }
    underWay.sort((a, b) => a.until - b.until)
    const [next] = underWay
    const readyAt = frontier.status().readyAt ?? Number.POSITIVE_INFINITY
    const isFull = underWay.length === 16
    if (next === undefined || (!isFull && readyAt < next.until && readyAt > clock.now())) {
      clock.advance(readyAt - clock.now())
      continue
    }
    underWay.shift()
    clock.advance(Math.max(0, next.until - clock.now()))
    frontier.requestEnded(next.lease, { ok: true })
    await frontier.settle([stored(next.lease)])
    count += 1
    const site = siteOf(next.lease.host)
    perSite.set(site, (perSite.get(site) ?? 0) + 1)
    if (count >= at) least = Math.min(least, jainsIndex([...perSite.values()]))
  }
  return least
}
