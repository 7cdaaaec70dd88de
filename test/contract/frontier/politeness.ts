// Per host never two requests closer than its delay, nor more at once than allowed.
import assert from 'node:assert/strict'
import { byHost, founds, type Promises, refused, stored } from './rig.ts'

export function politenessContract(promise: Promises): void {
  promise('two requests to a host are never closer than the delay', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    await rig.store()
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 1000)
    rig.clock.advance(999)
    assert.deepEqual(await rig.frontier.lease(1), [])
    rig.clock.advance(1)
    assert.equal((await rig.frontier.lease(1)).length, 1)
  })

  promise('the delay runs from the moment the request goes out', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    const [lease] = await rig.frontier.lease(1)
    rig.clock.advance(700)
    rig.send(lease!)
    rig.clock.advance(999)
    assert.deepEqual(await rig.frontier.lease(1), [])
    rig.clock.advance(1)
    assert.equal((await rig.frontier.lease(1)).length, 1)
  })

  promise(
    'a host whose leased request has not gone out gets no second one',
    async (rig) => {
      await rig.seed('a.test/1', 'a.test/2')
      const [late] = await rig.frontier.lease(1)
      rig.clock.advance(5000)
      assert.deepEqual(await rig.frontier.lease(1), [])
      rig.frontier.requestSent(late!)
      assert.deepEqual(await rig.frontier.lease(1), [])
      rig.clock.advance(1000)
      assert.equal((await rig.frontier.lease(1)).length, 1)
    },
    { settings: { perHost: 2 } },
  )

  promise('a request that never went out gives its time back', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    const [unsent] = await rig.frontier.lease(1)
    await rig.frontier.settle([{ lease: unsent!, outcome: 'released' }])
    const [again] = await rig.frontier.lease(1)
    assert.equal(again?.id, unsent!.id)
    assert.equal(again?.tries, 1)
    await rig.frontier.settle([refused(again!, 'robots')])
    assert.equal((await rig.frontier.lease(1)).length, 1)
  })

  promise('a released request that did go out keeps the host resting', async (rig) => {
    await rig.seed('a.test/1')
    const lease = await rig.visit()
    await rig.frontier.settle([{ lease, outcome: 'released' }])
    assert.deepEqual(await rig.frontier.lease(1), [])
    rig.clock.advance(1000)
    assert.equal((await rig.frontier.lease(1)).length, 1)
  })

  promise(
    'a host has never more requests under way than allowed',
    async (rig) => {
      await rig.seed('a.test/1', 'a.test/2', 'a.test/3')
      const [first] = await rig.frontier.lease(5)
      rig.frontier.requestSent(first!)
      rig.clock.advance(1000)
      const [second] = await rig.frontier.lease(5)
      rig.frontier.requestSent(second!)
      rig.clock.advance(60_000)
      assert.deepEqual(await rig.frontier.lease(5), [])
      rig.frontier.requestEnded(first!, { ok: true })
      assert.equal((await rig.frontier.lease(5)).length, 1)
    },
    { settings: { perHost: 2 } },
  )

  promise('a page that is not settled takes no place at its host', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    await rig.visit()
    const second = await rig.visitNext()
    assert.ok(second)
    assert.equal(rig.frontier.status().unsettled, 2)
  })

  promise('hosts rest each by their own clock', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2', 'b.test/1', 'sub.a.test/1', 'a.test:8080/1')
    const hosts = (await rig.frontier.lease(10)).map(({ host }) => host).toSorted()
    assert.deepEqual(hosts, ['a.test', 'a.test:8080', 'b.test', 'sub.a.test'])
  })

  promise('http and https of a host share one clock', async (rig) => {
    await rig.seed('http://a.test/1', 'https://a.test/1')
    await rig.visit()
    assert.deepEqual(await rig.frontier.lease(1), [])
    rig.clock.advance(1000)
    assert.equal((await rig.frontier.lease(1)).length, 1)
  })

  promise('a host that asks to rest is left alone that long', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    const [lease] = await rig.frontier.lease(1)
    rig.frontier.requestSent(lease!)
    rig.frontier.requestEnded(lease!, { ok: false, restMs: 30_000 })
    await rig.frontier.settle([stored(lease!)])
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 30_000)
    rig.clock.advance(30_000)
    const [next] = await rig.frontier.lease(1)
    assert.equal(next?.hostFailures, 1)
  })

  promise('fractions of a millisecond and endless rests are no trouble', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2', 'b.test/1')
    const [a, b] = (await rig.frontier.lease(2)).toSorted(byHost)
    for (const lease of [a!, b!]) rig.frontier.requestSent(lease)
    rig.frontier.requestEnded(a!, { ok: false, restMs: 1500.25, delayMs: 10.5 })
    rig.frontier.requestEnded(b!, { ok: false, restMs: Number.POSITIVE_INFINITY })
    const retryAt = rig.clock.now() + 2000.5
    const failed = { outcome: 'failed', reason: 'connect', retryAt } as const
    await rig.frontier.settle([stored(a!), { ...failed, lease: b! }])
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 1501)
    await rig.restart()
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 1501)
  })

  promise('a success ends a row of failures', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2', 'a.test/3')
    for (const [ok, failures] of [
      [false, 0],
      [true, 1],
      [true, 0],
    ] as const) {
      rig.wait()
      const [lease] = await rig.frontier.lease(1)
      assert.equal(lease?.hostFailures, failures)
      rig.frontier.requestSent(lease!)
      rig.frontier.requestEnded(lease!, { ok })
      await rig.frontier.settle([stored(lease!)])
    }
  })

  promise('a gap the host asks for holds from the request that learned it', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    const [lease] = await rig.frontier.lease(1)
    rig.frontier.requestSent(lease!)
    rig.clock.advance(300)
    rig.frontier.requestEnded(lease!, { ok: true, delayMs: 5000 })
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 4700)
  })

  promise('a lease tells the gap that its host’s clock keeps', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    const [lease] = await rig.frontier.lease(1)
    assert.equal(lease?.delayMs, 1000)
    rig.frontier.requestSent(lease!)
    rig.frontier.requestEnded(lease!, { ok: true, delayMs: 5000 })
    rig.clock.advance(5000)
    const [next] = await rig.frontier.lease(1)
    assert.equal(next?.delayMs, 5000)
  })

  promise('a request put off goes back to its host, which rests until then', async (rig) => {
    await rig.seed('a.test/1', 'b.test/1')
    const [early] = await rig.frontier.lease(1)
    rig.frontier.requestEnded(early!, { ok: true, restMs: 400 })
    await rig.frontier.settle([{ lease: early!, outcome: 'released' }])
    const [other] = await rig.frontier.lease(5)
    assert.notEqual(other?.host, early?.host)
    rig.clock.advance(399)
    assert.deepEqual(await rig.frontier.lease(5), [])
    rig.clock.advance(1)
    const [again] = await rig.frontier.lease(5)
    assert.deepEqual([again?.id, again?.tries, again?.hostFailures], [early?.id, 1, 0])
  })

  promise('a gap the host asks for is never below the job’s own', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    const [lease] = await rig.frontier.lease(1)
    rig.frontier.requestSent(lease!)
    rig.frontier.requestEnded(lease!, { ok: true, delayMs: 10 })
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 1000)
  })

  promise('redirects, retries and links all wait for the host’s clock', async (rig) => {
    await rig.seed('a.test/')
    const starts: number[] = []
    for (let turn = 0; turn < 6; turn += 1) {
      const lease = await rig.visitNext()
      starts.push(rig.clock.now())
      const to = founds(`a.test/r${turn}`)[0]!
      await rig.frontier.settle([
        turn % 3 === 0
          ? { lease, outcome: 'redirected', to }
          : turn % 3 === 1
            ? { lease, outcome: 'failed', reason: 'connect', retryAt: rig.clock.now() + 1 }
            : stored(lease, founds(`a.test/l${turn}`)),
      ])
    }
    for (const [index, start] of starts.entries()) {
      if (index > 0) assert.ok(start - starts[index - 1]! >= 1000)
    }
  })

  promise('a request outside the queue takes its turn on the host’s clock', async (rig) => {
    const { frontier } = rig
    await rig.seed('a.test/1', 'a.test/2')
    await rig.visit()
    const url = founds('a.test/elsewhere/robots.txt')[0]!.url
    assert.equal(await frontier.leaseFor(url), null)
    rig.clock.advance(1000)
    const hop = await frontier.leaseFor(url)
    assert.deepEqual([hop?.kind, hop?.url, hop?.host], ['robots', url, 'a.test'])
    assert.deepEqual(await frontier.lease(1), [])
    rig.send(hop!)
    assert.equal(frontier.status().unsettled, 1)
    rig.clock.advance(999)
    assert.deepEqual(await frontier.lease(1), [])
    rig.clock.advance(1)
    assert.equal((await frontier.lease(1)).length, 1)
  })
}
