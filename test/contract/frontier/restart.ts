// What survives the end of a process, planned or not.
import assert from 'node:assert/strict'
import { found, founds, type Promises, stored } from './rig.ts'

const DAY = 86_400_000

export function restartContract(promise: Promises): void {
  promise('a restart keeps every URL, its state and its place in the queue', async (rig) => {
    await rig.seed('a.test/')
    await rig.store('a.test/1', 'a.test/2', found('a.test/3', { nofollow: true }))
    await rig.seed('b.test/')
    const before = await rig.records()
    const counts = rig.frontier.counts()
    await rig.restart()
    assert.deepEqual(await rig.records(), before)
    assert.deepEqual(rig.frontier.counts(), counts)
    assert.equal(await rig.seed('a.test/1', 'a.test/4'), 1)
    assert.deepEqual((await rig.drain()).toSorted(), [
      'a.test/1',
      'a.test/2',
      'a.test/4',
      'b.test/',
    ])
  })

  promise('clocks survive a restart to the millisecond', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    await rig.store()
    rig.clock.advance(400)
    await rig.restart()
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 600)
  })

  promise('a gap the host asked for survives a crash, its failures are forgiven', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    const [lease] = await rig.frontier.lease(1)
    rig.frontier.requestSent(lease!)
    rig.frontier.requestEnded(lease!, { ok: false, delayMs: 7000 })
    await rig.frontier.settle([stored(lease!)])
    rig.clock.advance(6999)
    await rig.crash()
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 7000)
    rig.wait()
    const [next] = await rig.frontier.lease(1)
    assert.equal(next?.hostFailures, 0)
  })

  promise('after a crash every host first waits a full delay', async (rig) => {
    await rig.seed('a.test/1', 'b.test/1')
    await rig.crash()
    assert.deepEqual(await rig.frontier.lease(5), [])
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 1000)
    rig.clock.advance(1000)
    assert.equal((await rig.frontier.lease(5)).length, 2)
  })

  promise('a long rest is not cut short by a crash', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    const [lease] = await rig.frontier.lease(1)
    rig.frontier.requestSent(lease!)
    rig.frontier.requestEnded(lease!, { ok: false, restMs: 600_000 })
    await rig.frontier.settle([stored(lease!)])
    rig.clock.advance(1000)
    await rig.crash()
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 599_000)
  })

  promise('after a clock was set back no host waits longer than its gap', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    await rig.store()
    await rig.frontier[Symbol.asyncDispose]()
    rig.clock.advance(-400 * DAY)
    await rig.open()
    const delayMs = rig.job.settings.delayMs
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + delayMs)
  })

  promise('after a clock was set back a rest is as long as it was asked for', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    const [lease] = await rig.frontier.lease(1)
    rig.frontier.requestSent(lease!)
    rig.frontier.requestEnded(lease!, { ok: false, trouble: 'http-503', restMs: 60_000 })
    await rig.frontier.settle([stored(lease!)])
    await rig.frontier[Symbol.asyncDispose]()
    rig.clock.advance(-400 * DAY)
    await rig.open()
    assert.equal(rig.frontier.status().readyAt, rig.clock.now() + 60_000)
  })

  promise('what was leased is queued again after a crash', async (rig) => {
    await rig.seed('a.test/1', 'b.test/1')
    await rig.frontier.lease(5)
    await rig.crash()
    assert.deepEqual(rig.frontier.counts(), {
      ...{ queued: 2, leased: 0, stored: 0, duplicate: 0 },
      ...{ redirected: 0, refused: 0, outside: 0, failed: 0 },
    })
    assert.deepEqual((await rig.drain()).toSorted(), ['a.test/1', 'b.test/1'])
  })

  promise('what was leased is queued again after a restart', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2')
    await rig.visit()
    await rig.restart()
    assert.equal(rig.frontier.status().unsettled, 0)
    assert.deepEqual(await rig.drain(), ['a.test/1', 'a.test/2'])
  })

  promise('retries to come survive a crash', async (rig) => {
    await rig.seed('a.test/1')
    const lease = await rig.visit()
    const retryAt = rig.clock.now() + 60_000
    await rig.frontier.settle([{ lease, outcome: 'failed', reason: 'connect', retryAt }])
    await rig.crash()
    assert.equal(rig.frontier.status().readyAt, retryAt)
    rig.wait()
    assert.equal((await rig.visit()).tries, 2)
  })

  promise(
    'nothing that was settled is lost in a crash, and nothing is known twice',
    async (rig) => {
      await rig.seed('a.test/0')
      for (let page = 1; page <= 30; page += 1) {
        await rig.store(`a.test/${page}`, `a.test/${page - 1}`)
        if (page % 7 === 0) await rig.crash()
      }
      assert.equal(rig.frontier.counts().stored, 30)
      assert.equal((await rig.records()).length, 31)
      assert.deepEqual(await rig.drain(), ['a.test/30'])
    },
  )

  promise('a sitemap’s worth of links at once survives as well', async (rig) => {
    await rig.seed('a.test/')
    const many = Array.from({ length: 10_000 }, (_, index) => `a.test/${index}`)
    await rig.store(...many)
    await rig.crash()
    assert.equal(rig.frontier.counts().queued, 10_000)
    assert.equal(await rig.frontier.add(founds(...many), 'seed'), 0)
    await rig.restart()
    assert.equal(await rig.frontier.add(founds(...many), 'seed'), 0)
  })
}
