import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rate } from './rate.ts'

test('a rate is that of the last while, not of all time', () => {
  const rate = new Rate(10_000)
  assert.equal(rate.perSecond(0, 0), 0)
  assert.equal(rate.perSecond(50, 5000), 10)
  assert.equal(rate.perSecond(100, 10_000), 10)
  assert.equal(rate.perSecond(100, 20_000), 0)
  assert.equal(rate.perSecond(300, 30_000), 20)
})

test('a rate counts from where it began', () => {
  const rate = new Rate(10_000)
  rate.perSecond(1000, 0)
  assert.equal(rate.perSecond(1010, 1000), 10)
})
