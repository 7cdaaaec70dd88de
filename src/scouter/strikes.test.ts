import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Strikes } from './strikes.ts'

test('a page that the parser died on twice by itself has had enough', () => {
  const strikes = new Strikes()
  strikes.parserDied(false)
  assert.equal(strikes.strike(1), false)
  assert.equal(strikes.strike(1), true)
})

test('a kill from outside accuses less: it takes three', () => {
  const strikes = new Strikes()
  strikes.parserDied(true)
  assert.deepEqual([strikes.strike(1), strikes.strike(1), strikes.strike(1)], [false, false, true])
})

test('a page that was stored after all starts with a clean slate', () => {
  const strikes = new Strikes()
  strikes.parserDied(false)
  strikes.strike(1)
  strikes.forget(1)
  assert.equal(strikes.strike(1), false)
})
