import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { limiterStorageContract } from '../../../test/contract/limiter-storage.contract.ts'
import { MemoryLimiterStorage, sharedTime } from '../../../test/support/memory-limiter-storage.ts'
import { ManualClock } from '../../lib/clock.ts'
import type { HostLimiter, SlotAnswer } from '../host-limiter.ts'
import { emptyLine, startIn } from '../host-limiter-rules.ts'
import { Membership } from './membership.ts'
import { endMembersOf } from './queue-rows.ts'
import { openSharedHostLimiter } from './shared-host-limiter.ts'

const FOR_EVER_MS = 1e12
const WANTED = { delayMs: 1000, perHost: 1, forMs: 30_000 }

class Rig implements AsyncDisposable {
  readonly clock = new ManualClock()
  readonly storage = new MemoryLimiterStorage(() => this.clock.now())
  readonly #began = this.clock.now()
  readonly #open: HostLimiter[] = []

  async crawl(holder: string, leaseMs = FOR_EVER_MS): Promise<HostLimiter> {
    const { clock, storage } = this
    const limiter = await openSharedHostLimiter({
      ...{ storage, clock, holder, leaseMs, time: sharedTime(clock) },
      ...{ beatMs: 2, loneNewsMs: 0 },
    })
    this.#open.push(limiter)
    return limiter
  }

  /** When it may go, in ms since the test began; 'now': it may. */
  async ask(limiter: HostLimiter, host = 'a.test'): Promise<number | 'now'> {
    const answer = await this.#answered(limiter.ask(host, WANTED))
    if (answer.slot === null) return answer.askAgainAt - this.#began
    answer.slot.requestSent()
    answer.slot.done()
    return 'now'
  }

  /** A wait that is passed inside lets the clock run. */
  async #answered(asked: Promise<SlotAnswer>): Promise<SlotAnswer> {
    let isAnswered = false
    void asked.finally(() => {
      isAnswered = true
    })
    for (let looks = 0; !isAnswered; looks++) {
      await pause(1)
      if (looks > 20) this.clock.advance(1)
    }
    return asked
  }

  /** Until others know what was told. */
  async told(limiter: HostLimiter): Promise<void> {
    await limiter.ask('elsewhere.test', { ...WANTED, delayMs: 0, perHost: 1000 })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const limiter of this.#open) await limiter[Symbol.asyncDispose]()
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(1)
}

limiterStorageContract('memory', async (now = () => Date.now()) => {
  return Object.assign(new MemoryLimiterStorage(now), { [Symbol.asyncDispose]: async () => {} })
})

test('a crawl that is alone exchanges nothing with the storage for a request', async () => {
  await using rig = new Rig()
  const [one, same] = [await rig.crawl('crawl 1 a'), await rig.crawl('crawl 1 b')]
  for (let nth = 0; nth < 100; nth++) {
    assert.equal(await rig.ask(nth % 2 === 0 ? one : same, `host-${nth}.test`), 'now')
  }
  const { report = 0, ...other } = rig.storage.calls
  assert.ok(report > 0)
  assert.deepEqual(other, {})
})

test('a crawl that comes learns what the one before did alone', async () => {
  await using rig = new Rig()
  const one = await rig.crawl('crawl 1 a')
  assert.equal(await rig.ask(one), 'now')
  rig.clock.advance(400)
  const two = await rig.crawl('crawl 2 b')
  assert.equal(await rig.ask(two), 1000)
  assert.equal(await rig.ask(two, 'b.test'), 'now')
})

test('a request under way of one that was alone counts when another crawl comes', async () => {
  await using rig = new Rig()
  const one = await rig.crawl('crawl 1 a')
  const { slot } = await one.ask('a.test', WANTED)
  slot?.requestSent()
  rig.clock.advance(5000)
  const two = await rig.crawl('crawl 2 b')
  assert.notEqual(await rig.ask(two), 'now')
  slot?.done()
  await rig.told(one)
  assert.equal(await rig.ask(two), 'now')
})

test('after one that was alone died, others wait until that is known, and then a full delay at every host', async () => {
  await using rig = new Rig()
  const dead = { name: 'crawl 1 a', crawl: 'crawl 1', shares: false, isGone: false, silentSince: 0 }
  await rig.storage.report(dead, 15_000)
  const opening = rig.crawl('crawl 2 b', 15_000)
  await until(() => (rig.storage.calls.report ?? 0) > 2)
  rig.clock.advance(15_000)
  const two = await opening
  assert.equal(await rig.ask(two), 16_000)
  rig.clock.advance(1000)
  assert.equal(await rig.ask(two), 'now')
})

