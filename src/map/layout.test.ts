import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Layout } from './layout.ts'
import { createMap } from './map-graph.ts'
import { startPositions } from './start-positions.ts'

/** Two rings of pages on two hosts, with one link between them. */
function twoRings(size: number) {
  const nodes = Array.from({ length: size * 2 }, (_, id) => {
    const host = id < size ? 'a.test' : 'b.test'
    const figures = { rank: 1, relevance: null, hot: false, in: 0, out: 0, pages: null }
    return { id, label: '', url: '', host, group: host, ...figures }
  })
  const ring = nodes.map(({ id }) => {
    const from = id < size ? 0 : size
    return { source: id, target: from + ((id - from + 1) % size) }
  })
  return createMap(nodes, [...ring, { source: 0, target: size }])
}

function layoutOf(graph: ReturnType<typeof twoRings>): Layout {
  const { nodes, sources, targets, weights } = graph
  const sizes = new Float32Array(nodes.length).fill(3)
  return new Layout({ positions: startPositions(graph), sizes, sources, targets, weights })
}

const settle = (layout: Layout, most = 1000): Layout => {
  while (!layout.settled && layout.steps < most) layout.step()
  return layout
}

test('at the start no two nodes are in one place, and hosts are apart', () => {
  const graph = twoRings(300)
  const positions = startPositions(graph)
  const places = new Set<string>()
  for (let node = 0; node < 600; node++) {
    places.add(`${positions[node * 2]!.toFixed(3)} ${positions[node * 2 + 1]!.toFixed(3)}`)
  }
  assert.equal(places.size, 600)
  assert.ok(gapBetweenHosts(graph, positions) > Math.sqrt(300))
})

test('a layout settles, and what is linked is nearer than what is not', () => {
  const graph = twoRings(30)
  const layout = settle(layoutOf(graph))
  assert.ok(layout.settled)
  const positions = layout.positions()
  const linked = graph.sources.map((source, edge) => apart(positions, source, graph.targets[edge]!))
  const mean = linked.reduce((sum, length) => sum + length, 0) / linked.length
  assert.ok(mean < gapBetweenHosts(graph, positions))
})

test('the same map is laid out the same way', () => {
  const [one, two] = [settle(layoutOf(twoRings(300)), 40), settle(layoutOf(twoRings(300)), 40)]
  assert.deepEqual(one.positions(), two.positions())
})

test('no map is too small or too degenerate', () => {
  for (const graph of [twoRings(0), createMap(twoRings(1).nodes.slice(0, 1), [])]) {
    assert.ok(settle(layoutOf(graph)).settled)
  }
  const nodes = 1000
  const layout = new Layout({
    positions: new Float32Array(nodes * 2),
    sizes: new Float32Array(nodes),
    sources: new Uint32Array(0),
    targets: new Uint32Array(0),
    weights: new Float32Array(0),
  })
  for (let step = 0; step < 5; step++) layout.step()
  assert.ok(layout.positions().every(Number.isFinite))
})

function apart(positions: Float32Array, a: number, b: number): number {
  const x = positions[a * 2]! - positions[b * 2]!
  return Math.hypot(x, positions[a * 2 + 1]! - positions[b * 2 + 1]!)
}

function gapBetweenHosts({ nodes }: ReturnType<typeof twoRings>, positions: Float32Array): number {
  const centre = (host: string): [number, number] => {
    const own = nodes.flatMap((node, number) => (node.host === host ? [number] : []))
    const sum = (offset: number): number =>
      own.reduce((total, number) => total + positions[number * 2 + offset]!, 0) / own.length
    return [sum(0), sum(1)]
  }
  const [ax, ay] = centre('a.test')
  const [bx, by] = centre('b.test')
  return Math.hypot(ax - bx, ay - by)
}
