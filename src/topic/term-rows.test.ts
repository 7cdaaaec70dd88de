import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TermTable } from '../text/term-table.ts'
import { TermRows } from './term-rows.ts'

const [STAR, MOON, THE, OTHER] = [11, 12, 13, 14]

const rows = new TermRows({
  columns: {
    terms: Int32Array.of(STAR, MOON, THE),
    evidence: Float32Array.of(2, 1, -0.5),
    rarity: Float32Array.of(2, 2, 1),
    centre: Float32Array.of(3, 4, 0),
    pull: Float32Array.of(1.5, 0.5, 0),
    promise: Float32Array.of(0.25, 0.5, 0),
  },
  unknownRarity: 3,
  isStopWord: (term) => term === THE,
})

function counts(...pairs: (readonly [number, number])[]): TermTable {
  const table = new TermTable()
  for (const [term, count] of pairs) table.set(term, count)
  return table
}

test('one pass gives the sums that are computed by hand', () => {
  const sums = rows.sum(counts([STAR, 4], [THE, 9], [OTHER, 1]))
  const damped = 1 + Math.log(4)
  assert.equal(sums.words, 14)
  assert.equal(sums.roots, 2 + 3 + 1)
  // By roots: 2 · 2 + 3 · -0.5 + 0 for the unknown term.
  assert.equal(sums.evidence, 2.5)
  assert.equal(sums.rootPull, 3)
  assert.equal(sums.pull, 1.5 * damped)
  assert.equal(sums.promise, 0.25 * damped)
  assert.equal(sums.knownSquares, (2 * damped) ** 2 + (1 + Math.log(9)) ** 2)
  // Without the stop word, but with the unknown term.
  assert.equal(sums.squares, (2 * damped) ** 2 + 3 ** 2)
  assert.equal(sums.product, 2 * damped * 3)
})

test('similarity is the cosine with the centre', () => {
  // Both terms once: (2, 2) and (3, 4) have the cosine 14 / (√8 · 5).
  const similarity = rows.similarity(rows.sum(counts([STAR, 1], [MOON, 1], [THE, 5])))
  assert.ok(Math.abs(similarity - 14 / (Math.sqrt(8) * 5)) < 1e-12)
})

test('a text without words is like nothing and speaks for nothing', () => {
  const sums = rows.sum(counts())
  assert.equal(rows.similarity(sums), 0)
  assert.equal(sums.evidence, 0)
  assert.equal(rows.evidenceOf(OTHER), 0)
})
