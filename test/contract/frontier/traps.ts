// Traps: what pages have shown is weighed when they are read, and asked when a URL's turn comes.
import assert from 'node:assert/strict'
import { templateOf, textHash, type UrlTemplate } from '../../../src/core/template.ts'
import type { CanonicalUrl } from '../../../src/core/url.ts'
import type { FrontierUpdate } from '../../../src/frontier/frontier.ts'
import { found, type Promises, type Rig, shortOf, stored } from './rig.ts'

const named = (kind: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `a.test/${kind}${from + index}`)

/** `/cal?3` has a template of its own, whatever else has none. */
export function calendar(url: CanonicalUrl): UrlTemplate | null {
  if (!url.includes('/cal?')) return null
  return { key: '/cal?N', isSeries: true, pairs: [], turnsPage: false }
}

/** Visits all that waits; `read` says what each page was. */
async function visitAll(
  rig: Rig,
  read: (lease: FrontierUpdate['lease'], nth: number) => FrontierUpdate,
): Promise<string[]> {
  const visited: string[] = []
  while (rig.frontier.status().readyAt !== null) {
    rig.wait()
    const [lease] = await rig.frontier.lease(1)
    if (lease === undefined) continue
    rig.send(lease)
    await rig.frontier.settle([read(lease, visited.length)])
    visited.push(shortOf(lease.url))
  }
  return visited
}

const alike = (lease: FrontierUpdate['lease']): FrontierUpdate => stored(lease, [], { likeness: 7 })
const copy = (lease: FrontierUpdate['lease']): FrontierUpdate => ({
  ...{ lease, outcome: 'duplicate', of: 'http://a.test/', found: [], judged: null },
})