test('the slots of one that died in company end when it counts as dead', async () => {
  await using rig = new Rig()
  const two = await rig.crawl('crawl 2 b')
  const dead = { name: 'crawl 1 a', crawl: 'crawl 1', shares: true, isGone: false, silentSince: 0 }
  await rig.storage.report(dead, 15_000)
  const queue = emptyLine()
  queue.shares.push({
    ...{ holder: 'crawl 1 a', asked: 0, askedUntil: 0, delayMs: 1000, perHost: 1 },
    ...{ inFlight: 1, unstarted: 0, busyUntil: rig.clock.now() + 1_000_000 },
  })
  const row = { host: 'a.test', version: 1, usedAt: rig.clock.now(), queue }
  await rig.storage.write([{ ...row, previous: 0 }])
  const before = rig.storage.calls.report ?? 0
  await until(() => (rig.storage.calls.report ?? 0) > before + 2)
  assert.notEqual(await rig.ask(two), 'now')
  rig.clock.advance(15_000)
  let answer = await rig.ask(two)
  while (answer !== 'now') {
    await pause(1)
    rig.clock.advance(10)
    answer = await rig.ask(two)
  }
})

test('when the last other crawl has gone, requests cost nothing again', async () => {
  await using rig = new Rig()
  const one = await rig.crawl('crawl 1 a')
  {
    await using two = await rig.crawl('crawl 2 b')
    assert.equal(await rig.ask(two), 'now')
    await rig.told(two)
    rig.clock.advance(10)
    assert.equal(await rig.ask(one), 1000)
  }
  await until(() => rig.storage.members.get('crawl 1 a')?.shares === false)
  const before = rig.storage.calls.write
  assert.equal(await rig.ask(one), 1000)
  rig.clock.advance(1000)
  assert.equal(await rig.ask(one), 'now')
  assert.equal(rig.storage.calls.write, before)
})

test('a rest is written even by one that is alone', async () => {
  await using rig = new Rig()
  const one = await rig.crawl('crawl 1 a')
  one.rest('a.test', 60_000, 'http-503')
  await until(() => rig.storage.queueOf('a.test') !== undefined)
  assert.deepEqual(await one.ask('a.test', WANTED), {
    ...{ slot: null, askAgainAt: rig.clock.now() + 60_000, trouble: 'http-503' },
  })
})

test('when the server has lost all rows, every host is left alone for a full delay', async () => {
  await using rig = new Rig()
  const [one, two] = [await rig.crawl('crawl 1 a'), await rig.crawl('crawl 2 b')]
  rig.clock.advance(10_000)
  rig.storage.lose()
  await until(() => rig.storage.members.size === 2)
  assert.deepEqual([await rig.ask(one), await rig.ask(two, 'b.test')], [11_000, 11_000])
})

test('a change is rebuilt when another process was faster', async () => {
  await using rig = new Rig()
  const [one] = [await rig.crawl('crawl 1 a'), await rig.crawl('crawl 2 b')]
  rig.storage.beforeWrite = () => {
    rig.storage.beforeWrite = () => {}
    const queue = emptyLine()
    startIn(queue, 'crawl 2 b', rig.clock.now(), rig.clock.now())
    rig.storage.rows.set('a.test', { host: 'a.test', version: 7, usedAt: rig.clock.now(), queue })
  }
  assert.equal(await rig.ask(one), 1000)
})

test('a row that was written without an answer counts once', async () => {
  await using rig = new Rig()
  const [one] = [await rig.crawl('crawl 1 a'), await rig.crawl('crawl 2 b')]
  rig.storage.losesAnswers = true
  assert.ok((await one.ask('a.test', WANTED)).slot)
  rig.storage.losesAnswers = false
  assert.equal(rig.storage.queueOf('a.test')?.shares[0]?.inFlight, 1)
})

test('processes of a crawl that are known to be dead leave nothing behind', async () => {
  await using rig = new Rig()
  const [dead, other] = [await rig.crawl('crawl 1 a'), await rig.crawl('crawl 2 b')]
  assert.ok((await dead.ask('a.test', { ...WANTED, forMs: 1_000_000 })).slot)
  await endMembersOf(rig.storage, 'crawl 1')
  rig.clock.advance(1000)
  assert.equal(await rig.ask(other), 'now')
})

test('a report counts for a part of the time after which others take its writer for dead', async () => {
  const clock = new ManualClock()
  const storage = new MemoryLimiterStorage(() => clock.now())
  const options = { storage, time: sharedTime(clock), name: 'crawl 1 a', crawl: 'crawl 1' }
  const [late, inTime] = [0, 60_000].map((leaseMs) => new Membership({ ...options, leaseMs }))
  await late?.report(false)
  await inTime?.report(false)
  assert.deepEqual([late?.isReady, inTime?.isReady], [false, true])
})

test('of two that come at the same time, one waits until the other knows of it', async () => {
  await using rig = new Rig()
  const [one, two] = await Promise.all([rig.crawl('crawl 1 a'), rig.crawl('crawl 2 b')])
  assert.equal(await rig.ask(one), 'now')
  await rig.told(one)
  assert.equal(await rig.ask(two), 1000)
})

test('a delay longer than is remembered asks the rows', async () => {
  await using rig = new Rig()
  {
    await using gone = await rig.crawl('crawl 1 a')
    assert.equal(await rig.ask(gone), 'now')
  }
  rig.clock.advance(90_000)
  const two = await rig.crawl('crawl 2 b')
  assert.equal(await rig.ask(two, 'b.test'), 'now')
  const answer = await two.ask('a.test', { ...WANTED, delayMs: 120_000 })
  assert.ok(answer.slot === null)
  assert.equal(answer.askAgainAt - rig.clock.now(), 30_000)
})
