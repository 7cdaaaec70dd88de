import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectGraph, type PageEdges } from './page-graph.ts'

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