export function trapsContract(promise: Promises): void {
  const trap = { templateOf, settings: { trapBudget: 3, delayMs: 0 } }
  const roomy = { templateOf, settings: { trapBudget: 200, delayMs: 0 } }

  promise(
    'a template whose pages are all alike is closed when the turn of the next one comes',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...named('cal?d=', 1, 9), 'a.test/other')
      const visited = await visitAll(rig, alike)
      assert.deepEqual(visited, [...named('cal?d=', 1, 4), 'a.test/other'])
      const states = await rig.states()
      assert.equal(states['a.test/cal?d=4'], 'stored')
      assert.equal(
        states['a.test/cal?d=5'],
        'refused: trap: /cal?d has used its 3 pages without news',
      )
      assert.equal(rig.frontier.counts().refused, 5)
    },
    trap,
  )

  promise(
    'a template whose pages differ stays open far beyond the budget',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...named('product?id=', 1, 50), ...named('news-', 1, 50))
      const visited = await visitAll(rig, (lease, nth) => stored(lease, [], { likeness: nth + 1 }))
      assert.equal(visited.length, 100)
    },
    trap,
  )

  promise(
    'now and then a page like another one closes nothing',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...named('p/', 1, 60))
      const visited = await visitAll(rig, (lease, nth) =>
        stored(lease, [], { likeness: nth % 3 === 0 ? 7 : nth + 100 }),
      )
      assert.equal(visited.length, 60)
    },
    trap,
  )

  promise(
    'copies in a row close a template long before its budget is used',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...named('p/', 1, 90))
      assert.equal((await visitAll(rig, copy)).length, 50)
      assert.match(
        (await rig.states())['a.test/p/51'] ?? '',
        /^refused: trap: \/p\/N shows the same/,
      )
    },
    roomy,
  )

  promise(
    'redirects to one and the same place close a template',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...named('go/', 1, 90))
      const to = found('a.test/')
      const visited = await visitAll(rig, (lease) => ({ lease, outcome: 'redirected', to }))
      assert.equal(visited.length, 51)
    },
    roomy,
  )

  promise(
    'a folder of copies is closed, too, wherever its paths grow to',
    async (rig) => {
      await rig.seed('a.test/')
      const deep = Array.from(
        { length: 150 },
        (_, at) =>
          `a.test/x/y/${[...at.toString(2)].map((digit) => 'ab'[Number(digit)]).join('/')}/c`,
      )
      await rig.store(...deep)
      assert.equal((await visitAll(rig, copy)).length < 110, true)
    },
    roomy,
  )

  promise(
    'facets that were all combined before bring nothing new, whatever their pages say',
    async (rig) => {
      await rig.seed('a.test/')
      const combined: string[] = []
      for (let at = 0; at < 64; at += 1) {
        combined.push(`a.test/shop?a=${at % 4}&b=${(at >> 2) % 4}&c=${at >> 4}`)
      }
      await rig.store(...combined)
      const visited = await visitAll(rig, (lease, nth) => stored(lease, [], { likeness: nth + 1 }))
      assert.ok(visited.length < 30, `${visited.length} were visited`)
      assert.match((await rig.states())[combined[63] ?? ''] ?? '', /^refused: trap: \/shop\?\*/)
    },
    trap,
  )

  promise(
    'a product never seen is asked for beside facets that were all combined, also after a crash',
    async (rig) => {
      await rig.seed('a.test/')
      const combined = Array.from(
        { length: 27 },
        (_, at) => `a.test/shop?a=${at % 3}&b=${Math.floor(at / 3) % 3}&c=${Math.floor(at / 9)}`,
      )
      const products = Array.from({ length: 6 }, (_, at) => `a.test/shop?a=1&b=2&id=${at}`)
      await rig.store(...combined, ...products.slice(0, 3))
      const read = (lease: FrontierUpdate['lease']): FrontierUpdate =>
        stored(lease, [], { likeness: textHash(lease.url ?? '') })
      const visited = await visitAll(rig, read)
      assert.ok(visited.length < 20, `${visited.length} were visited`)
      assert.deepEqual(visited.slice(-3), products.slice(0, 3))
      await rig.crash()
      await rig.seed(...products.slice(3))
      assert.deepEqual(await visitAll(rig, read), products.slice(3))
    },
    trap,
  )

  promise(
    'a catalogue with many parameters is no trap while one of them is new',
    async (rig) => {
      await rig.seed('a.test/')
      const all = Array.from({ length: 40 }, (_, at) => `a.test/p?lang=en&cur=eur&view=1&id=${at}`)
      await rig.store(...all)
      const visited = await visitAll(rig, (lease, nth) => stored(lease, [], { likeness: nth + 1 }))
      assert.equal(visited.length, 40)
    },
    trap,
  )

  promise(
    'a template whose pages are all alike is closed also when none of them is kept',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...named('news-', 1, 9))
      const reason = 'too-short: 2 of 50 words'
      const visited = await visitAll(rig, (lease) => ({
        ...{ lease, outcome: 'refused', reason, found: [], judged: null, likeness: 1 },
      }))
      assert.equal(visited.length, 4)
    },
    trap,
  )

  promise(
    'what closes a template is known after a crash',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...named('cal?d=', 1, 9))
      for (let page = 1; page <= 3; page += 1) {
        await rig.frontier.settle([alike(await rig.visitNext())])
      }
      await rig.crash()
      await rig.frontier.settle([alike(await rig.visitNext())])
      await rig.crash()
      assert.deepEqual(await visitAll(rig, alike), [])
      assert.equal(rig.frontier.counts().refused, 5)
    },
    trap,
  )

  promise(
    'refreshes and redirects in a row are counted together, and end at ten',
    async (rig) => {
      await rig.seed('a.test/')
      for (let nth = 1; nth <= 12; nth += 1) {
        const to = found(`a.test/page/${'x'.repeat(nth)}`, { refresh: true })
        if (rig.frontier.status().readyAt === null) break
        const lease = await rig.visitNext()
        const moved = { lease, outcome: 'redirected', to: found(to.url) } as const
        await rig.frontier.settle([nth === 5 ? moved : stored(lease, [to])])
      }
      const states = await rig.states()
      assert.equal(states[`a.test/page/${'x'.repeat(10)}`], 'stored')
      assert.equal(
        states[`a.test/page/${'x'.repeat(11)}`],
        'refused: trap: more than 10 redirects and refreshes in a row',
      )
    },
    { settings: { delayMs: 0 } },
  )

  promise(
    'a trap is one of its host alone',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...named('cal?d=', 1, 9), 'b.test/cal?d=1')
      assert.ok((await visitAll(rig, alike)).includes('b.test/cal?d=1'))
    },
    trap,
  )

  promise(
    'a trap keeps no seed out, known or new',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...named('cal?d=', 1, 9))
      await visitAll(rig, alike)
      await rig.seed('a.test/cal?d=9', 'a.test/cal?d=10')
      assert.deepEqual(await visitAll(rig, alike), ['a.test/cal?d=9', 'a.test/cal?d=10'])
    },
    trap,
  )

  promise(
    'a larger budget takes up again what a trap had closed',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...named('cal?', 1, 9))
      assert.equal((await visitAll(rig, alike)).length, 3)
      await rig.restart({ settings: { trapBudget: 4 } })
      assert.equal((await visitAll(rig, alike)).length, 2)
      await rig.restart({ settings: { trapBudget: 0 } })
      assert.equal((await visitAll(rig, alike)).length, 4)
    },
    { templateOf: calendar, settings: { trapBudget: 2, delayMs: 0 } },
  )

  promise(
    'without a budget nothing is a trap',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...named('cal?d=', 1, 50))
      assert.equal((await visitAll(rig, copy)).length, 50)
    },
    { templateOf, settings: { trapBudget: 0, delayMs: 0 } },
  )
}
