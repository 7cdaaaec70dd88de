import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TermTable } from '../text/term-table.ts'
import { TopicCentre } from './from-examples.ts'

function page(...terms: number[]): TermTable {
  const counts = new TermTable()
  for (const term of terms) counts.add(term, 1)
  return counts
}

const rarityOf = () => 1

test('the centre has what pages on topic have and others do not', () => {
  const centre = new TopicCentre({
    positive: [page(1, 2), page(1, 3)],
    negative: [page(2, 4), page(4, 5), page(4, 6)],
    rarityOf,
  })
  const half = Math.SQRT1_2
  // In both of two pages of two terms: 2 · √½ / 2.
  assert.ok(Math.abs(centre.weightOf(1) - half) < 1e-12)
  // In one of them, less twice the mean of the other side: √½ / 2 − 2 · √½ / 3 is below 0.
  assert.equal(centre.weightOf(2), 0)
  assert.ok(Math.abs(centre.weightOf(3) - half / 2) < 1e-12)
  assert.equal(centre.weightOf(4), 0)
})

test('how like pages on topic are is asked of each without itself', () => {
  const centre = new TopicCentre({
    positive: [page(1, 2), page(1, 3), page(1, 4)],
    negative: [],
    rarityOf,
  })
  // The pages other than the first: (1: 2√½, 3: √½, 4: √½) / 2; its cosine with them is 1 / √3.
  assert.ok(Math.abs(centre.usualLikeness() - 1 / Math.sqrt(3)) < 1e-12)
})

test('a single page, and pages that share nothing, still draw a line', () => {
  const alone = new TopicCentre({ positive: [page(1)], negative: [], rarityOf })
  assert.ok(alone.usualLikeness() > 0)
  const strangers = new TopicCentre({ positive: [page(1), page(2)], negative: [], rarityOf })
  assert.ok(strangers.usualLikeness() > 0)
})
