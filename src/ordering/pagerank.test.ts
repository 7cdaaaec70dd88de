import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SampleWeb, visitsOf } from '../../test/ordering/sample-web.ts'
import { SteerCrawl } from '../../test/ordering/steer-crawl.ts'
import type { OptionValues } from './ordering.ts'
import { pagerank } from './pagerank.ts'

const WEB: SampleWeb = {
  's.test/': { links: ['a.test/', 'b.test/'] },
  'a.test/': { links: ['b.test/', 'c.test/'] },
  'b.test/': { links: ['d.test/'] },
  'c.test/': { links: ['a.test/'] },
  'd.test/': {},
}

function crawlOf(options: OptionValues): SteerCrawl {
  const visit = visitsOf(WEB, pagerank)
  return new SteerCrawl({ ordering: pagerank, options, visit, seeds: ['s.test/'] })
}

function assertScores(crawl: SteerCrawl, expected: Readonly<Record<string, number>>): void {
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
  const crawl = crawlOf({ every: 1, growth: 0, tolerance: 1e-12 })
  crawl.step()
  // Every rank is a multiple of the even share, with d = 0.85: s = 1, a = b = 1 + 0.85/2 = 1.425,
  // in all 3.85. Three pages: times 3 for multiples of the mean, and without the even share.
  assertScores(crawl, { a: (3 * 0.425) / 3.85, b: (3 * 0.425) / 3.85 })
  crawl.step()
  // s = 1, a = 1.425, b = 1 + 0.425 + 0.425 · 1.425 = 2.030625, c = 1 + 0.425 · 1.425 = 1.605625,
  // in all 6.06125, four pages.
  assertScores(crawl, { b: (4 * 1.030625) / 6.06125, c: (4 * 0.605625) / 6.06125 })
  crawl.step()
  // d = 1 + 0.85 · 2.030625 = 2.72603125, in all 8.78728125, five pages.
  assertScores(crawl, { d: (5 * 1.72603125) / 8.78728125, c: (5 * 0.605625) / 8.78728125 })
})

test('between two computations a page passes on part of its rank', () => {
  const crawl = crawlOf({})
  crawl.step()
  // All pages are worth 1 at first: 0.85 · 1 / 2.
  assertScores(crawl, { a: 0.425, b: 0.425 })
  crawl.step()
  // a has 1.425, of which each link gets 0.605625.
  assertScores(crawl, { b: 1.030625, c: 0.605625 })
  crawl.step()
  // b has 2.030625 for one link.
  assertScores(crawl, { d: 1.72603125, c: 0.605625 })
})

test('damping can be chosen', () => {
  const crawl = crawlOf({ damping: 0.5, every: 1, growth: 0, tolerance: 1e-12 })
  crawl.step()
  assertScores(crawl, { a: (3 * 0.25) / 3.5, b: (3 * 0.25) / 3.5 })
})

test('all ranks are computed after 100 pages, then whenever the crawl grew by a tenth', () => {
  const { isDue } = crawlOf({}).steering.ranking!
  const due = (last: number, settled: number) => isDue(settled, settled - last)
  assert.deepEqual([due(0, 99), due(0, 100)], [false, true])
  assert.deepEqual([due(100, 199), due(100, 200)], [false, true])
  assert.deepEqual([due(2000, 2199), due(2000, 2200)], [false, true])
})

test('a restart goes on with the even share of the last computation', () => {
  const crawl = crawlOf({ every: 1, growth: 0, tolerance: 1e-12 })
  crawl.step()
  const { steering } = crawlOf({})
  steering.load!(crawl.steering.save!()!)
  const page = { ...crawl.candidate('a.test/'), id: 2, judged: null, links: 2, waiting: 1 }
  steering.settled!({ ...page, finder: () => null })
  const [share] = steering.pass!({ ...page, finder: () => null }, null, { ...page, position: 0 })!
  assert.ok(Math.abs(share! - (0.425 * 3 * 1.425) / 3.85) < 1e-9)
})
