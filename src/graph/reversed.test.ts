import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GraphBuilder } from './graph.ts'
import { reversed } from './reversed.ts'

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
