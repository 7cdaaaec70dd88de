// What happens to a URL that is known when somebody names it as a seed.
import assert from 'node:assert/strict'
import type { CanonicalUrl } from '../../../src/core/url.ts'
import { found, type Promises, refused, shortOf, stored } from './rig.ts'

/** Refuses by the last part of the path: `a.test/filter` for `filter`. Seeds are exempt. */
function admitAllBut(seeds: readonly string[] = []) {
  return (url: CanonicalUrl): string | null => {
    if (seeds.includes(shortOf(url))) return null
    const code = url.slice(url.lastIndexOf('/') + 1)
    return ['scope', 'filter', 'type', 'trap', 'length'].includes(code) ? `${code}: rule` : null
  }
}

export function seedsContract(promise: Promises): void {
  for (const code of ['scope', 'filter', 'type', 'trap']) {
    promise(
      `a URL refused for ${code} is queued when it is named as a seed`,
      async (rig) => {
        await rig.seed('a.test/')
        await rig.store(`a.test/${code}`)
        const seeds = ['a.test/', `a.test/${code}`]
        await rig.restart({ admit: admitAllBut(seeds) })
        assert.equal(await rig.seed(...seeds), 0)
        const { state, depth } = await rig.record(`a.test/${code}`)
        assert.deepEqual([state, depth], ['queued', 0])
        assert.deepEqual(await rig.drain(), [`a.test/${code}`])
      },
      { admit: admitAllBut() },
    )
  }

  promise(
    'a seed that the rules forbid to seeds as well stays refused',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store('a.test/filter', 'a.test/length')
      await rig.seed('a.test/filter', 'a.test/length')
      const states = await rig.states()
      assert.equal(states['a.test/filter'], 'refused: filter: rule')
      assert.equal(states['a.test/length'], 'refused: length: rule')
    },
    { admit: admitAllBut() },
  )

  promise('a link not to be followed is followed when it is named as a seed', async (rig) => {
    await rig.seed('a.test/')
    await rig.store(found('a.test/1', { nofollow: true }))
    await rig.seed('a.test/1')
    assert.deepEqual(await rig.drain(), ['a.test/1'])
  })

  promise(
    'naming a seed makes it, and everything behind it, nearer',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store('a.test/1')
      await rig.store('a.test/2')
      await rig.store('a.test/3')
      assert.equal((await rig.states())['a.test/3'], 'refused: depth')
      await rig.seed('a.test/1')
      const records = await rig.records()
      assert.deepEqual(
        records.map(({ url, state, depth }) => [shortOf(url), state, depth]),
        [
          ['a.test/', 'stored', 0],
          ['a.test/1', 'stored', 0],
          ['a.test/2', 'stored', 1],
          ['a.test/3', 'queued', 2],
        ],
      )
    },
    { settings: { maxDepth: 2 } },
  )

  promise(
    'a URL too deep is queued when it is named as a seed',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store('a.test/1')
      await rig.seed('a.test/1')
      assert.deepEqual(await rig.drain(), ['a.test/1'])
    },
    { settings: { maxDepth: 0 } },
  )

  promise('a seed named again in every run is not fetched again for what it is', async (rig) => {
    const seeds = ['a.test/1', 'b.test/2', 'c.test/3', 'd.test/4']
    await rig.seed(...seeds)
    const [a, b, c, d] = await rig.frontier.lease(4)
    for (const lease of [a!, b!, c!, d!]) rig.send(lease)
    await rig.frontier.settle([
      refused(a!, 'type: image/png'),
      refused(b!, 'robots: /'),
      { lease: c!, outcome: 'failed', reason: 'http-404', retryAt: null },
      stored(d!),
    ])
    const before = await rig.states()
    await rig.restart()
    await rig.seed(...seeds)
    assert.deepEqual(await rig.states(), before)
  })
}
