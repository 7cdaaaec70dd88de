// Signals: what pages pass on to their links, and what counts when several do.
import assert from 'node:assert/strict'
import type { Found } from '../../../src/core/link.ts'
import type { Lease } from '../../../src/frontier/frontier.ts'
import {
  type Candidate,
  type Ordering,
  type Scorer,
  type Signals,
  unspokenScore,
} from '../../../src/ordering/ordering.ts'
import { found, type Promises, type Rig, shortOf, stored } from './rig.ts'

const first = (candidate: Candidate): number => candidate.signals?.[0] ?? unspokenScore(candidate)

/** Half of what the page is worth, and what was noted about the link. */
const inheriting: Ordering = {
  name: 'inheriting',
  about: 'half of a page’s worth goes to its links',
  rescoreOn: ['signals'],
  createScorer: () => ({
    score: first,
    pass: ({ judged, signals }, link) => [
      (judged?.[0] ?? signals?.[0] ?? 0) / 2 + (link?.[0] ?? 0),
    ],
  }),
}

/** Links of pages worth nothing are not followed. */
const hard: Ordering = {
  ...inheriting,
  name: 'hard',
  createScorer: () => ({
    score: first,
    pass: ({ judged }) => (judged?.[0] ? [judged[0]] : null),
  }),
}

/** Every page that links to it adds one. */
const adding: Ordering = {
  name: 'adding',
  about: 'what pages pass on adds up',
  rescoreOn: ['signals'],
  createScorer: () => ({
    score: first,
    pass: ({ judged }) => [judged?.[0] ?? 1],
    merge: ([known = 0], [fresh = 0]) => [known + fresh],
  }),
}

/** What is said of a URL adds up, and may take away. */
const summing: Ordering = {
  ...adding,
  name: 'summing',
  createScorer: () => ({
    score: ({ signals }) => signals?.[0] ?? 0,
    merge: ([known = 0], [fresh = 0]) => [known + fresh],
  }),
}

/** An ordering that writes down what it is told, page by page. */
function noting(createScorer: (noted: string[][]) => Scorer) {
  const noted: string[][] = []
  return { noted, ordering: { ...inheriting, createScorer: () => createScorer(noted) } }
}

const worth = (value: number) => ({ judged: [value] })
const noted = (short: string, value: number): Found => found(short, { signals: [value] })

async function store(
  rig: Rig,
  judged: Signals | null,
  ...links: (string | Found)[]
): Promise<Lease> {
  const lease = await rig.visitNext()
  const all = links.map((link) => (typeof link === 'string' ? found(link) : link))
  assert.equal(await rig.frontier.settle([stored(lease, all, { judged })]), 1)
  return lease
}

/** Readers see scores of URLs that were known before a moment later: not before a restart here. */
async function priorities(rig: Rig): Promise<Record<string, number>> {
  await rig.restart()
  const records = await rig.records()
  return Object.fromEntries(records.map(({ url, priority }) => [shortOf(url), priority]))
}

