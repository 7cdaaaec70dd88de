// robots.txt: asked for first, obeyed by asking nothing of an origin while it cannot be reached.
import assert from 'node:assert/strict'
import type { RobotsRecord } from '../../../src/frontier/frontier.ts'
import { type Promises, type Rig, stored } from './rig.ts'

const HOUR = 3_600_000

/** Leases, sends and answers a robots.txt. */
async function answerRobots(rig: Rig, more: Partial<RobotsRecord> = {}): Promise<void> {
  const lease = await rig.visitNext()
  assert.equal(lease.kind, 'robots')
  const origin = lease.url.replace('/robots.txt', '')
  await rig.frontier.saveRobots(lease, rig.robotsRecord(origin, more))
}

export function robotsContract(promise: Promises): void {
  const obedient = { settings: { ignoreRobots: false } }

  promise(
    'robots.txt is asked for before any page of its origin',
    async (rig) => {
      await rig.seed('a.test/1')
      const [lease, ...none] = await rig.frontier.lease(5)
      assert.deepEqual(none, [])
      const { kind, url, host, depth } = lease!
      assert.deepEqual(
        [kind, url, host, depth],
        ['robots', 'http://a.test/robots.txt', 'a.test', 0],
      )
      rig.send(lease!)
      rig.clock.advance(HOUR)
      // Landed, but nobody knows yet what it says.
      assert.deepEqual(await rig.frontier.lease(5), [])
      await rig.frontier.saveRobots(lease!, rig.robotsRecord('http://a.test'))
      const page = await rig.visit()
      assert.equal(page.kind, 'page')
    },
    obedient,
  )

  promise(
    'robots.txt takes its turn on the host’s clock',
    async (rig) => {
      await rig.seed('a.test/1')
      await answerRobots(rig)
      assert.deepEqual(await rig.frontier.lease(1), [])
      rig.clock.advance(1000)
      assert.equal((await rig.visit()).kind, 'page')
    },
    obedient,
  )

  promise(
    'a robots lease that is released is given again',
    async (rig) => {
      await rig.seed('a.test/1')
      const lease = await rig.visit()
      await rig.frontier.settle([{ lease, outcome: 'released' }])
      assert.equal((await rig.visitNext()).kind, 'robots')
    },
    obedient,
  )

  promise(
    'what robots.txt said is kept, word for word, also after a crash',
    async (rig) => {
      assert.equal(await rig.frontier.robots('http://a.test'), null)
      await rig.seed('a.test/1')
      const record = { body: 'User-agent: *\nDisallow: /x', attempts: 2 }
      await answerRobots(rig, record)
      const kept = await rig.frontier.robots('http://a.test')
      assert.deepEqual(kept, rig.robotsRecord('http://a.test', record))
      await rig.crash()
      assert.deepEqual(await rig.frontier.robots('http://a.test'), kept)
      assert.equal((await rig.visitNext()).kind, 'page')
    },
    obedient,
  )

  promise(
    'robots.txt is asked for again when what is known of it has expired',
    async (rig) => {
      await rig.seed('a.test/1', 'a.test/2')
      await answerRobots(rig)
      await rig.store()
      rig.clock.advance(24 * HOUR)
      assert.equal((await rig.visit()).kind, 'robots')
    },
    obedient,
  )

  promise(
    'each origin has its own robots.txt',
    async (rig) => {
      await rig.seed('http://a.test/1', 'https://a.test/1')
      const urls: string[] = []
      for (let turn = 0; turn < 4; turn += 1) {
        const lease = await rig.visitNext()
        urls.push(lease.url)
        const origin = lease.url.replace('/robots.txt', '')
        if (lease.kind === 'page') await rig.frontier.settle([stored(lease)])
        else await rig.frontier.saveRobots(lease, rig.robotsRecord(origin))
      }
      assert.deepEqual(urls.toSorted(), [
        'http://a.test/1',
        'http://a.test/robots.txt',
        'https://a.test/1',
        'https://a.test/robots.txt',
      ])
    },
    obedient,
  )

  promise(
    'nothing is asked of an origin whose robots.txt is unreachable',
    async (rig) => {
      await rig.seed('a.test/1')
      const expiresAt = rig.clock.now() + HOUR
      await answerRobots(rig, { status: 'unreachable', expiresAt })
      rig.clock.advance(HOUR - 1)
      assert.deepEqual(await rig.frontier.lease(5), [])
      const { readyAt, allUnreachable } = rig.frontier.status()
      assert.deepEqual([readyAt, allUnreachable], [expiresAt, true])
      rig.clock.advance(1)
      assert.equal((await rig.visit()).kind, 'robots')
    },
    obedient,
  )

  promise(
    'an unreachable robots.txt does not stop the other origin of its host',
    async (rig) => {
      await rig.seed('http://a.test/1', 'https://a.test/1')
      await answerRobots(rig, { status: 'unreachable', expiresAt: rig.clock.now() + HOUR })
      await answerRobots(rig)
      assert.equal((await rig.visitNext()).url, 'https://a.test/1')
    },
    obedient,
  )

  promise(
    'a robots.txt that failed no more often than the job retries is not given up',
    async (rig) => {
      await rig.seed('a.test/1')
      const expiresAt = rig.clock.now() + 1000
      await answerRobots(rig, { status: 'unreachable', expiresAt, attempts: 3 })
      assert.equal(rig.frontier.status().allUnreachable, false)
      rig.clock.advance(1000)
      await answerRobots(rig, { status: 'unreachable', expiresAt: expiresAt + HOUR, attempts: 4 })
      assert.equal(rig.frontier.status().allUnreachable, true)
    },
    { settings: { ignoreRobots: false, retries: 3 } },
  )

  promise(
    'a host that fails too often in a row is given up until a later run',
    async (rig) => {
      await rig.seed('a.test/1', 'a.test/2')
      for (let failures = 1; failures <= 5; failures++) {
        assert.equal(rig.frontier.status().allUnreachable, false)
        const [lease] = await rig.frontier.lease(1)
        rig.frontier.requestSent(lease!)
        rig.frontier.requestEnded(lease!, { ok: false, restMs: 1000 })
        const retryAt = rig.clock.now() + 1000
        await rig.frontier.settle([
          { lease: lease!, outcome: 'failed', reason: 'connect', retryAt },
        ])
        rig.clock.advance(1000)
      }
      assert.equal(rig.frontier.status().allUnreachable, true)
      assert.equal(await rig.frontier.refuseUnreachable(), 2)
      assert.deepEqual(await rig.states(), {
        'a.test/1': 'refused: host-unreachable',
        'a.test/2': 'refused: host-unreachable',
      })
      await rig.restart()
      assert.equal(rig.frontier.counts().queued, 2)
      assert.equal(rig.frontier.status().allUnreachable, false)
    },
    { settings: { ignoreRobots: true, retries: 0 } },
  )

  promise(
    'a host that answered before is waited for as long as patience lasts, however often it fails',
    async (rig) => {
      await rig.seed('a.test/0', 'a.test/1')
      await rig.store()
      for (let failures = 1; failures <= 10; failures++) {
        rig.wait()
        assert.equal(rig.frontier.status().allUnreachable, false)
        const [lease] = await rig.frontier.lease(1)
        assert.equal(lease!.hostAnswered, true)
        assert.equal(lease!.hostDownMs, (failures - 1) * 10_000)
        assert.equal(lease!.tries, 1)
        rig.frontier.requestSent(lease!)
        rig.frontier.requestEnded(lease!, {
          ok: false,
          trouble: 'connect: ECONNREFUSED',
          restMs: 10_000,
        })
        const retryAt = rig.clock.now() + 1000
        const failed = { lease: lease!, outcome: 'failed', reason: 'connect', retryAt } as const
        await rig.frontier.settle([{ ...failed, uncounted: true }])
        rig.clock.advance(10_000)
      }
      // An outlook is as of the last call.
      await rig.frontier.lease(0)
      assert.equal(rig.frontier.status().allUnreachable, true)
      assert.equal(await rig.frontier.refuseUnreachable(), 1)
      await using urlStates = await rig.urlStates()
      assert.deepEqual(await urlStates.unreached([]), [{ host: 'a.test', urls: 1 }])
      await rig.restart()
      assert.deepEqual(await (await rig.urlStates()).unreached([]), [])
      rig.wait()
      assert.equal((await rig.visitNext()).hostAnswered, true)
    },
    { settings: { ignoreRobots: true, retries: 0, hostPatienceMs: 100_000, delayMs: 0 } },
  )

  promise(
    'a host that never answered is missed only where it is a seed’s',
    async (rig) => {
      await rig.seed('a.test/1')
      for (let failures = 1; failures <= 5; failures++) {
        rig.clock.advance(1000)
        const [lease] = await rig.frontier.lease(1)
        rig.frontier.requestSent(lease!)
        rig.frontier.requestEnded(lease!, { ok: false, trouble: 'dns: ENOTFOUND' })
        const retryAt = rig.clock.now() + 1
        await rig.frontier.settle([{ lease: lease!, outcome: 'failed', reason: 'dns', retryAt }])
      }
      rig.clock.advance(1000)
      await rig.frontier.lease(0)
      assert.equal(rig.frontier.status().allUnreachable, true)
      assert.equal(await rig.frontier.refuseUnreachable(), 1)
      await using urlStates = await rig.urlStates()
      assert.deepEqual(await urlStates.unreached(['b.test']), [])
      assert.deepEqual(await urlStates.unreached(['a.test']), [{ host: 'a.test', urls: 1 }])
    },
    { settings: { ignoreRobots: true, retries: 0 } },
  )

  promise(
    'a host that is silent is no robots.txt that is not given out',
    async (rig) => {
      await rig.seed('a.test/1')
      const [lease] = await rig.frontier.lease(1)
      rig.frontier.requestSent(lease!)
      rig.frontier.requestEnded(lease!, { ok: false, trouble: 'connect: ECONNREFUSED' })
      const record = rig.robotsRecord('http://a.test', { status: 'unreachable', attempts: 4 })
      await rig.frontier.saveRobots(lease!, record)
      await rig.frontier.refuseUnreachable()
      assert.deepEqual(await rig.states(), { 'a.test/1': 'refused: host-unreachable' })
    },
    { settings: { ignoreRobots: false, retries: 3 } },
  )

  promise(
    'a host that is down takes both its origins along, however rarely one of them was asked',
    async (rig) => {
      await rig.seed('http://a.test/1', 'https://a.test/1')
      for (let failures = 1; failures <= 5; failures++) {
        rig.wait()
        const [lease] = await rig.frontier.lease(1)
        rig.frontier.requestSent(lease!)
        rig.frontier.requestEnded(lease!, { ok: false, restMs: 1000 })
        const origin = lease!.url.replace('/robots.txt', '')
        const expiresAt = rig.clock.now() + (failures === 1 ? HOUR / 60 : 1000)
        const record = { status: 'unreachable', expiresAt, attempts: 1 } as const
        await rig.frontier.saveRobots(lease!, rig.robotsRecord(origin, record))
      }
      assert.equal(rig.frontier.status().allUnreachable, true)
      assert.equal(await rig.frontier.refuseUnreachable(), 2)
    },
    { settings: { ignoreRobots: false, retries: 3 } },
  )

  promise(
    'while anything else waits, not all is behind the unreachable',
    async (rig) => {
      await rig.seed('a.test/1', 'b.test/1')
      await answerRobots(rig, { status: 'unreachable', expiresAt: rig.clock.now() + HOUR })
      assert.equal(rig.frontier.status().allUnreachable, false)
      await answerRobots(rig)
      assert.equal(rig.frontier.status().allUnreachable, false)
      await rig.store()
      assert.equal(rig.frontier.status().allUnreachable, true)
    },
    obedient,
  )

  promise(
    'what waits behind an unreachable robots.txt can be given up',
    async (rig) => {
      await rig.seed('a.test/1', 'a.test/2')
      await answerRobots(rig, { status: 'unreachable', expiresAt: rig.clock.now() + HOUR })
      assert.equal(await rig.frontier.refuseUnreachable(), 2)
      assert.deepEqual(await rig.states(), {
        'a.test/1': 'refused: robots-unreachable',
        'a.test/2': 'refused: robots-unreachable',
      })
      assert.deepEqual(rig.frontier.status(), {
        ...{ unsettled: 0, heldByOthers: 0, readyAt: null, allUnreachable: false },
        ...{ revisits: 0, revisiting: 0 },
      })
      assert.equal(rig.frontier.counts().refused, 2)
    },
    obedient,
  )

  promise(
    'what is given up waits for no retry either',
    async (rig) => {
      await rig.seed('a.test/1')
      await answerRobots(rig, { expiresAt: rig.clock.now() + 2000 })
      const lease = await rig.visitNext()
      const retryAt = rig.clock.now() + 5 * HOUR
      await rig.seed('a.test/2')
      await rig.frontier.settle([{ lease, outcome: 'failed', reason: 'connect', retryAt }])
      rig.clock.advance(2000)
      await answerRobots(rig, { status: 'unreachable', expiresAt: rig.clock.now() + HOUR })
      assert.equal(rig.frontier.status().allUnreachable, true)
      assert.equal(await rig.frontier.refuseUnreachable(), 2)
      assert.equal(rig.frontier.status().readyAt, null)
      await rig.restart()
      assert.equal(rig.frontier.counts().queued, 2)
    },
    obedient,
  )

  promise(
    'a later run tries again what was given up',
    async (rig) => {
      await rig.seed('a.test/1')
      await answerRobots(rig, { status: 'unreachable', expiresAt: rig.clock.now() + HOUR })
      await rig.frontier.refuseUnreachable()
      await rig.restart()
      assert.deepEqual(rig.frontier.counts().queued, 1)
      assert.equal(await rig.frontier.robots('http://a.test'), null)
      await answerRobots(rig)
      assert.equal((await rig.visitNext()).url, 'http://a.test/1')
    },
    obedient,
  )

  promise('a crawl that ignores robots.txt never asks for it', async (rig) => {
    await rig.seed('a.test/1')
    assert.equal((await rig.visit()).kind, 'page')
  })
}
