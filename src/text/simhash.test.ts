import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachShingle } from './shingles.ts'
import { hammingDistance, simhash } from './simhash.ts'

/** A text of words drawn from a vocabulary by a seed. */
function textOf(seed: number, words: number): string[] {
  let state = seed
  return Array.from({ length: words }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return `word${(state >>> 12) % 2000}`
  })
}

test('equal texts have equal fingerprints, whatever their case and punctuation', () => {
  const text = textOf(1, 300).join(' ')
  assert.deepEqual(simhash(text), simhash(text))
  assert.deepEqual(simhash(text), simhash(text.toUpperCase().replaceAll(' ', ', ')))
})

test('texts that differ in a few words are near, unrelated ones are far', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const words = textOf(seed, 600)
    const original = simhash(words.join(' '))
    const edited = simhash(words.with(100, 'new').with(400, 'other').join(' '))
    assert.ok(hammingDistance(original, edited) <= 8, `seed ${seed}`)
    const unrelated = simhash(textOf(seed + 100, 600).join(' '))
    assert.ok(hammingDistance(original, unrelated) >= 14, `seed ${seed}`)
  }
})

test('the order of words counts', () => {
  const words = textOf(5, 400)
  const turned = words.toReversed().join(' ')
  assert.ok(hammingDistance(simhash(words.join(' ')), simhash(turned)) >= 14)
})

test('each bit is as the majority of shingles has it', () => {
  const text = textOf(9, 700).join(' ')
  const ones = new Array<number>(64).fill(0)
  let count = 0
  eachShingle(text, (hi, lo) => {
    count++
    for (let bit = 0; bit < 32; bit++) {
      ones[bit]! += (lo >>> bit) & 1
      ones[bit + 32]! += (hi >>> bit) & 1
    }
  })
  assert.equal(count, 697)
  const { hi, lo } = simhash(text)
  for (let bit = 0; bit < 64; bit++) {
    const set = ((bit < 32 ? lo : hi) >>> (bit & 31)) & 1
    assert.equal(set === 1, ones[bit]! * 2 > count)
  }
})

test('a text shorter than a shingle has one, an empty one none', () => {
  assert.notDeepEqual(simhash('one two'), simhash('one three'))
  assert.deepEqual(simhash(''), { hi: 0, lo: 0 })
  assert.deepEqual(simhash('...'), { hi: 0, lo: 0 })
})

test('distance counts the bits that differ', () => {
  assert.equal(hammingDistance({ hi: 0, lo: 0 }, { hi: 0xffffffff, lo: 0xffffffff }), 64)
  assert.equal(hammingDistance({ hi: 5, lo: 1 }, { hi: 4, lo: 0x80000000 }), 3)
})

test('hostile texts end', () => {
  for (const text of [
    'x'.repeat(5_000_000),
    'a '.repeat(1_000_000),
    '\ud800'.repeat(100_000),
    '\0',
  ]) {
    const { hi, lo } = simhash(text)
    assert.ok(hi >= 0 && lo >= 0)
  }
})
