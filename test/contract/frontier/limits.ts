// Limited buffers.
import assert from 'node:assert/strict'
import type { Ordering } from '../../../src/ordering/ordering.ts'
import { found, founds, type Promises, stored } from './rig.ts'

const bySignal: Ordering = {
  name: 'by-signal',
  about: 'the first signal',
  rescoreOn: [],
  createScorer: () => ({ score: ({ signals }) => signals?.[0] ?? 0 }),
}

const named = (kind: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `a.test/${kind}${from + index}`)

export function limitsContract(promise: Promises): void {
  promise(
    'a limited buffer keeps the best and refuses the rest',
    async (rig) => {
      await rig.seed('a.test/')
      const scored = [5, 1, 4, 2, 3].map((score) => found(`a.test/${score}`, { signals: [score] }))
      await rig.store(...scored, found('b.test/9', { signals: [9] }))
      assert.deepEqual(await rig.states(), {
        'a.test/': 'stored',
        'a.test/5': 'queued',
        'a.test/1': 'refused: buffer',
        'a.test/4': 'queued',
        'a.test/2': 'refused: buffer',
        'a.test/3': 'refused: buffer',
        'b.test/9': 'queued',
      })
      assert.deepEqual(await rig.drain(), ['b.test/9', 'a.test/5', 'a.test/4'])
    },
    { ordering: bySignal, settings: { buffer: 3, hostPolicy: 'best' } },
  )

  promise(
    'a limited buffer drops the lowest after every page, by hand',
    async (rig) => {
      const link = (score: number) => found(`a.test/${score}`, { signals: [score] })
      const queued = async (): Promise<string[]> => {
        const states = Object.entries(await rig.states())
        return states.flatMap(([url, state]) => (state === 'queued' ? url : []))
      }
      await rig.seed('a.test/')
      // Room for three: 30 and 50 and 20 wait, 10 is dropped.
      await rig.store(link(30), link(10), link(50), link(20))
      assert.deepEqual(await queued(), ['a.test/30', 'a.test/50', 'a.test/20'])
      // 50 is fetched; 25 and 40 come; of 30, 20, 25, 40 the 20 is dropped.
      await rig.store(link(25), link(40))
      assert.deepEqual(await queued(), ['a.test/30', 'a.test/25', 'a.test/40'])
      // 40 is fetched; what was dropped does not come back, however good: 20 and 10 were there.
      await rig.store(found('a.test/20', { signals: [99] }), link(10), link(5))
      assert.deepEqual(await queued(), ['a.test/30', 'a.test/25', 'a.test/5'])
      // 30 is fetched; one that waits is worth more now, and 26 finds room for 5.
      await rig.store(found('a.test/25', { signals: [70] }), link(60), link(26))
      assert.deepEqual(await queued(), ['a.test/25', 'a.test/60', 'a.test/26'])
      assert.deepEqual(await rig.drain(), ['a.test/25', 'a.test/60', 'a.test/26'])
      assert.equal(rig.frontier.counts().refused, 3)
    },
    { ordering: { ...bySignal, rescoreOn: ['signals'] }, settings: { buffer: 3, delayMs: 0 } },
  )

  promise(
    'of equals a limited buffer keeps those found first',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...named('', 1, 4))
      await rig.store('a.test/5', 'a.test/6')
      assert.deepEqual(await rig.drain(), ['a.test/2', 'a.test/3', 'a.test/5'])
      assert.equal(rig.frontier.counts().refused, 2)
    },
    { settings: { buffer: 3 }, ordering: bySignal, headSize: 2 },
  )

  promise(
    'what is leased is not in the buffer',
    async (rig) => {
      await rig.seed('a.test/')
      const lease = await rig.visit()
      await rig.seed('b.test/1', 'b.test/2')
      assert.equal(await rig.frontier.settle([stored(lease, founds('c.test/'))]), 1)
      assert.deepEqual([rig.frontier.counts().queued, rig.frontier.counts().refused], [2, 1])
    },
    { settings: { buffer: 2 } },
  )
}
