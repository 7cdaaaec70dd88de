import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { type Edge, graphOf, randomEdges } from '../../test/graph/sample-graphs.ts'
import { pageRank } from './pagerank.ts'

const EXACT = { tolerance: 1e-13, maxIterations: 1000 }

// a → b, c; b → c; c → a; d → c, e; e → f; f has no links.
const SIX: readonly Edge[] = [
  [0, 1],
  [0, 2],
  [1, 2],
  [2, 0],
  [3, 2],
  [3, 4],
  [4, 5],
]

function assertNear(actual: ArrayLike<number>, expected: ArrayLike<number>, within: number) {
  assert.equal(actual.length, expected.length)
  for (let at = 0; at < expected.length; at++) {
    const gap = Math.abs(actual[at]! - expected[at]!)
    assert.ok(gap <= within, `at ${at}: ${actual[at]} is not ${expected[at]}`)
  }
}

function sumOf(ranks: Float64Array): number {
  return ranks.reduce((sum, rank) => sum + rank, 0)
}

test('ranks of six pages are those computed by hand', () => {
  // Every rank is a multiple of the even share t = (1 − d + d·rank(f)) / 6, since all equations are
  // linear in it. With t = 1 and d = 0.85:
  //   d = 1                      nobody links to it
  //   e = 1 + 0.425·d            = 1.425
  //   f = 1 + 0.85·e             = 2.21125
  //   b = 1 + 0.425·a
  //   c = 1 + 0.425·a + 0.85·b + 0.425·d = 2.275 + 0.78625·a
  //   a = 1 + 0.85·c = 2.93375 + 0.6683125·a, so a = 46940/5307, b = 50513/10614, c = 48980/5307.
  // They sum to 65927/2400; divided by that they sum to 1.
  const multiples = [46940 / 5307, 50513 / 10614, 48980 / 5307, 1, 1.425, 2.21125]
  const byHand = multiples.map((multiple) => (multiple * 2400) / 65927)
  assertNear(pageRank(graphOf(6, SIX), { tolerance: 1e-11 }).ranks, byHand, 1e-10)
  const digits = [0.321989660129, 0.17324950684, 0.3359832457, 0.036403901285, 0.051875559331]
  assertNear(pageRank(graphOf(6, SIX)).ranks, [...digits, 0.080498126716], 1e-8)
})

test('ranks sum to 1, are positive, and are settled within the tolerance', () => {
  for (let seed = 1; seed <= 5; seed++) {
    const graph = graphOf(2000, randomEdges({ nodes: 2000, edges: 9000, seed }))
    const { ranks, change, converged, iterations } = pageRank(graph)
    assert.ok(Math.abs(sumOf(ranks) - 1) < 1e-12)
    assert.ok(ranks.every((rank) => rank > 0))
    assert.ok(converged && change < 1e-8 && iterations < 120)
  }
})

test('ranks are those of a dense power iteration, for any damping', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const nodes = 2 + seed
    const edges = [...randomEdges({ nodes, edges: 3 * seed, seed })]
    for (const damping of [0, 0.5, 0.85, 0.99]) {
      const options = { ...EXACT, maxIterations: 10_000, damping }
      const { ranks } = pageRank(graphOf(nodes, edges), options)
      assertNear(ranks, denseRanks(nodes, edges, damping), 1e-9)
    }
  }
})

/** Powers of the whole matrix, squared until it no longer changes: shares no code with ours. */
function denseRanks(nodes: number, edges: readonly Edge[], damping: number): number[] {
  const out = Array.from({ length: nodes }, () => new Set<number>())
  for (const [source, target] of edges) if (source !== target) out[source]!.add(target)
  let matrix = out.map((targets) =>
    Array.from({ length: nodes }, (_, to) => {
      const followed = targets.size === 0 ? 1 / nodes : targets.has(to) ? 1 / targets.size : 0
      return damping * followed + (1 - damping) / nodes
    }),
  )
  for (let squared = 0; squared < 14; squared++) {
    matrix = matrix.map((row) =>
      row.map((_, to) => row.reduce((sum, share, via) => sum + share * matrix[via]![to]!, 0)),
    )
  }
  return matrix[0]!
}

test('pages that lead nowhere share their rank among all', () => {
  assertNear(pageRank(graphOf(3, [])).ranks, [1 / 3, 1 / 3, 1 / 3], 1e-12)
  // By hand: t each, plus half of 0.85·t for the two link targets.
  const star = pageRank(
    graphOf(3, [
      [0, 1],
      [0, 2],
    ] as const),
    EXACT,
  )
  assertNear(star.ranks, [1 / 3.85, 1.425 / 3.85, 1.425 / 3.85], 1e-12)
})

test('a graph of nothing and a graph of one page have ranks, too', () => {
  assert.deepEqual(pageRank(graphOf(0, [])), {
    ranks: new Float64Array(0),
    iterations: 0,
    change: 0,
    converged: true,
  })
  assert.deepEqual([...pageRank(graphOf(1, [])).ranks], [1])
})

test('earlier ranks save rounds and change nothing in the result', () => {
  const edges = [...randomEdges({ nodes: 3000, edges: 12_000, seed: 7 })]
  const before = pageRank(
    graphOf(
      2900,
      edges.filter((edge) => Math.max(...edge) < 2900),
    ),
  )
  const graph = graphOf(3000, edges)
  const cold = pageRank(graph)
  const warm = pageRank(graph, { start: before.ranks })
  const again = pageRank(graph, { start: cold.ranks })
  assertNear(warm.ranks, cold.ranks, 1e-8)
  assert.ok(warm.iterations < cold.iterations)
  assert.equal(again.iterations, 1)
})

test('earlier ranks may be nonsense', () => {
  const graph = graphOf(6, SIX)
  const { ranks } = pageRank(graph, EXACT)
  const nonsense = [[], [0, 0, 0], [Number.NaN, -1, Number.POSITIVE_INFINITY], Array(100).fill(7)]
  for (const start of nonsense) assertNear(pageRank(graph, { ...EXACT, start }).ranks, ranks, 1e-11)
})

test('a limit of rounds is kept and said', () => {
  const { iterations, converged, ranks } = pageRank(graphOf(6, SIX), { maxIterations: 3 })
  assert.deepEqual([iterations, converged], [3, false])
  assert.ok(Math.abs(sumOf(ranks) - 1) < 1e-12)
})

const NETWORKX = `
import json, sys, networkx
graph = networkx.DiGraph()
given = json.load(sys.stdin)
graph.add_nodes_from(range(given["nodes"]))
graph.add_edges_from(edge for edge in given["edges"] if edge[0] != edge[1])
ranks = networkx.pagerank(graph, alpha=0.85, tol=1e-12, max_iter=1000)
print(json.dumps([ranks[node] for node in range(given["nodes"])]))`

function runPython(program: string, input = '') {
  return spawnSync('python3', ['-c', program], { input, encoding: 'utf8', timeout: 60_000 })
}

// networkx needs NumPy and SciPy.
const compared = runPython('import networkx, numpy, scipy').status === 0

test('ranks are those of networkx', {
  skip: compared ? false : 'python3 with networkx, numpy and scipy is not installed',
}, () => {
  const nodes = 500
  const edges = [...randomEdges({ nodes, edges: 2500, seed: 13 })]
  const { stdout, stderr } = runPython(NETWORKX, JSON.stringify({ nodes, edges }))
  assert.equal(stderr, '')
  assertNear(pageRank(graphOf(nodes, edges), EXACT).ranks, JSON.parse(stdout), 1e-9)
})
