// Orderings that learn from pages: scores that drift, what is kept of it over restarts and kills,
// and ranks of the graph as a whole.
import assert from 'node:assert/strict'
import { hostOf } from '../../../src/core/url.ts'
import type { Ordering, Scorer } from '../../../src/ordering/ordering.ts'
import { found, type Promises, type Rig, shortOf, stored } from './rig.ts'

/** Learns how good the pages of each host are; what waits is worth its signal and its host. */
function byHost(): Scorer & { hosts: Map<string, number> } {
  const hosts = new Map<string, number>()
  return {
    hosts,
    drifts: true,
    score: ({ url, signals, depth }) =>
      depth === 0 ? 1000 : (signals?.[0] ?? 0) + (hosts.get(hostOf(url)) ?? 0),
    settled: (page) => {
      const gain = page.judged?.[0] ?? 0
      hosts.set(hostOf(page.url), gain)
      const finder = page.finder()
      if (finder) hosts.set(hostOf(finder.url), (hosts.get(hostOf(finder.url)) ?? 0) + gain)
    },
    save: () => new TextEncoder().encode(JSON.stringify([...hosts])),
    load: (bytes) => {
      for (const [host, gain] of JSON.parse(new TextDecoder().decode(bytes))) hosts.set(host, gain)
    },
  }
}

const drifting: Ordering = {
  name: 'drifting',
  about: 'hosts that were good before',
  rescoreOn: ['signals'],
  createScorer: byHost,
}

/** Learns which directories are good: within one queue some rise and some fall. */
const directories: Ordering = {
  ...drifting,
  createScorer: () => {
    const good = new Map<string, number>()
    const directory = (url: string): string => url.slice(0, url.lastIndexOf('/'))
    return {
      drifts: true,
      score: ({ url, signals, depth }) =>
        depth === 0 ? 1000 : (signals?.[0] ?? 0) + (good.get(directory(url)) ?? 0),
      settled: ({ url, judged }) => {
        good.set(directory(url), judged?.[0] ?? 0)
      },
    }
  },
}

/** Counts in its state how many pages it saw; as many bytes as it was told. */
const counting = (bytes: number): Ordering => ({
  name: 'counting',
  about: 'how many pages there were',
  rescoreOn: [],
  createScorer: () => {
    let pages = 0
    return {
      score: () => pages,
      settled: () => {
        pages += 1
      },
      save: () => new Uint8Array(bytes).fill(pages),
      load: (state) => {
        pages = state[0] ?? 0
      },
    }
  },
})

/** Ranked by how many pages link there, every third page; between, nothing is known. */
const ranked: Ordering = {
  name: 'ranked',
  about: 'most linked-to, counted now and then',
  rescoreOn: ['signals'],
  createScorer: () => ({
    score: ({ signals, depth }) => (depth === 0 ? 1000 : (signals?.[0] ?? -1000)),
    pass: () => [-1, 7],
    ranking: {
      isDue: (_, since) => since >= 3,
      rank: ({ nodes, targets }) => {
        const ranks = new Float64Array(nodes)
        for (const target of targets) ranks[target] = (ranks[target] ?? 0) + 1
        return ranks
      },
    },
  }),
}

const noted = (short: string, value: number) => found(short, { signals: [value] })

async function store(rig: Rig, gain: number, ...links: ReturnType<typeof found>[]) {
  const lease = await rig.visitNext()
  assert.equal(await rig.frontier.settle([stored(lease, links, { judged: [gain] })]), 1)
  return shortOf(lease.url)
}

async function scoreOfNext(rig: Rig): Promise<number> {
  const [lease] = await rig.frontier.lease(1)
  assert.ok(lease)
  rig.send(lease)
  await rig.frontier.settle([stored(lease, [found(`a.test/${lease.id}/next`)])])
  return (await rig.records()).at(-1)?.priority ?? Number.NaN
}

