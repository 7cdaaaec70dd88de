import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrderingRun } from '../../test/ordering/ordering-run.ts'
import { type SampleWeb, visitsOf } from '../../test/ordering/sample-web.ts'
import type { OptionValues } from './ordering.ts'
import { pagerank } from './pagerank.ts'

const WEB: SampleWeb = {
  's.test/': { links: ['a.test/', 'b.test/'] },
  'a.test/': { links: ['b.test/', 'c.test/'] },
  'b.test/': { links: ['d.test/'] },
  'c.test/': { links: ['a.test/'] },
  'd.test/': {},
}

/** Ranks after every page. */
const AFTER_EACH = { every: 1, growth: 0, tolerance: 1e-12 }

function crawlOf(options: OptionValues): OrderingRun {
  const visit = visitsOf(WEB, pagerank)
  return new OrderingRun({ ordering: pagerank, options, visit, seeds: ['s.test/'] })
}

function assertScores(crawl: OrderingRun, expected: Readonly<Record<string, number>>): void {
  assert.deepEqual(
    crawl.waiting().map(({ url }) => url[7]),
    Object.keys(expected),
  )
  for (const [name, score] of Object.entries(expected)) {
    const gap = Math.abs(crawl.scoreOf(`${name}.test/`) - score)
    assert.ok(gap < 1e-9, `${name}: ${crawl.scoreOf(`${name}.test/`)} is not ${score}`)
  }
}

test('computed after each page, ranks are those by hand to 1e-9', () => {
  const crawl = crawlOf(AFTER_EACH)
  crawl.step()
  // Every rank is a multiple of the even share, with d = 0.85: s = 1, a = b = 1 + 0.85/2 = 1.425, total 3.85.
  // Three pages: times 3 for multiples of the mean.
  assertScores(crawl, { a: (3 * 1.425) / 3.85, b: (3 * 1.425) / 3.85 })
  crawl.step()
  // s = 1, a = 1.425, b = 1 + 0.425 + 0.425 · 1.425 = 2.030625, c = 1 + 0.425 · 1.425 = 1.605625, total
  // 6.06125, four pages.
  assertScores(crawl, { b: (4 * 2.030625) / 6.06125, c: (4 * 1.605625) / 6.06125 })
  crawl.step()
  // d = 1 + 0.85 · 2.030625 = 2.72603125, total 8.78728125, five pages.
  assertScores(crawl, { d: (5 * 2.72603125) / 8.78728125, c: (5 * 1.605625) / 8.78728125 })
})

test('between two computations a page passes on part of its rank', () => {
  const crawl = crawlOf({})
  crawl.step()
  // A seed is first worth 1: 0.85 · 1 / 2.
  assertScores(crawl, { a: 0.425, b: 0.425 })
  crawl.step()
  // 0.85 · 0.425 / 2 = 0.180625 for each link of a, added to the rank of b.
  assertScores(crawl, { b: 0.605625, c: 0.180625 })
  crawl.step()
  // b has one link: 0.85 · 0.605625.
  assertScores(crawl, { d: 0.51478125, c: 0.180625 })
})

test('what was found since the last computation has what its links brought it', () => {
  const crawl = crawlOf({ ...AFTER_EACH, every: 2 })
  crawl.run(3)
  // b and c were ranked as above; then b passed 0.85 of its rank to d.
  const ranked = 4 / 6.06125
  assertScores(crawl, { d: 0.85 * 2.030625 * ranked, c: 1.605625 * ranked })
})

test('damping can be chosen', () => {
  const crawl = crawlOf({ ...AFTER_EACH, damping: 0.5 })
  crawl.step()
  assertScores(crawl, { a: (3 * 1.25) / 3.5, b: (3 * 1.25) / 3.5 })
})

test('all ranks are computed after 100 pages, then whenever the crawl grew by a tenth', () => {
  const { isDue } = crawlOf({}).scorer.ranking!
  const due = (last: number, settled: number) => isDue(settled, settled - last)
  assert.deepEqual([due(0, 99), due(0, 100)], [false, true])
  assert.deepEqual([due(100, 199), due(100, 200)], [false, true])
  assert.deepEqual([due(2000, 2199), due(2000, 2200)], [false, true])
})
