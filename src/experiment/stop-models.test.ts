import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GraphBuilder, inDegrees } from '../graph/graph.ts'
import { rankPages } from '../simulate/ranking.ts'
import {
  bufferAtEnd,
  crawlAndStop,
  crawlAndStopWithThreshold,
  hotPages,
  limitedBuffer,
} from './stop-models.ts'

// A web of six pages, small enough to be computed by hand:
//
//   0 → 1, 2, 3     1 → 3, 4     2 → 3, 0     3 → 4, 5     4 → 3     5 → 3, 4
//
// Backlinks: page 3 has five (0, 1, 2, 4, 5), page 4 has three (1, 3, 5), pages 0, 1, 2, 5 have one each.
const LINKS: readonly (readonly number[])[] = [[1, 2, 3], [3, 4], [3, 0], [4, 5], [3], [3, 4]]
const builder = new GraphBuilder()
for (const [page, targets] of LINKS.entries()) builder.addAll(page, targets)
const links = builder.build(6)
const backlinks = inDegrees(links)
const ranking = rankPages(backlinks, new Uint8Array(6).fill(1))
/** A breadth-first crawl from page 0. */
const BREADTH_FIRST = Uint32Array.of(0, 1, 2, 3, 4, 5)

test('the backlinks of the example are as counted by hand', () => {
  assert.deepEqual([...backlinks], [1, 1, 1, 5, 3, 1])
})

test('P_CS: of the K most linked-to pages, those among the first K', () => {
  // K = 1: page 3 is wanted, page 0 was fetched: 0 of 1. K = 2: 3 and 4 are wanted, 0 and 1 fetched: 0 of 2.
  // K = 3: 3, 4 and any page with one backlink; 0, 1, 2 fetched: 1 of 3. K = 4: 3, 4 and two of those with
  // one; 0, 1, 2, 3 fetched: page 3, and two of 0, 1, 2: 3 of 4. K = 6: all.
  const shares = crawlAndStop(ranking, BREADTH_FIRST, [1, 2, 3, 4, 6])
  assert.deepEqual(shares, [0, 0, 100 / 3, 75, 100])
})

test('P_CS of the ideal order is always 100', () => {
  assert.deepEqual(
    crawlAndStop(ranking, Uint32Array.of(3, 4, 0, 1, 2, 5), [1, 2, 3, 6]),
    [100, 100, 100, 100],
  )
})

test('P_ST: hot pages fetched so far, of all that reach the threshold', () => {
  const hot = hotPages(ranking, backlinks, { least: 3 })
  assert.equal(hot, 2)
  // Hot are 3 and 4: none after three pages, one after four, both after five.
  assert.deepEqual(
    crawlAndStopWithThreshold(ranking, hot, BREADTH_FIRST, [1, 3, 4, 5, 6]),
    [0, 0, 50, 100, 100],
  )
})

test('a threshold as a share takes all pages of a tie', () => {
  // A third of six pages are two; the third best is one of four equal pages, so half of them means all six.
  assert.equal(hotPages(ranking, backlinks, { share: 1 / 3 }), 2)
  assert.equal(hotPages(ranking, backlinks, { share: 1 / 2 }), 6)
  assert.equal(hotPages(ranking, backlinks, { least: 6 }), 0)
  assert.ok(Number.isNaN(crawlAndStopWithThreshold(ranking, 0, BREADTH_FIRST, [1])[0]))
})

test('P_BC: the buffer drops the page that seems least important', () => {
  // Room for two. Fetched 0, 1: kept 0 (no known backlink), 1 (one). 2 has one: 0 goes. 3 has three by
  // then (0, 1, 2): of 1 and 2, which have one each, 1 was first and goes. 4 has two (1, 3): 2 goes, which
  // has one. 5 has one (3): it goes itself. Left: 3 and 4, the two best.
  const kept = bufferAtEnd(BREADTH_FIRST, links, { room: 2, estimate: { by: 'backlinks' } })
  assert.deepEqual([...kept], [3, 4])
  assert.equal(limitedBuffer(ranking, kept, 2), 100)
})

test('P_BC: a page that was dropped before its links were seen is lost', () => {
  // Room for one. Page 3 comes first, when no link to it is known. 4 has one then (from 3): 3 goes. 5 has one,
  // too: of equals the older goes, 4. 1 and 2 have none and go. 0 has one (from 2), as 5 has: 5 goes.
  const order = Uint32Array.of(3, 4, 5, 1, 2, 0)
  const kept = bufferAtEnd(order, links, { room: 1, estimate: { by: 'backlinks' } })
  assert.deepEqual([...kept], [0])
  assert.equal(limitedBuffer(ranking, kept, 1), 0)
})

test('a metric that the page itself tells keeps the best pages in any order', () => {
  const worth = [1, 2, 3, 4, 5, 6]
  const kept = bufferAtEnd(BREADTH_FIRST, links, { room: 2, estimate: { by: 'page', of: worth } })
  assert.deepEqual([...kept], [4, 5])
})

test('by PageRank of the graph so far the buffer keeps the hubs', () => {
  const kept = bufferAtEnd(BREADTH_FIRST, links, { room: 2, estimate: { by: 'pagerank' } })
  assert.deepEqual([...kept], [3, 4])
})
