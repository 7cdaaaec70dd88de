import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../lib/clock.ts'
import { AddressLimit, type AddressPlace } from './address-limit.ts'

const leave = (place: AddressPlace): void => (place.leave ?? assert.fail('no place'))()

test('never more requests at one address than allowed, at others as many besides', () => {
  const limit = new AddressLimit(2, new ManualClock())
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
  const limit = new AddressLimit(1, clock)
  const rest = (): number => {
    const place = limit.take(['1.1.1.1'])
    return place.leave === null ? place.restMs : assert.fail('there was a place')
  }
  const busy = limit.take(['1.1.1.1'])
  assert.deepEqual([rest(), rest(), rest()], [250, 500, 750])
  clock.advance(500)
  leave(busy)
  limit.take(['1.1.1.1'])
  assert.equal(rest(), 250 + 325, 'behind those told before')
  for (let told = 0; told < 200; told++) rest()
  assert.equal(rest(), 30_000, 'never longer than this')
})

test('without a limit nobody waits', () => {
  const limit = new AddressLimit(null, new ManualClock())
  for (let n = 0; n < 100; n++) assert.notEqual(limit.take(['1.1.1.1']).leave, null)
})
