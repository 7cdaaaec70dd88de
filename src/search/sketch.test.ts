import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../lib/seeded-random.ts'
import { bandsOf, likeness, sketchOf } from './sketch.ts'

/** Words with hardly any repetition. */
function prose(seed: number, words: number): string[] {
  const random = seededRandom(seed)
  return Array.from({ length: words }, () => `w${Math.floor(random() * 1e6)}`)
}

const sketched = (words: readonly string[], title = '') => {
  const sketch = sketchOf(words.join(' '), title)
  assert.ok(sketch)
  return sketch
}

/** The share of runs of four words that both have. */
function shared(a: readonly string[], b: readonly string[]): number {
  const runs = (words: readonly string[]) =>
    new Set(words.slice(3).map((_, at) => words.slice(at, at + 4).join(' ')))
  const [one, other] = [runs(a), runs(b)]
  return one.intersection(other).size / one.union(other).size
}

test('the likeness of two sketches is about the share of runs that both texts have', () => {
  for (const [seed, changed] of [0, 3, 10, 30, 100].entries()) {
    const text = prose(seed, 600)
    const random = seededRandom(seed + 100)
    const other = [...text]
    for (let n = 0; n < changed; n++) other[Math.floor(random() * other.length)] = `x${n}`
    const like = likeness(sketched(text), sketched(other))
    assert.ok(Math.abs(like - shared(text, other)) < 0.12, `${changed}: ${like}`)
  }
  assert.ok(likeness(sketched(prose(1, 300)), sketched(prose(2, 300))) < 0.1)
})

test('texts that are nearly the same share a number, others none', () => {
  const common = (a: Uint8Array, b: Uint8Array) => bandsOf(a).filter((n) => bandsOf(b).includes(n))
  let [near, far] = [0, 0]
  for (let seed = 0; seed < 100; seed++) {
    const text = prose(seed, 400)
    const sketch = sketched(text)
    if (common(sketch, sketched([...text, 'read', 'more', 'here'])).length > 0) near++
    if (common(sketch, sketched(prose(seed + 1000, 400))).length > 0) far++
  }
  assert.deepEqual([near, far], [100, 0])
  for (const band of bandsOf(sketched(prose(1, 100)))) assert.ok(Number.isSafeInteger(band))
})

test('the same words in another order are another text', () => {
  const text = prose(5, 200)
  assert.ok(likeness(sketched(text), sketched(text.toReversed())) < 0.1)
})

test('short texts are alike only when they are the same, with the same title', () => {
  const text = prose(1, 19)
  assert.equal(likeness(sketched(text, 'a'), sketched(text, 'a')), 1)
  assert.equal(likeness(sketched(text, 'a'), sketched(text, 'b')), 0)
  assert.equal(likeness(sketched(text), sketched([...text.slice(1), 'x'])), 0)
  assert.equal(likeness(sketched(text), sketched([...text, 'x'])), 0)
  assert.equal(sketchOf('', 'a title'), null)
})

test('one word a hundred thousand times has a sketch, too', () => {
  const sketch = sketched(Array(100_000).fill('tea'))
  assert.equal(likeness(sketch, sketched(Array(500).fill('tea'))), 1)
})
