// What a host, its registrable domain and the whole crawl may cost.
import assert from 'node:assert/strict'
import { type Budget, NO_COSTS } from '../../../src/core/budget.ts'
import type { FrontierUpdate, HostFeedback, Lease } from '../../../src/frontier/frontier.ts'
import { found, type Promises, type Rig, shortOf, stored } from './rig.ts'

const pages = (host: string, number: number): string[] =>
  Array.from({ length: number }, (_, at) => `${host}/${at + 1}`)

const only = (limits: Partial<Budget>): Budget => ({ ...NO_COSTS, ...limits })

const page = (lease: Lease): FrontierUpdate => stored(lease)
const failed =
  (reason: string) =>
  (lease: Lease): FrontierUpdate => ({
    ...{ lease, outcome: 'failed', reason, retryAt: null },
  })

async function visitAll(
  rig: Rig,
  settle: (lease: Lease, nth: number) => FrontierUpdate,
  note: Partial<HostFeedback> = {},
): Promise<string[]> {
  const visited: string[] = []
  while (rig.frontier.status().readyAt !== null) {
    rig.wait()
    const [lease] = await rig.frontier.lease(1)
    if (lease === undefined) continue
    rig.frontier.requestSent(lease)
    rig.frontier.requestEnded(lease, { ok: true, ...note })
    await rig.frontier.settle([settle(lease, visited.length)])
    visited.push(shortOf(lease.url))
  }
  return visited
}

