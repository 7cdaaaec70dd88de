import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fetched } from '../http/fetcher.ts'
import { ManualClock } from '../lib/clock.ts'
import { NetworkWatch } from './network-watch.ts'

const answer = { outcome: 'response', status: 404 } as Fetched
const failure = (reason: string) =>
  ({ outcome: 'failed', reason, transient: true, hostFault: true }) as Fetched
const DOWN = failure('connect: ENETUNREACH')

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
  assert.equal(note('b', failure('dns: EAI_AGAIN')), false)
  assert.equal(watch.awayMs, null)
  assert.equal(note('c', failure('timeout-connect: 10 s')), true)
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
  assert.equal(strangers.note('a', failure('timeout-headers: 20 s')), false)
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
