// Redirects, retries, and paths that turn out better than the first one found.
import assert from 'node:assert/strict'
import type { FrontierUpdate } from '../../../src/frontier/frontier.ts'
import { CHANGING_FACTS, type Ordering, unspokenScore } from '../../../src/ordering/ordering.ts'
import { found, founds, type Promises, type Rig, shortOf, stored } from './rig.ts'

const bySignal: Ordering = {
  name: 'by-signal',
  about: 'the first signal',
  rescoreOn: [],
  createScorer: () => ({
    score: (candidate) => candidate.signals?.[0] ?? unspokenScore(candidate),
  }),
}

const noted = (short: string, value: number) => found(short, { signals: [value] })

export function pathsContract(promise: Promises): void {
  promise('a redirect’s target is a URL of its own, at the same depth', async (rig) => {
    await rig.seed('a.test/')
    await rig.store('a.test/old')
    await redirect(rig, 'a.test/new')
    const lease = await rig.visitNext()
    assert.deepEqual([shortOf(lease.url), lease.depth, lease.hops], ['a.test/new', 1, 1])
    const { foundOn } = await rig.record('a.test/new')
    assert.equal(foundOn, 'http://a.test/old')
  })

  promise('a redirect to what is known already adds nothing', async (rig) => {
    await rig.seed('a.test/', 'a.test/1')
    await redirect(rig, 'a.test/1')
    assert.deepEqual(await rig.drain(), ['a.test/1'])
  })

  promise('ten redirects in a row are followed, the eleventh fails', async (rig) => {
    await rig.seed('a.test/0')
    for (let hop = 1; hop <= 10; hop += 1) await redirect(rig, `a.test/${hop}`)
    await redirect(rig, 'a.test/11')
    const states = await rig.states()
    assert.equal(states['a.test/9'], 'redirected: http://a.test/10')
    assert.equal(states['a.test/10'], 'failed: redirect-limit: http://a.test/11')
    assert.equal(states['a.test/11'], undefined)
  })

  promise('a redirect to itself or back into its chain fails as a loop', async (rig) => {
    await rig.seed('a.test/self', 'a.test/1')
    await redirect(rig, 'a.test/self')
    await redirect(rig, 'a.test/2')
    await redirect(rig, 'a.test/3')
    await redirect(rig, 'a.test/1')
    assert.deepEqual(await rig.states(), {
      'a.test/self': 'failed: redirect-loop: http://a.test/self',
      'a.test/1': 'redirected: http://a.test/2',
      'a.test/2': 'redirected: http://a.test/3',
      'a.test/3': 'failed: redirect-loop: http://a.test/1',
    })
    assert.equal(rig.frontier.status().readyAt, null)
  })

  promise('a loop between pages that links led to is seen as well', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    await redirect(rig, 'a.test/2')
    await redirect(rig, 'a.test/1')
    const states = await rig.states()
    assert.equal(states['a.test/2'], 'failed: redirect-loop: http://a.test/1')
  })

  promise(
    'ten redirects in a row over as many domains are followed, the eleventh fails',
    async (rig) => {
      await rig.seed('h0.test/')
      for (let hop = 1; hop <= 11; hop += 1) await redirect(rig, `h${hop}.test/`)
      const states = await settledStates(rig)
      assert.equal(states['h9.test/'], 'redirected: http://h10.test/')
      assert.equal(states['h10.test/'], 'failed: redirect-limit: http://h11.test/')
      assert.equal(states['h11.test/'], undefined)
    },
  )

  const ring = ['a.test/', 'b.test/', 'c.test/', 'd.test/', 'd.test/2', 'a.test/2']
  const nextOf = (short: string): string => ring[(ring.indexOf(short) + 1) % ring.length] ?? ''

  promise('redirects in a circle of several domains fail once as a loop', async (rig) => {
    await rig.seed('a.test/')
    for (const short of ring) await redirect(rig, nextOf(short))
    failsOnce(await settledStates(rig))
  })

  promise(
    'the same if the redirects are found at the same time',
    async (rig) => {
      await rig.seed(...ring)
      const leases = await rig.frontier.lease(ring.length)
      for (const lease of leases) rig.send(lease)
      const updates = leases.map((lease): FrontierUpdate => {
        return { lease, outcome: 'redirected', to: found(nextOf(shortOf(lease.url))) }
      })
      assert.equal(await rig.frontier.settle(updates), ring.length)
      failsOnce(await settledStates(rig))
    },
    { settings: { delayMs: 0, perHost: 2 } },
  )

  function failsOnce(states: Record<string, string>): void {
    const loops = ring.filter((short) => states[short]?.startsWith('failed'))
    assert.equal(loops.length, 1, JSON.stringify(states))
    for (const short of ring) {
      const [as, to] = [
        loops.includes(short) ? 'failed: redirect-loop' : 'redirected',
        nextOf(short),
      ]
      assert.equal(states[short], `${as}: http://${to}`)
    }
  }

  promise('a failed URL is tried again at its time, not before', async (rig) => {
    await rig.seed('a.test/')
    const lease = await rig.visit()
    const retryAt = rig.clock.now() + 10_000
    await rig.frontier.settle([{ lease, outcome: 'failed', reason: 'http-503', retryAt }])
    const waiting = await rig.record('a.test/')
    assert.deepEqual(
      [waiting.state, waiting.reason, waiting.nextAt],
      ['queued', 'http-503', retryAt],
    )
    assert.equal(rig.frontier.status().readyAt, retryAt)
    rig.clock.advance(9_999)
    assert.deepEqual(await rig.frontier.lease(1), [])
    rig.clock.advance(1)
    const again = await rig.visit()
    assert.deepEqual([again.id, again.tries], [lease.id, 2])
    await rig.frontier.settle([stored(again)])
    const done = await rig.record('a.test/')
    assert.deepEqual([done.state, done.reason, done.nextAt, done.tries], ['stored', '', null, 2])
  })

  promise('a retry waits for its host to have rested, too', async (rig) => {
    await rig.seed('a.test/')
    const [lease] = await rig.frontier.lease(1)
    rig.frontier.requestSent(lease!)
    rig.frontier.requestEnded(lease!, { ok: false, restMs: 20_000 })
    const retryAt = rig.clock.now() + 5000
    await rig.frontier.settle([{ lease: lease!, outcome: 'failed', reason: 'connect', retryAt }])
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 20_000)
    rig.clock.advance(5000)
    assert.deepEqual(await rig.frontier.lease(1), [])
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 15_000)
  })

  promise('a link not to be followed is refused until a followed one leads there', async (rig) => {
    await rig.seed('a.test/')
    await rig.store(found('a.test/1', { nofollow: true }), 'a.test/2')
    assert.equal((await rig.states())['a.test/1'], 'refused: nofollow')
    await rig.store('a.test/1')
    assert.equal((await rig.states())['a.test/1'], 'queued')
    const lease = await rig.visitNext()
    assert.deepEqual([shortOf(lease.url), lease.depth], ['a.test/1', 2])
  })

  promise('a link not to be followed changes nothing about a known URL', async (rig) => {
    await rig.seed('a.test/', 'b.test/')
    const nofollow = { nofollow: true }
    await rig.store(found('b.test/', nofollow), found('a.test/1', nofollow))
    await rig.restart()
    await rig.store(found('a.test/1', nofollow))
    assert.equal((await rig.states())['a.test/1'], 'refused: nofollow')
  })

  promise(
    'what is too deep is refused until a shorter path leads there',
    async (rig) => {
      await rig.seed('a.test/', 'b.test/')
      await rig.store('a.test/1')
      const other = await rig.visitNext()
      await rig.store('a.test/2')
      await rig.store('a.test/3')
      assert.equal((await rig.states())['a.test/3'], 'refused: depth')
      await rig.frontier.settle([stored(other, founds('a.test/3'))])
      assert.equal((await rig.states())['a.test/3'], 'queued')
      assert.equal((await rig.record('a.test/3')).depth, 1)
    },
    { settings: { maxDepth: 2 } },
  )

  promise(
    'a shorter path makes everything behind it nearer',
    async (rig) => {
      await rig.seed('a.test/', 'b.test/')
      await rig.store('a.test/1')
      const other = await rig.visitNext()
      await rig.store('a.test/2')
      await redirect(rig, 'a.test/moved')
      await rig.store('a.test/3')
      await rig.store('a.test/4')
      assert.equal((await rig.states())['a.test/4'], 'refused: depth')
      await rig.restart()
      const durable = { kind: 'page', id: other.id, token: null } as const
      await rig.frontier.settle([stored(durable, founds('a.test/2'))])
      const depths = await Promise.all(
        ['a.test/2', 'a.test/moved', 'a.test/3', 'a.test/4'].map((url) => rig.record(url)),
      )
      assert.deepEqual(
        depths.map(({ depth }) => depth),
        [1, 1, 2, 3],
      )
      assert.deepEqual(await rig.drain(), ['a.test/4'])
    },
    { settings: { maxDepth: 3 } },
  )

  promise(
    'with a depth limit exactly what lies within it is fetched',
    async (rig) => {
      const links = randomWeb()
      await rig.seed('a.test/0')
      const fetched: string[] = []
      while (rig.frontier.status().readyAt !== null) {
        const lease = await rig.visitNext()
        const page = shortOf(lease.url)
        fetched.push(page)
        await rig.frontier.settle([stored(lease, founds(...(links.get(page) ?? [])))])
        if (fetched.length % 20 === 0) await rig.restart()
      }
      assert.deepEqual(fetched.toSorted(), within(links, 'a.test/0', 4).toSorted())
    },
    { settings: { maxDepth: 4, ordering: 'depth-first' } },
  )

  for (const fact of CHANGING_FACTS) {
    promise(
      `a shorter path and what it opens outlive a crash where ${fact} count`,
      async (rig) => {
        await rig.seed('a.test/')
        await rig.store(noted('a.test/1', 9))
        await rig.store(noted('a.test/x', 1))
        await rig.seed('b.test/')
        await rig.store(noted('a.test/x', 1))
        await rig.crash()
        const lease = await rig.store('a.test/behind')
        assert.deepEqual([shortOf(lease.url), lease.depth], ['a.test/x', 1])
        assert.deepEqual(await rig.drain(), ['a.test/behind'])
      },
      {
        settings: { maxDepth: 2, delayMs: 0, hostPolicy: 'best' },
        ordering: { ...bySignal, rescoreOn: [fact] },
      },
    )
  }
}

