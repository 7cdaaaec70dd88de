// Which URL of a host goes first.
import assert from 'node:assert/strict'
import type { Ordering } from '../../../src/ordering/ordering.ts'
import { found, type Promises, shortOf } from './rig.ts'

const byLinks: Ordering = {
  name: 'by-links',
  about: 'most linked-to first',
  rescoreOn: ['inLinks'],
  createScorer: () => ({ score: ({ inLinks }) => inLinks }),
}
const bySignal: Ordering = {
  name: 'by-signal',
  about: 'the best signal',
  rescoreOn: ['signals'],
  createScorer: () => ({ score: ({ signals }) => signals?.[0] ?? 0 }),
}
const signal = (short: string, value: number) => found(short, { signals: [value] })

export function orderContract(promise: Promises): void {
  const quick = { delayMs: 0 }

  promise(
    'breadth-first goes by depth, then by order of discovery',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store('a.test/1', 'a.test/2')
      await rig.store('a.test/11', 'a.test/12')
      await rig.store('a.test/21', 'a.test/12')
      assert.deepEqual(await rig.drain(), ['a.test/11', 'a.test/12', 'a.test/21'])
    },
    { settings: quick },
  )

  promise(
    'depth-first takes the links of the newest page, the first of them first',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store('a.test/1', 'a.test/2')
      await rig.store('a.test/11', 'a.test/12')
      await rig.store('a.test/111')
      assert.deepEqual(await rig.drain(), ['a.test/111', 'a.test/12', 'a.test/2'])
    },
    { settings: { ...quick, ordering: 'depth-first' } },
  )

  for (const headSize of [1, 3, 256]) {
    promise(
      `the order is the same with ${headSize} candidates in memory`,
      async (rig) => {
        const scores = Array.from({ length: 40 }, (_, index) => (index * 17) % 41)
        await rig.seed('a.test/')
        await rig.store(...scores.slice(0, 20).map((score) => signal(`a.test/${score}`, score)))
        await rig.store(...scores.slice(20).map((score) => signal(`a.test/${score}`, score)))
        const best = scores.slice(0, 20).toSorted((a, b) => b - a)[0]
        const rest = scores.filter((score) => score !== best).toSorted((a, b) => b - a)
        assert.deepEqual(
          await rig.drain(),
          rest.map((score) => `a.test/${score}`),
        )
      },
      { settings: quick, ordering: bySignal, headSize },
    )

    promise(
      `rescored URLs move in the queue, with ${headSize} in memory`,
      async (rig) => {
        await rig.seed('a.test/')
        await rig.store('a.test/0', 'a.test/1', 'a.test/2', 'a.test/3', 'a.test/4')
        await rig.store('a.test/3', 'a.test/4')
        await rig.store('a.test/4', 'a.test/2')
        assert.deepEqual(await rig.drain(), ['a.test/4', 'a.test/2', 'a.test/1'])
      },
      { settings: quick, ordering: byLinks, headSize },
    )
  }

  promise(
    'links of one batch are counted together',
    async (rig) => {
      await rig.seed('a.test/', 'b.test/', 'c.test/')
      const leases = await rig.frontier.lease(3)
      for (const lease of leases) rig.send(lease)
      await rig.frontier.settle(
        leases.map((lease, index) => ({
          lease,
          outcome: 'stored',
          likeness: 1,
          judged: null,
          found: [found('x.test/1'), found('x.test/2'), ...(index > 0 ? [found('x.test/3')] : [])],
        })),
      )
      // Readers may see new scores a moment later.
      await rig.restart()
      await using urlStates = await rig.fixture.urlStates(rig.job)
      const all = await urlStates.list({ after: 0, limit: 10 })
      assert.deepEqual(
        all
          .filter(({ host }) => host === 'x.test')
          .map(({ url, priority }) => [shortOf(url), priority]),
        [
          ['x.test/1', 3],
          ['x.test/2', 3],
          ['x.test/3', 2],
        ],
      )
    },
    { ordering: byLinks },
  )

  promise(
    'of several pages that speak of a URL the most promising one counts',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(signal('a.test/1', 5), signal('a.test/2', 3), signal('a.test/3', 4))
      await rig.store(signal('a.test/2', 9), signal('a.test/3', 1))
      assert.deepEqual(await rig.drain(), ['a.test/2', 'a.test/3'])
    },
    { settings: quick, ordering: bySignal },
  )

  promise(
    'a shorter path moves a URL forward where depth counts',
    async (rig) => {
      await rig.seed('a.test/', 'a.test/s')
      await rig.store('a.test/1', 'a.test/2')
      const second = await rig.visitNext()
      await rig.store('a.test/11')
      await rig.frontier.settle([
        {
          lease: second,
          outcome: 'stored',
          likeness: 1,
          judged: null,
          found: [found('a.test/11')],
        },
      ])
      assert.equal((await rig.record('a.test/11')).depth, 1)
      assert.deepEqual(await rig.drain(), ['a.test/2', 'a.test/11'])
    },
    { settings: quick },
  )

  promise(
    'a retry or a released URL goes back to its place',
    async (rig) => {
      await rig.seed('a.test/1', 'a.test/2', 'a.test/3')
      const first = await rig.visitNext()
      await rig.frontier.settle([{ lease: first, outcome: 'released' }])
      const again = await rig.visitNext()
      assert.equal(again.id, first.id)
      const retryAt = rig.clock.now()
      await rig.frontier.settle([{ lease: again, outcome: 'failed', reason: 'connect', retryAt }])
      assert.deepEqual(await rig.drain(), ['a.test/1', 'a.test/2', 'a.test/3'])
    },
    { settings: quick, headSize: 1 },
  )

  promise(
    'another ordering in a later run scores what waits anew',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store('a.test/1', 'a.test/2')
      await rig.store('a.test/11')
      await rig.restart({ settings: { ordering: 'depth-first' } })
      assert.deepEqual(await rig.drain(), ['a.test/11', 'a.test/2'])
    },
    { settings: quick },
  )

  promise(
    'other rules in a later run judge anew what waits and what they refused',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store('a.test/in', 'b.test/out')
      await rig.store('a.test/deep')
      assert.equal((await rig.states())['a.test/deep'], 'refused: depth')
      await rig.restart({
        settings: { maxDepth: 2, scope: 'any' },
        admit: (url) => (url.includes('/in') ? 'filter' : null),
      })
      const states = await rig.states()
      assert.equal(states['b.test/out'], 'queued')
      assert.equal(states['a.test/deep'], 'queued')
      assert.deepEqual((await rig.drain()).toSorted(), ['a.test/deep', 'b.test/out'])
    },
    {
      settings: { ...quick, maxDepth: 1 },
      admit: (_, host) => (host === 'a.test' ? null : 'scope'),
    },
  )
}
