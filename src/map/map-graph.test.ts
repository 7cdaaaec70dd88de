import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMap, informativeEdges, type MapNode, Neighbours } from './map-graph.ts'

function node(id: number, rank: number, host = 'a.test'): MapNode {
  const figures = { relevance: null, hot: false, in: 0, out: 0, pages: null }
  return {
    id,
    label: `page ${id}`,
    url: `http://${host}/${id}`,
    host,
    group: host,
    rank,
    ...figures,
  }
}

const three = createMap(
  [node(7, 0.1), node(8, 0.6, 'b.test'), node(9, 0.3)],
  [
    { source: 7, target: 8 },
    { source: 7, target: 8 },
    { source: 9, target: 9 },
    { source: 9, target: 7 },
    { source: 9, target: 12345 },
  ],
)

test('nodes are in order of rank, and edges name them by number', () => {
  assert.deepEqual(
    three.nodes.map(({ id }) => id),
    [8, 9, 7],
  )
  assert.deepEqual([...three.sources], [2, 1])
  assert.deepEqual([...three.targets], [0, 2])
  assert.deepEqual([...three.weights], [2, 1])
  assert.deepEqual(three.groups, [
    { group: 'a.test', nodes: 2 },
    { group: 'b.test', nodes: 1 },
  ])
})

test('neighbours come with the most important first', () => {
  const out = new Neighbours(4, Uint32Array.of(3, 3, 0, 3), Uint32Array.of(2, 0, 1, 1))
  assert.deepEqual([...out.of(3)], [0, 1, 2])
  assert.deepEqual([...out.of(0)], [1])
  assert.deepEqual([...out.of(1)], [])
})

test('a map without nodes is a map', () => {
  const empty = createMap([], [{ source: 1, target: 2 }])
  assert.equal(empty.sources.length, 0)
  assert.equal(informativeEdges(empty, 10).length, 0)
  assert.deepEqual([...new Neighbours(0, empty.sources, empty.targets).of(0)], [])
})

test('of few edges none is left out', () => {
  assert.deepEqual([...informativeEdges(three, 10)].sort(), [0, 1])
})

test('a link to another group goes before one that stays', () => {
  const nodes = [node(1, 3), node(2, 2), node(3, 1, 'b.test')]
  const graph = createMap(nodes, [
    { source: 1, target: 2 },
    { source: 1, target: 3 },
  ])
  const [first] = informativeEdges(graph, 1)
  assert.equal(graph.nodes[graph.targets[first!]!]!.host, 'b.test')
})

test('of many edges every node keeps one, and what every page links to goes last', () => {
  const nodes = Array.from({ length: 50 }, (_, id) => node(id, 50 - id))
  const menu = nodes.slice(1).map(({ id }) => ({ source: id, target: 0 }))
  const chain = nodes.slice(1).map(({ id }) => ({ source: id, target: (id % 49) + 1 }))
  const graph = createMap(nodes, [...menu, ...chain])
  const chosen = informativeEdges(graph, 49)
  const sources = new Set(Array.from(chosen, (edge) => graph.sources[edge]))
  assert.equal(sources.size, 49)
  assert.ok(chosen.every((edge) => graph.targets[edge] !== 0))
})
