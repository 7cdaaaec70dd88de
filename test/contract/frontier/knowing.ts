// A URL is known once, and every URL has a state and a reason.
import assert from 'node:assert/strict'
import { byHost, found, founds, type Promises, stored, urlOf } from './rig.ts'

export function knowingContract(promise: Promises): void {
  promise('a URL is known once, however often it is found', async (rig) => {
    assert.equal(await rig.seed('a.test/', 'a.test/', 'a.test/1'), 2)
    assert.equal(await rig.seed('a.test/1'), 0)
    await rig.store('a.test/1', 'a.test/2', 'a.test/2')
    assert.deepEqual(await rig.drain(), ['a.test/1', 'a.test/2'])
    assert.equal(rig.frontier.counts().stored, 3)
  })

  promise('a URL is leased to one at a time', async (rig) => {
    await rig.seed('a.test/')
    assert.equal((await rig.frontier.lease(10)).length, 1)
    rig.clock.advance(60_000)
    assert.deepEqual(await rig.frontier.lease(10), [])
  })

  promise(
    'leases of one host are of different URLs, however few are kept in memory',
    async (rig) => {
      await rig.seed('a.test/1', 'a.test/2', 'a.test/3', 'a.test/4')
      const leases = [...(await rig.frontier.lease(2)), ...(await rig.frontier.lease(2))]
      assert.equal(new Set(leases.map(({ id }) => id)).size, 4)
    },
    { headSize: 1, settings: { perHost: 4, delayMs: 0 } },
  )

  promise('a page and its links arrive in one step', async (rig) => {
    await rig.seed('a.test/')
    const lease = await rig.visit()
    assert.equal(rig.frontier.status().unsettled, 1)
    await rig.frontier.settle([stored(lease, founds('a.test/1', 'b.test/'))])
    await rig.crash()
    assert.deepEqual(await rig.states(), {
      'a.test/': 'stored',
      'a.test/1': 'queued',
      'b.test/': 'queued',
    })
  })

  promise('a settled lease cannot be settled again', async (rig) => {
    await rig.seed('a.test/')
    const lease = await rig.visit()
    assert.equal(await rig.frontier.settle([{ lease, outcome: 'released' }]), 1)
    assert.equal(await rig.frontier.settle([stored(lease, founds('a.test/1'))]), 0)
    assert.deepEqual(await rig.states(), { 'a.test/': 'queued' })
  })

  promise(
    'a lease given again has another token, and the old one is worth nothing',
    async (rig) => {
      await rig.seed('a.test/')
      const lost = await rig.visit()
      await rig.frontier.settle([{ lease: lost, outcome: 'released' }])
      const held = await rig.visitNext()
      assert.equal(held.id, lost.id)
      assert.notEqual(held.token, lost.token)
      assert.equal(await rig.frontier.settle([stored(lost)]), 0)
      assert.equal(await rig.frontier.settle([stored(held)]), 1)
    },
  )

  promise('a lease of a process that was killed cannot be settled', async (rig) => {
    await rig.seed('a.test/')
    const lost = await rig.visit()
    await rig.crash()
    assert.equal(await rig.frontier.settle([stored(lost)]), 0)
    const held = await rig.visitNext()
    assert.equal(await rig.frontier.settle([stored(lost)]), 0)
    assert.equal(await rig.frontier.settle([stored(held)]), 1)
  })

  promise('a page that is durable already is taken as stored, once', async (rig) => {
    await rig.seed('a.test/')
    const { id } = await rig.visit()
    await rig.crash()
    const lease = { kind: 'page', id, token: null } as const
    assert.equal(await rig.frontier.settle([stored(lease, founds('a.test/1'))]), 1)
    assert.equal(await rig.frontier.settle([stored(lease, founds('a.test/2'))]), 0)
    assert.deepEqual(await rig.states(), { 'a.test/': 'stored', 'a.test/1': 'queued' })
    assert.deepEqual(await rig.drain(), ['a.test/1'])
  })

  promise('a page that is durable already is taken even while it is leased again', async (rig) => {
    await rig.seed('a.test/')
    await rig.visit()
    await rig.crash()
    const again = await rig.visitNext()
    const durable = { kind: 'page', id: again.id, token: null } as const
    assert.equal(await rig.frontier.settle([stored(durable)]), 1)
    assert.equal(await rig.frontier.settle([stored(again)]), 0)
    assert.equal(rig.frontier.counts().stored, 1)
    assert.equal(rig.frontier.status().unsettled, 0)
  })

  promise('a page that is durable already outlives a failure recorded for it', async (rig) => {
    await rig.seed('a.test/')
    const lease = await rig.visit()
    await rig.frontier.settle([{ lease, outcome: 'failed', reason: 'parser-crash', retryAt: null }])
    const durable = { kind: 'page', id: lease.id, token: null } as const
    assert.equal(await rig.frontier.settle([stored(durable)]), 1)
    assert.deepEqual(await rig.states(), { 'a.test/': 'stored' })
  })

  promise('a page that is durable already is taken by its URL, whoever has its id', async (rig) => {
    await rig.seed('a.test/1', 'b.test/1')
    const held = await rig.visit()
    const other = urlOf(held.url.includes('a.test') ? 'b.test/1' : 'a.test/1')
    const durable = { kind: 'page', id: held.id, token: null, url: other, depth: 0 } as const
    assert.equal(await rig.frontier.settle([stored(durable, founds('c.test/'))]), 1)
    assert.equal(rig.frontier.isValid(held), true)
    assert.equal(await rig.frontier.settle([stored(held)]), 1)
    assert.deepEqual(await rig.states(), {
      'a.test/1': 'stored',
      'b.test/1': 'stored',
      'c.test/': 'queued',
    })
  })

  promise('a durable page whose URL was forgotten is known again, with its links', async (rig) => {
    await rig.seed('a.test/')
    const url = urlOf('b.test/9')
    const durable = { kind: 'page', id: 1, token: null, url, depth: 4 } as const
    assert.equal(await rig.frontier.settle([stored(durable, founds('b.test/10'))]), 1)
    assert.equal(await rig.frontier.settle([stored(durable)]), 0)
    assert.deepEqual(await rig.states(), {
      'a.test/': 'queued',
      'b.test/9': 'stored',
      'b.test/10': 'queued',
    })
    assert.equal((await rig.record('b.test/9')).depth, 4)
    assert.equal((await rig.record('b.test/10')).depth, 5)
  })

  promise(
    'a durable page is taken as stored also where a rule would refuse its URL now',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store('b.test/no')
      for (const [id, short] of ['b.test/no', 'c.test/no'].entries()) {
        const durable = { kind: 'page', id, token: null, url: urlOf(short), depth: 1 } as const
        assert.equal(await rig.frontier.settle([stored(durable)]), 1)
      }
      assert.deepEqual(await rig.states(), {
        'a.test/': 'stored',
        'b.test/no': 'stored',
        'c.test/no': 'stored',
      })
      assert.deepEqual([rig.frontier.counts().stored, rig.frontier.counts().refused], [3, 0])
      await rig.restart()
      assert.equal(rig.frontier.counts().stored, 3)
    },
    { admit: (url) => (url.endsWith('/no') ? 'filter' : null) },
  )

  promise('what is flushed is there after a crash', async (rig) => {
    await rig.seed('a.test/')
    await rig.store('a.test/1')
    await rig.frontier.flush()
    await rig.crash()
    assert.deepEqual(await rig.states(), { 'a.test/': 'stored', 'a.test/1': 'queued' })
  })

  promise('every outcome has its state, its reason and its links', async (rig) => {
    const { frontier } = rig
    await rig.seed('a.test/', 'b.test/', 'c.test/', 'd.test/', 'e.test/')
    const leases = (await frontier.lease(5)).toSorted(byHost)
    const [a, b, c, d, e] = leases
    for (const lease of leases) rig.send(lease)
    const taken = await frontier.settle([
      stored(a!, founds('a.test/1')),
      {
        lease: b!,
        outcome: 'duplicate',
        of: 'http://a.test/',
        found: founds('b.test/1'),
        judged: null,
      },
      {
        lease: c!,
        outcome: 'refused',
        reason: 'type: image/png',
        found: founds('c.test/1'),
        judged: null,
      },
      { lease: d!, outcome: 'redirected', to: found('d.test/1') },
      { lease: e!, outcome: 'failed', reason: 'http-404', retryAt: null },
    ])
    assert.equal(taken, 5)
    assert.deepEqual(await rig.states(), {
      'a.test/': 'stored',
      'b.test/': 'duplicate: http://a.test/',
      'c.test/': 'refused: type: image/png',
      'd.test/': 'redirected: http://d.test/1',
      'e.test/': 'failed: http-404',
      'a.test/1': 'queued',
      'b.test/1': 'queued',
      'c.test/1': 'queued',
      'd.test/1': 'queued',
    })
  })

  promise(
    'what the rules of the crawl refuse is recorded with the reason',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store('out.test/', 'a.test/1')
      assert.deepEqual(await rig.states(), {
        'a.test/': 'stored',
        'out.test/': 'refused: scope',
        'a.test/1': 'queued',
      })
      assert.deepEqual(await rig.drain(), ['a.test/1'])
    },
    { admit: (_, host) => (host === 'out.test' ? 'scope' : null) },
  )

  promise('counts equal the states of all URLs', async (rig) => {
    await rig.seed('a.test/', 'b.test/', 'c.test/')
    await rig.store('a.test/1', 'a.test/2', found('a.test/3', { nofollow: true }))
    const failing = await rig.visitNext()
    const retryAt = rig.clock.now() + 5000
    await rig.frontier.settle([{ lease: failing, outcome: 'failed', reason: 'connect', retryAt }])
    const released = await rig.visitNext()
    await rig.frontier.settle([{ lease: released, outcome: 'released' }])
    const truth: Record<string, number> = {}
    for (const { state } of await rig.records()) truth[state] = (truth[state] ?? 0) + 1
    const counts = rig.frontier.counts()
    const { outside, ...others } = counts
    const states = { ...others, refused: others.refused + outside }
    for (const [state, count] of Object.entries(states))
      assert.equal(count, truth[state] ?? 0, state)
    assert.equal(states.queued + states.stored + states.refused, 6)
  })
}
