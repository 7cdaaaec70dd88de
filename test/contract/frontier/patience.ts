// A focused crawl under the host policy `best`: rather wait a moment than fetch what is poor.
import assert from 'node:assert/strict'
import { hostOf } from '../../../src/core/url.ts'
import type { Ordering } from '../../../src/ordering/ordering.ts'
import { found, type Promises, type Rig, shortOf, stored, urlOf } from './rig.ts'

/** What a link says is what its target is worth. */
const bySignal: Ordering = {
  name: 'by-signal',
  about: 'the best signal first',
  rescoreOn: ['signals'],
  focused: true,
  createScorer: () => ({
    score: ({ signals, depth }) => (depth === 0 ? 1e9 : (signals?.[0] ?? 0)),
  }),
}

/** A page of b.test tells that a.test is worth nothing; nobody looks at a.test for that. */
const sobering: Ordering = {
  ...bySignal,
  name: 'sobering',
  createScorer: () => {
    let sober = false
    return {
      drifts: true,
      score: ({ url, signals, depth }) =>
        depth === 0 ? 1e9 : sober && hostOf(url) === 'a.test' ? 0 : (signals?.[0] ?? 0),
      settled: ({ url }) => {
        if (hostOf(url) === 'b.test') sober = true
      },
    }
  },
}

const worth = (short: string, value: number) => found(short, { signals: [value] })
const DELAY = 1000

/** A crawl that knows its way: enough pages settled to have several out at once. */
async function begin(rig: Rig, ...links: ReturnType<typeof worth>[]): Promise<void> {
  const pages = Array.from({ length: 150 }, (_, n) => `s${n}.test/`)
  await rig.seed(...pages)
  for (let n = 1; n < pages.length; n += 1) await rig.store()
  await rig.store(...links)
}

async function out(rig: Rig, limit = 10): Promise<string[]> {
  const leases = await rig.frontier.lease(limit)
  for (const lease of leases) rig.frontier.requestSent(lease)
  return leases.map(({ url }) => shortOf(url))
}

export function patienceContract(promise: Promises): void {
  const settings = { delayMs: DELAY, hostPolicy: 'best', concurrency: 10 } as const
  const links = [worth('a.test/1', 9), worth('a.test/2', 9), worth('b.test/', 8.9)]
  const poor = worth('c.test/', 1)

  promise(
    'while a better host rests, a poor one waits and an equal one does not',
    async (rig) => {
      await begin(rig, ...links, poor)
      assert.deepEqual(await out(rig), ['a.test/1', 'b.test/'])
      assert.deepEqual(await out(rig), [])
      rig.clock.advance(DELAY)
      // Its place is taken as long as its page is on the way.
      const { readyAt } = rig.frontier.status()
      assert.ok(readyAt !== null && readyAt > rig.clock.now())
    },
    { settings, ordering: bySignal },
  )

  promise(
    'when nothing better is left, the poor one has its turn',
    async (rig) => {
      await begin(rig, ...links, poor)
      assert.deepEqual(await rig.drain(), ['a.test/1', 'b.test/', 'a.test/2', 'c.test/'])
    },
    { settings, ordering: bySignal },
  )

  promise(
    'nobody waits for more than two seconds while nothing happens',
    async (rig) => {
      await begin(rig, ...links, poor)
      await out(rig)
      rig.clock.advance(2 * DELAY)
      assert.deepEqual(await out(rig), ['c.test/'])
    },
    { settings, ordering: bySignal },
  )

  promise(
    'a host in trouble makes nobody wait',
    async (rig) => {
      await begin(rig, ...links, poor)
      const leases = await rig.frontier.lease(2)
      for (const lease of leases) {
        rig.frontier.requestSent(lease)
        rig.frontier.requestEnded(lease, { ok: false, trouble: 'http-503', restMs: 30_000 })
      }
      assert.deepEqual(await out(rig), ['c.test/'])
    },
    { settings, ordering: bySignal },
  )

  promise(
    'a host that is free makes nobody wait, however good it seemed before',
    async (rig) => {
      await begin(rig, worth('b.test/', 9), worth('a.test/', 8), worth('c.test/', 3))
      const lease = await rig.visit()
      assert.equal(lease.url, urlOf('b.test/'))
      await rig.frontier.settle([stored(lease)])
      assert.deepEqual(await out(rig, 1), ['c.test/'])
    },
    { settings: { ...settings, delayMs: 0 }, ordering: sobering },
  )

  promise(
    'a host whose pages take long makes nobody wait',
    async (rig) => {
      const more = [worth('a.test/3', 9), worth('c.test/1', 1), worth('c.test/2', 1)]
      await begin(rig, ...links.slice(0, 2), ...more)
      assert.deepEqual(await out(rig), ['a.test/1'])
      rig.clock.advance(2 * DELAY + 1)
      const [first] = await rig.frontier.lease(10)
      assert.equal(first?.url, urlOf('c.test/1'))
      rig.frontier.requestSent(first!)
      rig.frontier.requestEnded(first!, { ok: true })
      rig.clock.advance(DELAY)
      // Its request is still under way: the next poor one goes when its own delay is over.
      assert.deepEqual(await out(rig), ['c.test/2'])
    },
    { settings, ordering: bySignal },
  )

  promise(
    'an eager crawl takes what is ready',
    async (rig) => {
      await begin(rig, ...links, poor)
      assert.deepEqual(await out(rig), ['a.test/1', 'b.test/', 'c.test/'])
    },
    { settings: { ...settings, eager: true }, ordering: bySignal },
  )

  promise(
    'a server that hangs does not stop a crawl that has only begun',
    async (rig) => {
      await rig.seed('a.test/', 'b.test/')
      assert.deepEqual(await out(rig), ['a.test/'])
      assert.deepEqual(await out(rig), [])
      rig.clock.advance(2000)
      assert.deepEqual(await out(rig), ['b.test/'])
    },
    { settings, ordering: bySignal },
  )

  promise(
    'a host that asks for a long rest is not waited for',
    async (rig) => {
      await begin(rig, ...links, poor)
      const leases = await rig.frontier.lease(2)
      for (const lease of leases) {
        rig.frontier.requestSent(lease)
        rig.frontier.requestEnded(lease, { ok: true, delayMs: 30_000 })
      }
      assert.deepEqual(await out(rig), ['c.test/'])
    },
    { settings, ordering: bySignal },
  )

  promise(
    'it begins one by one: as long as little is known, few pages are out at once',
    async (rig) => {
      await rig.seed('a.test/', 'b.test/', 'c.test/')
      const [first, ...others] = await rig.frontier.lease(10)
      assert.ok(first !== undefined)
      assert.deepEqual(others, [])
      // Not to be asked again at once.
      assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 2000)
      rig.send(first)
      await rig.frontier.settle([stored(first)])
      assert.equal((await rig.frontier.lease(10)).length, 1)
      assert.equal(first.url, urlOf('a.test/'))
    },
    { settings, ordering: bySignal },
  )
}