export function orderingContract(promise: Promises): void {
  const quick = { delayMs: 0 }
  const asking = noting((noted) => ({
    score: first,
    settled: ({ links, waiting }) => {
      noted.push([`links ${links}`, `waiting ${waiting}`])
    },
    pass: (_, __, { url, position }) => {
      noted.at(-1)?.push(`${position} ${shortOf(url)}`)
      return [1]
    },
  }))
  const finding = noting((noted) => ({
    score: first,
    settled: (page) => {
      const by = page.finder()?.url
      noted.push([`${shortOf(page.url)} by ${by === undefined ? 'nobody' : shortOf(by)}`])
    },
  }))

  promise(
    'what a page passes on is handed down from page to page',
    async (rig) => {
      await rig.seed('a.test/')
      await store(rig, [8], 'a.test/1', noted('a.test/2', 3))
      // Worth 4 + 3; nobody judged it, so its links inherit from what it inherited.
      await store(rig, null, 'a.test/21')
      const scores = await priorities(rig)
      assert.deepEqual([scores['a.test/1'], scores['a.test/2'], scores['a.test/21']], [4, 7, 3.5])
      assert.deepEqual(await rig.drain(), ['a.test/1', 'a.test/21'])
    },
    { settings: quick, ordering: inheriting },
  )

  promise(
    'of several pages that link to a URL the one that scores highest counts',
    async (rig) => {
      await rig.seed('a.test/', 'a.test/s', 'a.test/t')
      await store(rig, [4], 'a.test/x', 'a.test/y')
      await store(rig, [10], 'a.test/y')
      await store(rig, [6], 'a.test/x', 'a.test/y')
      const scores = await priorities(rig)
      assert.deepEqual([scores['a.test/x'], scores['a.test/y']], [3, 5])
    },
    { settings: quick, ordering: inheriting },
  )

  for (const headSize of [1, 2, 256]) {
    promise(
      `an ordering says what counts when pages speak of the same URL, with ${headSize} in memory`,
      async (rig) => {
        await rig.seed('a.test/', 'a.test/s')
        await store(rig, [2], 'a.test/1', 'a.test/2', 'a.test/3', 'a.test/4')
        await store(rig, [3], 'a.test/3', 'a.test/4')
        assert.equal(shortOf((await store(rig, [9], 'a.test/4', 'a.test/2')).url), 'a.test/3')
        assert.deepEqual(await rig.drain(), ['a.test/4', 'a.test/2', 'a.test/1'])
      },
      { settings: quick, ordering: adding, headSize },
    )
  }

  promise(
    'what pages of one batch pass on to each other counts',
    async (rig) => {
      await rig.seed('a.test/', 'b.test/')
      const leases = await rig.frontier.lease(2)
      for (const lease of leases) rig.send(lease)
      const [a, b] = leases
      await rig.frontier.settle([
        stored(a!, [found('c.test/')], worth(5)),
        stored(b!, [found('c.test/')], worth(6)),
      ])
      const scores = await priorities(rig)
      assert.equal(scores['c.test/'], 11)
    },
    { settings: quick, ordering: adding },
  )

  promise(
    'a URL that fails while pages speak of it is leased once when its time has come',
    async (rig) => {
      await rig.seed('a.test/')
      const waiting = [2, 1.5, 1.4, 1.3, 1].map((n) => noted(`b.test/${n}`, n))
      const others = [200, 150, 99].map((n) => noted(`c.test/${n}`, n))
      await store(rig, null, noted('b.test/x', 100), ...waiting, ...others)
      await store(rig, null, noted('b.test/x', 1))
      await store(rig, null)
      const lease = await rig.visitNext()
      assert.equal(shortOf(lease.url), 'b.test/x')
      const retryAt = rig.clock.now() + 1000
      await rig.frontier.settle([{ lease, outcome: 'failed', reason: 'http-503', retryAt }])
      await store(rig, null, noted('b.test/x', -100))
      rig.clock.advance(1000)
      const leased = [...(await rig.frontier.lease(4)), ...(await rig.frontier.lease(4))]
      assert.deepEqual(
        leased.map(({ url }) => shortOf(url)),
        ['b.test/2', 'b.test/1.5', 'b.test/1.4', 'b.test/1.3'],
      )
      for (const one of leased) rig.send(one)
      await rig.frontier.settle(leased.map((one) => stored(one)))
      const last = await rig.frontier.lease(4)
      assert.deepEqual(last.map(({ url }) => shortOf(url)).toSorted(), ['b.test/1', 'b.test/x'])
    },
    { settings: { ...quick, perHost: 4, hostPolicy: 'best' }, ordering: summing, headSize: 2 },
  )

  promise(
    'a URL that is refused and then named as a seed is found among many that wait',
    async (rig) => {
      await rig.seed('a.test/')
      const links = ['0', '1', '2', '3'].map((name) => noted(`a.test/${name}`, 1))
      await store(rig, null, ...links, found('a.test/4', { signals: [0.5], nofollow: true }))
      assert.equal((await rig.states())['a.test/4'], 'refused: nofollow')
      await rig.seed('a.test/4')
      await store(rig, null, noted('a.test/3', -0.25))
      assert.deepEqual(
        (await rig.frontier.lease(4)).map(({ url }) => shortOf(url)),
        ['a.test/1', 'a.test/2', 'a.test/3', 'a.test/4'],
      )
    },
    {
      settings: { ...quick, perHost: 4 },
      ordering: { ...summing, rescoreOn: ['signals', 'depth'] },
      headSize: 3,
    },
  )

  promise(
    'an ordering is asked about targets that wait or will, in their order',
    async (rig) => {
      await rig.seed('a.test/')
      await store(rig, [1], 'a.test/1', 'a.test/2')
      await store(
        rig,
        [2],
        'a.test/',
        found('a.test/no', { nofollow: true }),
        'out.test/',
        'a.test/2',
        'a.test/new',
      )
      assert.deepEqual(asking.noted[1], ['links 4', 'waiting 1', '2 a.test/2', '3 a.test/new'])
    },
    {
      settings: quick,
      admit: (_, host) => (host === 'a.test' ? null : 'scope'),
      ordering: asking.ordering,
    },
  )

  promise(
    'what no page finds worth following is refused until one does',
    async (rig) => {
      await rig.seed('a.test/', 'a.test/s')
      await store(rig, [0], 'a.test/1', 'a.test/2')
      assert.equal((await rig.states())['a.test/1'], 'refused: focus')
      await store(rig, [5], 'a.test/1')
      assert.deepEqual(await rig.states(), {
        'a.test/': 'stored',
        'a.test/s': 'stored',
        'a.test/1': 'queued',
        'a.test/2': 'refused: focus',
      })
      const lease = await rig.visitNext()
      assert.deepEqual([shortOf(lease.url), lease.depth], ['a.test/1', 1])
    },
    { settings: quick, ordering: hard },
  )

  promise(
    'a URL that is not worth following from here stays so, however often, and after a restart',
    async (rig) => {
      await rig.seed('a.test/', 'a.test/s', 'a.test/t', 'a.test/u')
      await store(rig, [0], 'a.test/1')
      await store(rig, [0], 'a.test/1')
      await rig.crash()
      await store(rig, [0], 'a.test/1')
      assert.equal((await rig.states())['a.test/1'], 'refused: focus')
      await store(rig, [7], 'a.test/1')
      const scores = await priorities(rig)
      assert.equal(scores['a.test/1'], 7)
    },
    { settings: quick, ordering: hard },
  )

  promise(
    'one that waits is not refused when a page finds it not worth following',
    async (rig) => {
      await rig.seed('a.test/', 'a.test/s')
      await store(rig, [3], 'a.test/1')
      await store(rig, [0], 'a.test/1')
      assert.equal((await rig.states())['a.test/1'], 'queued')
    },
    { settings: quick, ordering: hard },
  )

  promise(
    'where a redirect leads inherits what was said of the URL it came from',
    async (rig) => {
      await rig.seed('a.test/')
      await store(rig, [8], 'a.test/old', noted('a.test/other', 1))
      await store(rig, null)
      const lease = await rig.visitNext()
      assert.equal(shortOf(lease.url), 'a.test/old')
      await rig.frontier.settle([{ lease, outcome: 'redirected', to: found('a.test/new') }])
      assert.equal((await rig.record('a.test/new')).priority, 4)
    },
    { settings: quick, ordering: inheriting },
  )

  promise(
    'the page that led to another is known when that one is settled, also through a redirect',
    async (rig) => {
      await rig.seed('a.test/')
      await store(rig, [8], 'b.test/old')
      const lease = await rig.visitNext()
      await rig.frontier.settle([{ lease, outcome: 'redirected', to: found('c.test/new') }])
      await store(rig, [4], 'd.test/')
      await store(rig, [2])
      assert.deepEqual(finding.noted, [
        ['a.test/ by nobody'],
        ['c.test/new by a.test/'],
        ['d.test/ by c.test/new'],
      ])
    },
    { settings: quick, ordering: finding.ordering },
  )

  for (const drifts of [false, true]) {
    promise(
      `a URL whose score is no number goes last${drifts ? ', also where scores drift' : ''}`,
      async (rig) => {
        await rig.seed('a.test/')
        const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
        const links = odd.map((value, at) => noted(`a.test/odd${at}`, value))
        await store(rig, null, ...links, noted('a.test/1', 1), noted('a.test/2', 2))
        await store(rig, null, noted('a.test/1', Number.NaN), noted('a.test/odd2', 3))
        assert.deepEqual(await rig.drain(), [
          'a.test/odd2',
          'a.test/1',
          'a.test/odd0',
          'a.test/odd1',
        ])
      },
      {
        settings: quick,
        ordering: { ...inheriting, createScorer: () => ({ score: first, drifts }) },
      },
    )
  }

  promise(
    'seeds, and URLs that are only listed, have the signals they were given with',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.frontier.add([found('a.test/listed', { signals: [6] })], 'sitemap')
      const records = await rig.records()
      assert.deepEqual(
        records.map(({ priority }) => priority),
        [1e9, 6],
      )
    },
    { settings: quick, ordering: inheriting },
  )

  promise(
    'another ordering, or topic, reads no signals of the one before',
    async (rig) => {
      await rig.seed('a.test/')
      await store(rig, [8], 'a.test/1', noted('a.test/2', 1))
      await rig.restart({ ordering: { ...inheriting, name: 'other' }, settings: { ordering: 'x' } })
      assert.equal((await rig.record('a.test/2')).priority, -1e9)
      await store(rig, [4], 'a.test/3')
      assert.equal((await rig.record('a.test/3')).priority, 2)
      await rig.restart({ topic: { fingerprint: 'about something else' } })
      assert.equal((await rig.record('a.test/3')).priority, -1e9)
      assert.deepEqual(await rig.drain(), ['a.test/2', 'a.test/3'])
    },
    { settings: quick, ordering: inheriting },
  )

  promise(
    'another ordering takes up what the one before did not follow',
    async (rig) => {
      await rig.seed('a.test/')
      await store(rig, [0], 'a.test/1')
      await rig.restart({ ordering: inheriting, settings: { ordering: 'x' } })
      assert.deepEqual(await rig.drain(), ['a.test/1'])
    },
    { settings: quick, ordering: hard },
  )
}
