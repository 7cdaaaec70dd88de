import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GraphBuilder } from '../graph/graph.ts'
import { buffersAtEnd } from './buffers.ts'

test('buffers hold the pages that those fetched so far link to most', () => {
  // Forty pages are reachable: room for two (5 %) and four (10 %). 0 to 5 are fetched.
  //   0 → 1 2 3    1 → 0 3    2 → 3 5    3 → 0    4 → 5 1    5 → 0
  const builder = new GraphBuilder()
  const links = [[1, 2, 3], [0, 3], [3, 5], [0], [5, 1], [0]]
  for (const [page, targets] of links.entries()) builder.addAll(page, targets)
  const world = { links: builder.build(6), alive: 6, reachable: 40 }
  const fetched = Uint32Array.of(0, 1, 2, 3, 4, 5)
  const buffers = buffersAtEnd({ fetched, ranDry: true }, world)
  // Room for two, known links in brackets:
  //   0 (0) → then 1 (1) → then 0 has 1; 2 (1) is added: 0 and 1 and 2 are equal, 0 is dropped as the oldest
  //   → 3 (3): 1 is dropped → 4 (0) is dropped itself → 5 (2): 2 (1) is dropped. Left: 3, 5.
  assert.deepEqual([...(buffers.get(0.05) ?? [])], [3, 5])
  // Room for four: 0 (2), 1 (1), 2 (1), 3 (3) when 4 (0) is added and dropped; it still links to 1 (2), so
  // when 5 (2) is added 2 (1) is dropped.
  assert.deepEqual([...(buffers.get(0.1) ?? [])], [0, 1, 3, 5])
})

test('dead URLs take no room', () => {
  const builder = new GraphBuilder()
  builder.addAll(0, [1, 2])
  const world = { links: builder.build(3), alive: 2, reachable: 10 }
  const buffers = buffersAtEnd({ fetched: Uint32Array.of(0, 2, 1), ranDry: true }, world)
  assert.deepEqual([...(buffers.get(0.1) ?? [])], [1])
})

test('a crawl that stops before its end has no buffer to look at', () => {
  const builder = new GraphBuilder()
  builder.addAll(0, [1, 2])
  const world = { links: builder.build(3), alive: 2, reachable: 2 }
  const sizes = (...fetched: number[]) =>
    buffersAtEnd({ fetched: Uint32Array.from(fetched), ranDry: false }, world).size
  assert.equal(sizes(0), 0)
  assert.equal(sizes(0, 2), 0, 'the dead one does not stand for a page')
  assert.equal(sizes(0, 1), 2)
})
