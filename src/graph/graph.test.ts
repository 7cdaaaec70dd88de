import assert from 'node:assert/strict'
import { test } from 'node:test'
import { graphOf, randomEdges } from '../../test/graph/sample-graphs.ts'
import {
  collectGraph,
  type Graph,
  GraphBuilder,
  inDegrees,
  type PageEdges,
  reversed,
} from './graph.ts'

/** The targets of each node. */
function rowsOf({ nodes, offsets, targets }: Graph): number[][] {
  return Array.from({ length: nodes }, (_, node) => [
    ...targets.subarray(offsets[node], offsets[node + 1]),
  ])
}

test('edges come in any order and are kept by source, in the order they were added', () => {
  const graph = graphOf(4, [
    [2, 3],
    [0, 2],
    [2, 0],
    [0, 1],
  ])
  assert.deepEqual(rowsOf(graph), [[2, 1], [], [3, 0], []])
  assert.equal(graph.edges, 4)
})

test('an edge that is added again counts once, and one to itself not at all', () => {
  const builder = new GraphBuilder()
  builder.addAll(0, [1, 1, 0, 2])
  builder.add(1, 1)
  builder.addAll(0, new Uint32Array([2, 1]))
  assert.deepEqual(rowsOf(builder.build()), [[1, 2], [], []])
})

test('there are as many nodes as asked for, and as many as the edges name', () => {
  assert.equal(new GraphBuilder().build().nodes, 0)
  assert.deepEqual(rowsOf(new GraphBuilder().build(2)), [[], []])
  assert.deepEqual(rowsOf(graphOf(1, [[0, 3]])), [[3], [], [], []])
})

test('a builder can be asked again after more edges', () => {
  const builder = new GraphBuilder()
  builder.add(0, 1)
  const early = builder.build()
  builder.add(1, 0)
  assert.deepEqual(rowsOf(early), [[1], []])
  assert.deepEqual(rowsOf(builder.build()), [[1], [0]])
})

test('more edges than a chunk holds are the same as a set of pairs', () => {
  const edges = [...randomEdges({ nodes: 50_000, edges: 600_000, seed: 3 })]
  const graph = graphOf(50_000, edges)
  const pairs = new Set(edges.filter(([a, b]) => a !== b).map(([a, b]) => a * 50_000 + b))
  assert.equal(graph.edges, pairs.size)
  const rows = rowsOf(graph)
  assert.ok(rows.every((row, node) => row.every((target) => pairs.has(node * 50_000 + target))))
})

test('backlinks count distinct other pages', () => {
  const graph = graphOf(6, [
    [0, 5],
    [0, 5],
    [1, 5],
    [2, 5],
    [5, 5],
    [5, 0],
    [1, 0],
  ])
  assert.deepEqual([...inDegrees(graph)], [2, 0, 0, 0, 0, 3])
})

test('every edge is there the other way round, and turned twice they are as they were', () => {
  const builder = new GraphBuilder()
  builder.addAll(2, [0, 1])
  builder.addAll(0, [1, 3])
  builder.addAll(3, [1])
  const graph = builder.build(5)
  const back = reversed(graph)
  assert.deepEqual([...back.offsets], [0, 1, 4, 4, 5, 5])
  assert.deepEqual([...back.targets], [2, 0, 2, 3, 0])
  assert.deepEqual(reversed(back), graph)
})

test('a graph without edges has none the other way round', () => {
  assert.equal(reversed(new GraphBuilder().build(3)).edges, 0)
  assert.equal(reversed(new GraphBuilder().build()).nodes, 0)
})

async function* pagesOf(...ids: number[]) {
  for (const id of ids) yield { id, name: `page ${id}` }
}

async function* edgesOf(...edges: PageEdges[]) {
  yield* edges
}

test('pages become nodes in their order, and edges between them follow', async () => {
  const names: string[] = []
  const edges = edgesOf({ from: 9, to: [4, 100] }, { from: 4, to: Uint32Array.of(9, 100) })
  const { graph, ids } = await collectGraph(pagesOf(4, 9, 100), edges, ({ name }, node) => {
    names[node] = name
  })
  assert.deepEqual(ids, [4, 9, 100])
  assert.deepEqual(names, ['page 4', 'page 9', 'page 100'])
  assert.deepEqual([...graph.offsets], [0, 2, 4, 4])
  assert.deepEqual([...graph.targets], [1, 2, 0, 2])
})

test('edges from and to pages that did not come are passed over', async () => {
  const edges = edgesOf({ from: 1, to: [3, 2] }, { from: 3, to: [1] })
  const { graph } = await collectGraph(pagesOf(1, 2), edges)
  assert.deepEqual([graph.nodes, graph.edges], [2, 1])
})
