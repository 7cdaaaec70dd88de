import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CanonicalUrl } from '../core/url.ts'
import type { Lease } from '../frontier/frontier.ts'
import type { Fetched } from '../http/fetcher.ts'
import { ManualClock } from '../lib/clock.ts'
import { HostTrouble, NetworkWatch } from './host-trouble.ts'

const status = (code: number, retryAfter: string | null = null) =>
  ({ outcome: 'response', status: code, headers: { retryAfter } }) as Fetched
const failure = (reason: string) =>
  ({ outcome: 'failed', reason, transient: true, hostFault: true }) as Fetched

function leaseOf(path: string, hostAnswered = true): Lease {
  return {
    ...{ kind: 'page', id: 1, token: 1, url: `http://a.test/${path}` as CanonicalUrl },
    ...{ host: 'a.test', depth: 0, hops: 0, tries: 1, delayMs: 0 },
    ...{ hostFailures: 0, hostDownMs: 0, hostAnswered },
  }
}

const OF_HOST: readonly Fetched[] = [
  failure('connect: ECONNREFUSED'),
  failure('connect: ENETUNREACH'),
  failure('dns: EAI_AGAIN'),
  failure('timeout-connect: 10 s'),
  status(429),
  status(503, '5'),
]
const OF_EITHER: readonly Fetched[] = [
  failure('connect: ECONNRESET'),
  failure('timeout-headers: 20 s'),
  status(502),
  status(503),
]

test('no way to a host that answered before is the fault of no URL', () => {
  for (const fetched of OF_HOST) assert.equal(new HostTrouble().note(leaseOf('1'), fetched), true)
})

test('what one URL alone meets may be its own fault, what several meet in a row is not', () => {
  for (const fetched of OF_EITHER) {
    const trouble = new HostTrouble()
    assert.equal(trouble.note(leaseOf('1'), fetched), false)
    assert.equal(trouble.note(leaseOf('1'), fetched), false)
    assert.equal(trouble.note(leaseOf('2'), fetched), true)
    assert.equal(trouble.note(leaseOf('1'), fetched), true)
    trouble.note(leaseOf('3'), status(200))
    assert.equal(trouble.note(leaseOf('1'), fetched), false)
  }
})

test('the URLs of a host that never answered have their tries and no more', () => {
  for (const fetched of [...OF_HOST, ...OF_EITHER]) {
    const trouble = new HostTrouble()
    assert.equal(trouble.note(leaseOf('1', false), fetched), false)
    assert.equal(trouble.note(leaseOf('2', false), fetched), false)
  }
})

test('a URL that asks for rest for ever loses its tries where its host answers others', () => {
  for (const fetched of [status(429, '1'), status(503, '5')]) {
    const trouble = new HostTrouble()
    const notes = Array.from({ length: 10 }, () => {
      trouble.note(leaseOf('fine'), status(200))
      return trouble.note(leaseOf('busy'), fetched)
    })
    assert.deepEqual(notes, [true, true, true, true, ...new Array(6).fill(false)])
  }
})

test('a URL that asks for rest for ever loses its tries where it is the only one left', () => {
  const trouble = new HostTrouble()
  const notes = Array.from({ length: 6 }, () => trouble.note(leaseOf('busy'), status(429)))
  assert.deepEqual(notes, [true, true, true, true, false, false])
})

test('while all URLs of a host are asked to wait, none of them loses a try', () => {
  const trouble = new HostTrouble()
  for (let time = 0; time < 50; time++) {
    for (const path of ['1', '2', '3']) {
      assert.equal(trouble.note(leaseOf(path), status(429, '1')), true)
    }
  }
})

test('no way to a host costs no try, however often, also where one URL alone is left', () => {
  const trouble = new HostTrouble()
  for (let time = 0; time < 50; time++) {
    assert.equal(trouble.note(leaseOf('1'), failure('connect: ECONNREFUSED')), true)
  }
})

const answer = { outcome: 'response', status: 404 } as Fetched
const lost = (reason: string) =>
  ({ outcome: 'failed', reason, transient: true, hostFault: true }) as Fetched
const DOWN = lost('connect: ENETUNREACH')

function watching(...hosts: readonly string[]) {
  const clock = new ManualClock()
  const watch = new NetworkWatch(clock)
  const note = (host: string, fetched: Fetched) => watch.note({ host }, fetched)
  for (const host of hosts) note(host, answer)
  return { clock, watch, note }
}

test('when hosts that answered fail all at once, the network is away until one answers', () => {
  const { clock, watch, note } = watching('a', 'b', 'c', 'd')
  assert.equal(note('a', DOWN), false)
  assert.equal(note('b', lost('dns: EAI_AGAIN')), false)
  assert.equal(watch.awayMs, null)
  assert.equal(note('c', lost('timeout-connect: 10 s')), true)
  clock.advance(700)
  assert.equal(watch.awayMs, 700)
  assert.equal(note('never', DOWN), true)
  assert.equal(note('never', answer), false)
  assert.equal(watch.awayMs, null)
})

test('hosts that fail while others answer are down themselves', () => {
  const { watch, note } = watching('a', 'b', 'c', 'd')
  for (let round = 0; round < 5; round++) {
    for (const host of ['a', 'b']) assert.equal(note(host, DOWN), false)
    note('d', answer)
  }
  assert.equal(watch.awayMs, null)
})

test('one host alone, and hosts that never answered, say nothing about the network', () => {
  const alone = watching('a')
  for (let times = 0; times < 9; times++) assert.equal(alone.note('a', DOWN), false)
  const strangers = watching('a', 'b')
  for (const host of ['x', 'y', 'z']) assert.equal(strangers.note(host, DOWN), false)
  assert.equal(strangers.note('a', lost('timeout-headers: 20 s')), false)
})

test('while the network is away it is asked for ever more rarely, but within seconds', () => {
  const { clock, watch, note } = watching('a', 'b')
  note('a', DOWN)
  note('b', DOWN)
  const waits: number[] = []
  for (let probe = 0; probe < 6; probe++) {
    waits.push(watch.probeAt - clock.now())
    clock.advance(watch.probeAt - clock.now())
    note('a', DOWN)
  }
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 15_000, 15_000])
})

test('while it is away, hosts that have answered are asked before those that never did', () => {
  const { clock, watch, note } = watching('a', 'b')
  assert.equal(watch.waitMsFor('never'), 0)
  for (const host of ['a', 'b']) note(host, DOWN)
  assert.deepEqual([watch.waitMsFor('a'), watch.waitMsFor('b')], [0, 0])
  const waitMs = watch.waitMsFor('never')
  assert.ok(waitMs > watch.probeAt - clock.now())
  // Where none of them has anything left to ask for, another has to do.
  clock.advance(waitMs)
  assert.equal(watch.waitMsFor('never'), 0)
  note('never', DOWN)
  assert.ok(watch.waitMsFor('never') > 0)
  note('a', answer)
  assert.equal(watch.waitMsFor('never'), 0)
})