export function learningContract(promise: Promises): void {
  const best = { delayMs: 0, hostPolicy: 'best' } as const

  for (const headSize of [1, 3, 256]) {
    promise(
      `hosts change places with what is learned of them, with ${headSize} in memory`,
      async (rig) => {
        await rig.seed('a.test/')
        const links = [5, 4].map((n) => noted(`b.test/${n}`, n))
        await store(rig, 0, ...links, ...[6, 3, 2].map((n) => noted(`c.test/${n}`, n)))
        assert.equal(await store(rig, 0), 'c.test/6')
        assert.equal(await store(rig, -10), 'b.test/5')
        // b is at 4 - 10 now, c at 3 and 2.
        assert.equal(await store(rig, 20), 'c.test/3')
        assert.equal(await store(rig, -10), 'c.test/2')
        assert.equal(await store(rig, 0), 'b.test/4')
      },
      { settings: best, ordering: drifting, headSize },
    )
  }

  promise(
    'a host gets better when a page it led to is good',
    async (rig) => {
      await rig.seed('a.test/')
      const links = [noted('a.test/1', 1), noted('b.test/2', 2), noted('c.test/3', 3)]
      await store(rig, 0, ...links, noted('b.test/5', 5))
      assert.equal(await store(rig, 0, noted('d.test/9', 9)), 'b.test/5')
      // Found on b: what waits there, 2, is worth 22 for it.
      assert.equal(await store(rig, 20), 'd.test/9')
      assert.equal(await store(rig, 0), 'b.test/2')
      assert.equal(await store(rig, 0), 'c.test/3')
    },
    { settings: best, ordering: drifting },
  )

  promise(
    'what is learned changes the order within a host, too',
    async (rig) => {
      await rig.seed('a.test/')
      const links = [1, 2, 3].flatMap((n) => [
        noted(`a.test/x/${n}`, 10 + n),
        noted(`a.test/y/${n}`, n),
      ])
      await store(rig, 0, ...links)
      assert.equal(await store(rig, -20), 'a.test/x/3')
      assert.equal(await store(rig, 0), 'a.test/y/3')
      assert.equal(await store(rig, -30), 'a.test/y/2')
      assert.deepEqual(await rig.drain(), ['a.test/x/2', 'a.test/x/1', 'a.test/y/1'])
    },
    { settings: { delayMs: 0 }, ordering: directories },
  )

  promise(
    'a fair choice of hosts takes the best of each by what is known now',
    async (rig) => {
      await rig.seed('a.test/')
      await store(rig, 0, noted('a.test/x/1', 9), noted('a.test/x/2', 8), noted('a.test/y/3', 1))
      await store(rig, -20)
      assert.deepEqual(await rig.drain(), ['a.test/y/3', 'a.test/x/2'])
    },
    { settings: { delayMs: 0, hostPolicy: 'fair' }, ordering: directories },
  )

  promise(
    'with many waiting the order is that of all scores as they are now',
    async (rig) => {
      await rig.seed('a.test/')
      const numbers = Array.from({ length: 120 }, (_, n) => (n * 37) % 120)
      await store(rig, 0, ...numbers.map((n) => noted(`a.test/${n % 3}/${n}`, n)))
      // Directory 2 falls behind all others, then comes back.
      assert.equal(await store(rig, -1000), 'a.test/2/119')
      const taken = [await store(rig, 0), await store(rig, 0), await store(rig, 0)]
      assert.deepEqual(taken, ['a.test/1/118', 'a.test/0/117', 'a.test/1/115'])
    },
    { settings: { delayMs: 0 }, ordering: directories },
  )

  for (const end of ['restart', 'crash'] as const) {
    promise(
      `what was learned survives a ${end}`,
      async (rig) => {
        await rig.seed('a.test/')
        await store(rig, 0, noted('b.test/5', 5), noted('b.test/4', 4), noted('c.test/3', 3))
        await store(rig, -10)
        await rig[end]()
        rig.clock.advance(10_000)
        assert.equal(await store(rig, 0), 'c.test/3')
        assert.equal(await store(rig, 0), 'b.test/4')
      },
      { settings: best, ordering: drifting },
    )
  }

  promise(
    'little that was learned is kept with every step',
    async (rig) => {
      await rig.seed('a.test/', 'a.test/2', 'a.test/3')
      await rig.store()
      await rig.store()
      await rig.crash()
      assert.equal(await scoreOfNext(rig), 3)
    },
    { settings: { delayMs: 0 }, ordering: counting(100) },
  )

  promise(
    'much that was learned is kept every few seconds, and at the end',
    async (rig) => {
      await rig.seed(...[1, 2, 3, 4, 5, 6].map((n) => `a.test/${n}`))
      await rig.store()
      await rig.store()
      await rig.crash()
      // The second page is forgotten; what was kept is the first.
      await rig.store()
      rig.clock.advance(5000)
      await rig.store()
      await rig.crash()
      assert.equal(await scoreOfNext(rig), 4)
      await rig.restart()
      assert.equal(await scoreOfNext(rig), 5)
    },
    { settings: { delayMs: 0 }, ordering: counting(100_000) },
  )

  promise(
    'another ordering, or the same with other options, begins to learn anew',
    async (rig) => {
      await rig.seed('a.test/', 'a.test/2', 'a.test/3', 'a.test/4')
      await rig.store()
      await rig.restart({ settings: { ordering: 'other' } })
      assert.equal(await scoreOfNext(rig), 1)
      await rig.restart({ ordering: { ...counting(1), options: [option] }, settings: changed })
      assert.equal(await scoreOfNext(rig), 1)
      await rig.restart()
      assert.equal(await scoreOfNext(rig), 2)
    },
    { settings: { delayMs: 0 }, ordering: counting(1) },
  )

  promise(
    'everything that waits gets its rank when the graph is ranked',
    async (rig) => {
      await rig.seed('a.test/', 'b.test/', 'c.test/')
      await rig.store('a.test/1', 'b.test/2', 'c.test/3')
      await rig.store('b.test/2', 'c.test/3')
      assert.equal((await rig.record('c.test/3')).priority, -1)
      await rig.store('c.test/3')
      const scores = (await rig.records()).slice(3).map(({ priority }) => priority)
      assert.deepEqual(scores, [1, 2, 3])
      assert.deepEqual(await rig.drain(), ['c.test/3', 'b.test/2', 'a.test/1'])
    },
    { settings: best, ordering: ranked },
  )

  promise(
    'what waited under another ordering is ranked like the rest',
    async (rig) => {
      await rig.seed('a.test/', 'b.test/', 'c.test/', 'd.test/', 'e.test/')
      await rig.store('a.test/1', 'b.test/2')
      await rig.store()
      await rig.store()
      const later = rig.restart({ ordering: ranked, settings: { ordering: 'ranked' } })
      // No partition has the whole graph.
      if (rig.fixture.divided) return assert.rejects(later, /is divided into 3 partitions/)
      await later
      assert.equal((await rig.record('b.test/2')).priority, -1000)
      // Three pages are there that were never ranked: it is due with the next.
      await rig.store('b.test/2')
      const scores = (await rig.records())
        .slice(4)
        .map(({ url, priority }) => [shortOf(url), priority])
      assert.deepEqual(scores, [
        ['e.test/', 1000],
        ['a.test/1', 0],
        ['b.test/2', 1],
      ])
    },
    { settings: best },
  )

  promise(
    'ranks of another ordering are no reason to wait for new ones',
    async (rig) => {
      await rig.seed('a.test/', 'b.test/', 'c.test/', 'd.test/', 'e.test/')
      await rig.store('a.test/1')
      await rig.store()
      await rig.store()
      assert.equal((await rig.record('a.test/1')).priority, 1)
      await rig.restart({ settings: { ordering: 'ranked-otherwise' } })
      assert.equal((await rig.record('a.test/1')).priority, -1000)
      await rig.store('a.test/1')
      assert.equal((await rig.record('a.test/1')).priority, 2)
    },
    { settings: best, ordering: ranked },
  )

  promise(
    'a frontier that is closed while the graph is ranked ends in order',
    async (rig) => {
      await rig.seed('a.test/', 'b.test/', 'c.test/')
      await rig.store(...Array.from({ length: 1200 }, (_, n) => `a.test/${n}`))
      await rig.store()
      const lease = await rig.visitNext()
      const settled = rig.frontier.settle([stored(lease)])
      await rig.restart()
      assert.equal(await settled, 1)
      // It was not done, so it is due again.
      await rig.store()
      const waiting = (await rig.records()).filter(({ state }) => state === 'queued')
      assert.equal(waiting.length, 1199)
      assert.ok(waiting.every(({ priority }) => priority === 1))
    },
    { settings: best, ordering: ranked },
  )

  promise(
    'ranks count what was known before a kill, and are due when they were',
    async (rig) => {
      await rig.seed('a.test/', 'b.test/', 'c.test/')
      await rig.store('a.test/1', 'b.test/2')
      await rig.store('b.test/2', 'c.test/3')
      await rig.crash()
      rig.clock.advance(1000)
      await rig.store('c.test/3', 'c.test/4')
      assert.deepEqual(
        (await rig.records()).slice(3).map(({ priority }) => priority),
        [1, 2, 2, 1],
      )
      // The next time is three pages later: until then nothing is known of new ones.
      await rig.store('d.test/')
      assert.equal((await rig.record('d.test/')).priority, -1)
      await rig.crash()
      rig.clock.advance(1000)
      await rig.store('d.test/')
      assert.equal((await rig.record('d.test/')).priority, -1)
      await rig.store()
      assert.equal((await rig.record('d.test/')).priority, 2)
    },
    { settings: { ...best, maxDepth: 9 }, ordering: ranked },
  )
}

const option = { name: 'size', help: '', default: 1, min: 0, max: 9 }
const changed = { orderingOptions: { size: '2' } }
