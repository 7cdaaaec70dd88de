import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../lib/clock.ts'
import { AddressLimit, type AddressSlot } from './address-limit.ts'

const leave = (place: AddressSlot): void => (place.leave ?? assert.fail('no place'))()

function restOf(place: AddressSlot): number {
  return place.leave === null ? place.restMs : assert.fail('there was a place')
}

function start(place: AddressSlot): void {
  if (place.leave === null) assert.fail('no place')
  else place.started()
}

test('never more requests at one address than allowed, at others as many besides', () => {
  const limit = new AddressLimit({ limit: 2, delayMs: 0, clock: new ManualClock() })
  const [first, second] = [limit.take(['1.1.1.1']), limit.take(['1.1.1.1'])]
  assert.equal(limit.take(['1.1.1.1']).leave, null)
  assert.equal(limit.take(['2.2.2.2', '1.1.1.1']).leave, null, 'one of its addresses is full')
  assert.notEqual(limit.take(['2.2.2.2']).leave, null)
  leave(first)
  assert.notEqual(limit.take(['1.1.1.1', '2.2.2.2']).leave, null)
  assert.equal(limit.take(['2.2.2.2']).leave, null, 'a place was taken at both')
  leave(second)
})

test('those who find no place are told different times, by how long requests take', () => {
  const clock = new ManualClock()
  const limit = new AddressLimit({ limit: 1, delayMs: 0, clock })
  const rest = (): number => restOf(limit.take(['1.1.1.1']))
  const busy = limit.take(['1.1.1.1'])
  assert.deepEqual([rest(), rest(), rest()], [50, 300, 550])
  clock.advance(500)
  leave(busy)
  limit.take(['1.1.1.1'])
  assert.equal(rest(), 50 + 325, 'behind those told before')
  for (let told = 0; told < 200; told++) rest()
  assert.equal(rest(), 30_000, 'never longer than this')
})

test('in the time of a delay as many requests go out as may be in flight', () => {
  const clock = new ManualClock()
  const limit = new AddressLimit({ limit: 2, delayMs: 1000, clock })
  const first = limit.take(['1.1.1.1'])
  assert.equal(limit.take(['1.1.1.1']).leave, null, 'the first has not gone out')
  clock.advance(100)
  start(first)
  assert.equal(restOf(limit.take(['1.1.1.1'])), 500)
  clock.advance(499)
  assert.equal(limit.take(['1.1.1.1']).leave, null)
  clock.advance(1)
  const second = limit.take(['1.1.1.1'])
  start(second)
  clock.advance(500)
  assert.equal(limit.take(['1.1.1.1']).leave, null, 'two are in flight')
  leave(first)
  const third = limit.take(['1.1.1.1'])
  leave(third)
  assert.notEqual(limit.take(['1.1.1.1']).leave, null, 'what did not go out keeps nobody waiting')
})

test('without a limit nobody waits', () => {
  const limit = new AddressLimit({ limit: null, delayMs: 1000, clock: new ManualClock() })
  for (let n = 0; n < 100; n++) assert.notEqual(limit.take(['1.1.1.1']).leave, null)
})
