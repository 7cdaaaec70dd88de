// Graphs for tests and benchmarks, the same for the same seed.
import { type Graph, GraphBuilder } from '../../src/graph/graph.ts'
import { Stream } from '../../src/sample-web/random.ts'

export type Edge = readonly [source: number, target: number]

export type GraphSize = { readonly nodes: number; readonly edges: number; readonly seed: number }

export function graphOf(nodes: number, edges: Iterable<Edge>): Graph {
  const builder = new GraphBuilder()
  for (const [source, target] of edges) builder.add(source, target)
  return builder.build(nodes)
}

/**
 * As webs are: few pages are linked to by very many, a fifth of all pages links nowhere, and some
 * edges come twice or lead back to where they begin.
 */
export function* randomEdges({ nodes, edges, seed }: GraphSize): Generator<Edge> {
  const random = new Stream(seed)
  for (let edge = 0; edge < edges; edge++) {
    const source = random.below(nodes)
    const target = Math.floor(nodes * random.next() ** 3)
    yield [source % 5 === 0 ? (source + 1) % nodes : source, target]
  }
}
