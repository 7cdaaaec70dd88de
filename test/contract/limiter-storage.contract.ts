// What the rows of the host limiter promise, and the limiter over them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../src/lib/clock.ts'
import { emptyLine, type HostQueue } from '../../src/scouter/host-limiter-rules.ts'
import { openSharedHostLimiter } from '../../src/scouter/limiter/shared-host-limiter.ts'
import type { LimiterStorage, Member } from '../../src/scouter/limiter/storage.ts'
import { sharedTime } from '../support/memory-limiter-storage.ts'
import { hostLimiterContract } from './host-limiter.contract.ts'

/** `now`: left out, time is the server's. Disposed of, its rows are gone. */
export type OpenLimiterStorage = (now?: () => number) => Promise<LimiterStorage & AsyncDisposable>

const FOR_EVER_MS = 1e12

function member(name: string, said: Partial<Member> = {}): Member {
  const [crawl = name] = name.split('/')
  return { name, crawl, shares: true, isGone: false, silentSince: 0, ...said }
}

function queueOf(said: Partial<HostQueue>): HostQueue {
  return { ...emptyLine(), ...said }
}

export function limiterStorageContract(name: string, open: OpenLimiterStorage): void {
  const promise = (
    title: string,
    body: (storage: LimiterStorage, clock: ManualClock) => Promise<void>,
  ) =>
    test(`${name}: ${title}`, async () => {
      const clock = new ManualClock()
      await using storage = await open(() => clock.now())
      await body(storage, clock)
    })

  promise(
    'who reports sees members of other crawls, with what they said last',
    async (rows, clock) => {
      const now = clock.now()
      await rows.report(member('one/a', { shares: false }), 1000)
      await rows.report(member('two/b'), 2000)
      clock.advance(10)
      const { others, wasKnown, ...told } = await rows.report(
        member('one/a', { silentSince: 7 }),
        500,
      )
      assert.deepEqual([told.now, wasKnown], [now + 10, true])
      assert.deepEqual(others, [{ ...member('two/b'), at: now, until: now + 2000 }])
      const newcomer = await rows.report(member('two/c'), 1000)
      assert.equal(newcomer.wasKnown, false)
      const seen = { ...member('one/a', { silentSince: 7 }), at: now + 10, until: now + 510 }
      assert.deepEqual(newcomer.others, [seen])
    },
  )

  promise(
    'members that are known to be dead are gone, and since when they were silent',
    async (rows, clock) => {
      await rows.report(member('one/a', { shares: false }), FOR_EVER_MS)
      await rows.report(member('one/b', { silentSince: 7 }), FOR_EVER_MS)
      await rows.report(member('two/c'), FOR_EVER_MS)
      assert.deepEqual([...(await rows.membersOf('one'))].sort(), ['one/a', 'one/b'])
      clock.advance(10)
      const ended = { now: clock.now(), ended: 2 }
      assert.deepEqual(await rows.end(['one/a', 'one/b', 'unknown']), ended)
      assert.deepEqual(await rows.membersOf('one'), [])
      assert.deepEqual(await rows.end(['one/a']), { ...ended, ended: 0 })
      const { others } = await rows.report(member('two/c'), FOR_EVER_MS)
      const said = others.map(({ name: who, isGone, until, silentSince }) => {
        return [who, isGone, until, silentSince]
      })
      const now = clock.now()
      assert.deepEqual(said.sort(), [
        ['one/a', true, now, now],
        ['one/b', true, now, 7],
      ])
      // One of the same name that comes back does not hide it.
      await rows.report(member('one/a'), FOR_EVER_MS)
      const again = await rows.report(member('two/c'), FOR_EVER_MS)
      assert.equal(again.others.find((other) => other.name === 'one/a')?.silentSince, now)
    },
  )

  promise('a row is written only over the version that its writer has read', async (rows) => {
    const queue = queueOf({ lastStart: 3, startedBy: 'one "x" \\', trouble: 'http-503' })
    const row = { host: 'a.test', version: 5, usedAt: 9, queue }
    assert.deepEqual(await rows.read(['a.test']), [])
    assert.deepEqual(await rows.write([{ ...row, previous: 0 }]), new Set(['a.test']))
    assert.deepEqual(await rows.read(['a.test', 'b.test']), [row])
    const other = { ...row, host: 'b.test' }
    const late = await rows.write([
      { ...row, version: 6, previous: 4 },
      { ...other, previous: 0 },
    ])
    assert.deepEqual(late, new Set(['b.test']))
    const next = { ...row, version: 2 ** 52, usedAt: 10 }
    assert.deepEqual(await rows.write([{ ...next, previous: 5 }]), new Set(['a.test']))
    assert.deepEqual(await rows.read(['a.test']), [next])
  })

  promise(
    'rows used lately are found, and those of hosts that rest; others are removed',
    async (rows) => {
      const row = (host: string, usedAt: number, restsUntil = 0) => {
        return { host, version: 1, previous: 0, usedAt, queue: queueOf({ restsUntil }) }
      }
      await rows.write([
        row('new', 100),
        row('old', 50),
        row('resting', 50, 1000),
        row('rested', 50, 60),
      ])
      const hosts = (found: readonly { readonly host: string }[]) =>
        found.map(({ host }) => host).sort()
      assert.deepEqual(hosts(await rows.readRecent(90, 100)), ['new', 'resting'])
      await rows.purge({ hosts: 90, members: 0 })
      assert.deepEqual(hosts(await rows.read(['new', 'old', 'resting', 'rested'])), [
        'new',
        'resting',
      ])
    },
  )

  promise('members that have been dead for long are removed', async (rows, clock) => {
    await rows.report(member('one/a'), 1000)
    await rows.report(member('one/b'), 3000)
    clock.advance(4000)
    await rows.purge({ hosts: 0, members: clock.now() - 2000 })
    const { others } = await rows.report(member('two/c'), 1000)
    assert.deepEqual(
      others.map((other) => other.name),
      ['one/b'],
    )
  })

  promise('the hosts of some members are found by their exact names', async (rows) => {
    const share = { asked: 0, askedUntil: 0, delayMs: 0, perHost: 1 }
    const held = { ...share, inFlight: 1, unstarted: 0, busyUntil: 5 }
    const row = (host: string, ...holders: readonly string[]) => {
      const queue = queueOf({ shares: holders.map((holder) => ({ holder, ...held })) })
      return { host, version: 1, previous: 0, usedAt: 1, queue }
    }
    await rows.write([row('a', 'crawl 1 x', 'crawl "2'), row('b', 'crawl 1 xy'), row('c')])
    assert.deepEqual(await rows.heldBy(['crawl 1 x']), ['a'])
    assert.deepEqual(await rows.heldBy(['crawl "2', 'crawl 1 xy']).then((all) => [...all].sort()), [
      'a',
      'b',
    ])
    assert.deepEqual(await rows.heldBy(['crawl 1']), [])
  })

  test(`${name}: time is the server’s unless a test has its own`, async () => {
    await using storage = await open()
    const { now } = await storage.report(member('one'), 1000)
    assert.ok(Math.abs(now - Date.now()) < 60_000)
  })

  hostLimiterContract(name, async () => {
    let busy = 0
    let opened: (LimiterStorage & AsyncDisposable) | null = null
    const counting = async <T>(answer: Promise<T>): Promise<T> => {
      busy++
      return answer.finally(() => busy--)
    }
    const counted = (storage: LimiterStorage): LimiterStorage => ({
      report: (...told) => counting(storage.report(...told)),
      membersOf: (crawl) => counting(storage.membersOf(crawl)),
      end: (names) => counting(storage.end(names)),
      heldBy: (names) => counting(storage.heldBy(names)),
      purge: (before) => counting(storage.purge(before)),
      read: (hosts) => counting(storage.read(hosts)),
      readRecent: (since, now) => counting(storage.readRecent(since, now)),
      write: (rows) => counting(storage.write(rows)),
    })
    return {
      open: async (holder, clock) => {
        opened ??= await open(() => clock.now())
        return openSharedHostLimiter({
          ...{ storage: counted(opened), holder, clock, leaseMs: FOR_EVER_MS },
          ...{ time: sharedTime(clock), beatMs: 5, loneNewsMs: 0 },
        })
      },
      isBusy: () => busy > 0,
      [Symbol.asyncDispose]: async () => opened?.[Symbol.asyncDispose](),
    }
  })
}
