import assert from 'node:assert/strict'
import { test } from 'node:test'
import { graphOf } from '../../test/graph/sample-graphs.ts'
import { Stream } from '../sample-web/random.ts'
import { GrowingGraph, type LinkedPage, NumberList } from './growing-graph.ts'
import { pageRank } from './pagerank.ts'

function page(id: number, url: string, links: readonly string[] = []): LinkedPage {
  return { id, url, duplicateOf: null, links: stretches(links) }
}

function stretches(urls: readonly string[]): LinkedPage['links'] {
  const text = urls.join(' ')
  return {
    each(visit) {
      let from = 0
      for (const url of urls) {
        visit(text, from, from + url.length)
        from += url.length + 1
      }
    },
  }
}

/** Edges as `1 → 2`, by id, sorted. */
function edgesOf(growing: GrowingGraph): string[] {
  const { graph, ids } = growing.graph()
  return ids
    .flatMap((id, node) =>
      [...graph.targets.subarray(graph.offsets[node], graph.offsets[node + 1])].map(
        (target) => `${id} → ${ids[target]}`,
      ),
    )
    .sort()
}

function assertNear(actual: ArrayLike<number>, expected: ArrayLike<number>) {
  assert.equal(actual.length, expected.length)
  for (let at = 0; at < expected.length; at++) {
    assert.ok(Math.abs(actual[at]! - expected[at]!) < 1e-7, `at ${at}`)
  }
}

test('a link counts as soon as both pages are there, whichever came first', () => {
  const growing = new GrowingGraph()
  growing.add(page(1, 'a', ['b', 'c', 'b', 'a']))
  assert.deepEqual(edgesOf(growing), [])
  growing.add(page(2, 'b', ['a']))
  assert.deepEqual(edgesOf(growing), ['1 → 2', '2 → 1'])
  growing.add(page(3, 'c'))
  assert.deepEqual(edgesOf(growing), ['1 → 2', '1 → 3', '2 → 1'])
  assert.deepEqual([growing.pages, growing.links], [3, 5])
})

test('a page that repeats another is folded onto it, with its links', () => {
  const growing = new GrowingGraph()
  growing.add(page(1, 'a', ['b']))
  growing.add({ id: 2, url: 'twin', duplicateOf: 1, links: stretches(['c', 'a']) })
  growing.add(page(3, 'b', ['twin']))
  growing.add(page(4, 'c'))
  assert.deepEqual(edgesOf(growing), ['1 → 3', '1 → 4', '3 → 1'])
})

test('a URL that led elsewhere stands for where it led, over several hops and never in circles', () => {
  const growing = new GrowingGraph()
  growing.add(page(1, 'a', ['old', 'circle']))
  growing.redirect('old', 'older')
  growing.redirect('older', 'b')
  growing.redirect('circle', 'round')
  growing.redirect('round', 'circle')
  growing.add(page(2, 'b'))
  assert.deepEqual(edgesOf(growing), ['1 → 2'])
})

test('a page that changed has its new links alone, and one that is gone none', () => {
  const growing = new GrowingGraph()
  growing.add(page(1, 'a', ['b', 'c']))
  growing.add(page(2, 'b', ['c']))
  growing.add(page(3, 'c', ['a']))
  growing.add(page(1, 'a', ['c']))
  assert.deepEqual(edgesOf(growing), ['1 → 3', '2 → 3', '3 → 1'])
  growing.remove(3)
  growing.remove(99)
  assert.deepEqual(edgesOf(growing), [])
  growing.add(page(4, 'c', ['b']))
  assert.deepEqual(edgesOf(growing), ['1 → 4', '2 → 4', '4 → 2'])
  assert.deepEqual([growing.pages, growing.links], [3, 3])
})

test('a page that repeats one which is gone stands for itself', () => {
  const growing = new GrowingGraph()
  growing.add(page(1, 'a'))
  growing.add({ id: 2, url: 'twin', duplicateOf: 1, links: stretches(['b']) })
  growing.add(page(3, 'b', ['twin']))
  growing.remove(1)
  assert.deepEqual(edgesOf(growing), ['2 → 3', '3 → 2'])
})

test('pages that change over and over do not pile up', () => {
  const growing = new GrowingGraph()
  const links = Array.from({ length: 3000 }, (_, nth) => `p${nth % 100}`)
  for (let id = 1; id <= 100; id++) growing.add(page(id, `p${id}`, links.slice(0, 10)))
  const before = edgesOf(growing)
  for (let nth = 0; nth < 100; nth++) growing.add(page(7, 'p7', links))
  growing.add(page(7, 'p7', links.slice(0, 10)))
  assert.deepEqual(edgesOf(growing), before)
  assert.equal(growing.links, 1000)
})

test('ranks while it grows are those of the graph as it is then', () => {
  const random = new Stream(5)
  const growing = new GrowingGraph()
  const edges: [number, number][] = []
  let rounds = Number.POSITIVE_INFINITY
  for (let pages = 100; pages <= 400; pages += 100) {
    for (let node = pages - 100; node < pages; node++) {
      const targets = Array.from({ length: 5 }, () => Math.floor(400 * random.next() ** 2))
      edges.push(...targets.map((target): [number, number] => [node, target]))
      growing.add(
        page(
          node + 1,
          `p${node}`,
          targets.map((target) => `p${target}`),
        ),
      )
    }
    const among = edges.filter(([, target]) => target < pages)
    const { ranks, ids, converged } = growing.ranks()
    assertNear(ranks, pageRank(graphOf(pages, among)).ranks)
    assert.ok(converged && ids.length === pages)
    rounds = growing.ranks().iterations
  }
  assert.equal(rounds, 1)
})

test('nothing has no ranks', () => {
  const { ids, ranks } = new GrowingGraph().ranks()
  assert.deepEqual([ids.length, ranks.length], [0, 0])
})

test('a list of numbers is what was put into it, past the ends of its chunks', () => {
  const list = new NumberList()
  const count = 2 ** 18 + 5000
  for (let nth = 0; nth < count; nth++) list.push(nth * 3)
  list.set(2 ** 18, 7)
  assert.equal(list.length, count)
  assert.deepEqual(
    [0, 1023, 1024, 8192, 2 ** 18 - 1, 2 ** 18, count - 1, count].map((place) => list.at(place)),
    [0, 3069, 3072, 24_576, 3 * (2 ** 18 - 1), 7, 3 * (count - 1), 0],
  )
})