/** When nothing is left to do, and partitions have told each other everything. */
async function settledStates(rig: Rig): Promise<Record<string, string>> {
  for (let looks = 0; rig.frontier.status().readyAt !== null; looks += 1) {
    assert.ok(looks < 100, 'something is left to do')
    await rig.frontier.flush()
  }
  await rig.frontier.flush()
  return rig.states()
}

async function redirect(rig: Rig, to: string): Promise<void> {
  const lease = await rig.visitNext()
  assert.equal(await rig.frontier.settle([{ lease, outcome: 'redirected', to: found(to) }]), 1)
}

/** 150 pages with a long spine and random short cuts: depth-first meets most pages too deep first. */
function randomWeb(): Map<string, string[]> {
  let seed = 42
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const links = new Map<string, string[]>()
  for (let page = 0; page < 150; page += 1) {
    const targets = [page + 1, random(150), random(150)]
    links.set(
      `a.test/${page}`,
      targets.map((target) => `a.test/${target}`),
    )
  }
  return links
}

function within(links: ReadonlyMap<string, string[]>, from: string, depth: number): string[] {
  const reached = new Set([from])
  let edge = [from]
  for (let step = 0; step < depth; step += 1) {
    edge = edge.flatMap((page) => links.get(page) ?? []).filter((page) => !reached.has(page))
    for (const page of edge) reached.add(page)
  }
  return [...reached]
}
