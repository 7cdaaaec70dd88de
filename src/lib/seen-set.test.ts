import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SeenSet } from './seen-set.ts'

test('a key is claimed once and answers with its first number ever after', () => {
  const seen = new SeenSet()
  assert.equal(seen.claim(1, 2, 7), 0)
  assert.equal(seen.claim(1, 2, 8), 7)
  assert.equal(seen.get(1, 2), 7)
  assert.equal(seen.size, 1)
})

test('keys that differ in one lane only are different keys', () => {
  const seen = new SeenSet()
  seen.claim(0, 0, 1)
  seen.claim(1, 0, 2)
  seen.claim(0, 1, 3)
  assert.deepEqual([seen.get(0, 0), seen.get(1, 0), seen.get(0, 1), seen.get(1, 1)], [1, 2, 3, 0])
})

test('it agrees with a Map through growth and colliding low lanes', () => {
  const seen = new SeenSet()
  const truth = new Map<string, number>()
  let state = 12345
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state
  }
  for (let number = 1; number <= 20_000; number += 1) {
    const [hi, lo] = [next(), (next() & 0xff000) >>> 0]
    const before = truth.get(`${hi} ${lo}`) ?? 0
    assert.equal(seen.claim(hi, lo, number), before)
    if (before === 0) truth.set(`${hi} ${lo}`, number)
  }
  assert.equal(seen.size, truth.size)
  for (const [key, number] of truth) {
    const [hi, lo] = key.split(' ').map(Number)
    assert.equal(seen.get(hi!, lo!), number)
  }
})

test('numbers and lanes above 31 bits keep their value', () => {
  const seen = new SeenSet(10_000)
  seen.claim(0xffffffff, 0xfffffffe, 0xfffffffd)
  assert.equal(seen.get(0xffffffff, 0xfffffffe), 0xfffffffd)
})