export function budgetsContract(promise: Promises): void {
  const settings = { delayMs: 0, hostBudget: NO_COSTS, domainBudget: NO_COSTS }

  promise(
    'a host that has used up its requests gets no more, and others go on',
    async (rig) => {
      await rig.seed('a.test/', 'b.test/')
      await rig.store(...pages('a.test', 9))
      await rig.store(...pages('b.test', 3))
      await visitAll(rig, page)
      const states = await rig.states()
      assert.equal(states['a.test/4'], 'stored')
      assert.equal(states['a.test/5'], 'refused: budget-host-requests: 5')
      assert.equal(states['b.test/3'], 'stored')
      assert.deepEqual([rig.frontier.counts().refused, rig.frontier.counts().queued], [5, 0])
    },
    { settings: { ...settings, hostBudget: only({ requests: 5 }) }, seeds: ['a.test/', 'b.test/'] },
  )

  promise(
    'the hosts of one registrable domain share its budget',
    async (rig) => {
      await rig.seed('a.one.test/')
      await rig.store('b.one.test/1', 'c.one.test/2', 'd.one.test/3', 'other.test/')
      await visitAll(rig, page)
      const states = await rig.states()
      const reasons = Object.values(states).filter((state) => state.startsWith('refused'))
      assert.deepEqual(reasons, ['refused: budget-domain-requests: 3'])
      assert.equal(states['other.test/'], 'stored')
    },
    { settings: { ...settings, domainBudget: only({ requests: 3 }) }, seeds: ['a.one.test/'] },
  )

  promise(
    'bytes count, whatever came of them',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...pages('a.test', 9))
      const visited = await visitAll(rig, failed('decode: gzip'), { bytes: 400 })
      assert.equal(visited.length, 3)
      assert.equal((await rig.states())['a.test/4'], 'refused: budget-host-bytes: 1000')
    },
    { settings: { ...settings, hostBudget: only({ bytes: 1000 }) } },
  )

  promise(
    'so does the time it takes to parse what came',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...pages('a.test', 9))
      const visited = await visitAll(
        rig,
        (lease) => ({ ...page(lease), cpuMs: 700 }) as FrontierUpdate,
      )
      assert.equal(visited.length, 3)
      assert.equal((await rig.states())['a.test/4'], 'refused: budget-host-cpu: 2')
    },
    { settings: { ...settings, hostBudget: only({ cpu: 2 }) } },
  )

  promise(
    'requests in a row without a new page end a host, and one new page begins the row again',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...pages('a.test', 20))
      const visited = await visitAll(rig, (lease, nth) =>
        nth === 3 ? page(lease) : failed('http-404')(lease),
      )
      assert.equal(visited.length, 8)
      assert.equal((await rig.states())['a.test/9'], 'refused: budget-host-barren: 4')
    },
    { settings: { ...settings, hostBudget: only({ barren: 4 }) } },
  )

  promise(
    'a site that has moved is visited where it is: redirects are no requests without a new page',
    async (rig) => {
      await rig.seed('a.test/')
      const old = pages('a.test/old', 9)
      await rig.store(...old)
      const visited = await visitAll(rig, (lease) => {
        const to = found(shortOf(lease.url).replace('old', 'new'))
        return lease.url.includes('/old/') ? { lease, outcome: 'redirected', to } : page(lease)
      })
      assert.deepEqual(visited, [...old, ...pages('a.test/new', 9)])
    },
    { settings: { ...settings, hostBudget: only({ barren: 4 }) } },
  )

  promise(
    'pages that the crawl itself leaves out are pages: their host is not without new ones',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...pages('a.test', 9))
      const visited = await visitAll(rig, (lease, nth) => ({
        ...{ lease, outcome: 'refused', found: [], judged: null },
        reason: nth % 2 === 0 ? 'off-topic: relevance 0 below 0.5' : 'too-short: 3 of 500 words',
      }))
      assert.equal(visited.length, 9)
    },
    { settings: { ...settings, hostBudget: only({ barren: 4 }) } },
  )

  promise(
    'a host that forbids everything is left alone, and a later run asks it again',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...pages('a.test', 9))
      assert.equal((await visitAll(rig, failed('http-403'))).length, 4)
      assert.match((await rig.states())['a.test/9'] ?? '', /^refused: forbidden-host: 4 answers/)
      await rig.restart()
      assert.equal((await visitAll(rig, page)).length, 5)
    },
    { settings: { ...settings, hostBudget: only({ forbidden: 4 }) } },
  )

  promise(
    'a folder kept to members ends nothing but itself, and a later run asks there again',
    async (rig) => {
      const members = pages('a.test/members', 9)
      const open = pages('a.test/open', 9)
      await rig.seed('a.test/')
      await rig.store(...members, ...open)
      const answer = (lease: Lease): FrontierUpdate =>
        lease.url.includes('/members') ? failed('http-403')(lease) : page(lease)
      assert.deepEqual(await visitAll(rig, answer), [...members.slice(0, 4), ...open])
      assert.equal(
        (await rig.states())['a.test/members/9'],
        'refused: forbidden-host: 4 answers in a row below /members',
      )
      await using urlStates = await rig.urlStates()
      assert.deepEqual(await urlStates.unreached([]), [{ host: 'a.test', urls: 5 }])
      await rig.restart()
      assert.deepEqual(await visitAll(rig, page), members.slice(4))
    },
    { settings: { ...settings, hostBudget: only({ forbidden: 4 }) } },
  )

  promise(
    'folder after folder that is forbidden ends the host',
    async (rig) => {
      await rig.seed('a.test/')
      const folders = ['a', 'b', 'c', 'd', 'e'].map((name) => pages(`a.test/${name}`, 5))
      await rig.store(...folders.flat())
      const visited = await visitAll(rig, failed('http-403'))
      assert.deepEqual(
        visited,
        folders.slice(0, 4).flatMap((folder) => folder.slice(0, 4)),
      )
      assert.equal(
        (await rig.states())['a.test/e/1'],
        'refused: forbidden-host: 4 answers in a row',
      )
    },
    { settings: { ...settings, hostBudget: only({ forbidden: 4 }) } },
  )

  promise(
    'now and then a page that is forbidden ends nothing',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...pages('a.test', 30))
      const visited = await visitAll(rig, (lease, nth) =>
        nth % 3 === 0 ? page(lease) : failed('http-403')(lease),
      )
      assert.equal(visited.length, 30)
    },
    { settings: { ...settings, hostBudget: only({ forbidden: 4 }) } },
  )

  promise(
    'a crawl that has used up its requests ends, and a later run with more goes on',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...pages('a.test', 6), ...pages('b.test', 6))
      assert.equal((await visitAll(rig, failed('http-404'))).length, 4)
      const reasons = Object.values(await rig.states()).filter((state) => state.startsWith('ref'))
      assert.equal(new Set(reasons).size, 1)
      assert.deepEqual([reasons[0], reasons.length], ['refused: budget-requests: 5', 8])
      await using urlStates = await rig.urlStates()
      assert.deepEqual(await urlStates.unreached(['a.test']), [], 'nothing was out of reach')
      await rig.restart({ settings: { maxRequests: 8 } })
      assert.equal((await visitAll(rig, page)).length, 3)
    },
    { settings: { ...settings, maxRequests: 5 } },
  )

  promise(
    'what was spent is known after a crash',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...pages('a.test', 9))
      await rig.store()
      await rig.crash()
      assert.equal((await visitAll(rig, page)).length, 3)
    },
    { settings: { ...settings, hostBudget: only({ requests: 5 }) } },
  )

  promise(
    'a larger budget takes up again what a smaller one had refused',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...pages('a.test', 9))
      assert.equal((await visitAll(rig, page)).length, 2)
      await rig.restart({ settings: { hostBudget: only({ requests: 7 }) } })
      assert.equal((await visitAll(rig, page)).length, 4)
      await rig.restart({ settings: { hostBudget: NO_COSTS } })
      assert.equal((await visitAll(rig, page)).length, 3)
    },
    { settings: { ...settings, hostBudget: only({ requests: 3 }) } },
  )

  promise(
    'however many wait at a host, they are refused a part at a time',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...pages('a.test', 5000))
      let calls = 0
      while (rig.frontier.status().readyAt !== null) {
        assert.deepEqual(await rig.frontier.lease(1), [])
        calls += 1
      }
      assert.ok(calls >= 2, `all of them in ${calls} calls`)
      assert.deepEqual([rig.frontier.counts().refused, rig.frontier.counts().queued], [5000, 0])
    },
    { settings: { ...settings, hostBudget: only({ requests: 1 }) } },
  )
}
