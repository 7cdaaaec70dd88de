// JSON as the HTTP API returns it, and as networkx reads it (`node_link_graph(…, edges="edges")`).
import type { MapFormat, MapRow, MapSource } from './map-format.ts'

export const json: MapFormat = {
  name: 'json',
  about: 'nodes and edges, as the HTTP API gives them; networkx reads it',
  isPicture: false,
  async *write(map) {
    yield `{"directed":true,"multigraph":false,"graph":${JSON.stringify({ kind: map.kind, title: map.title })},`
    yield '"nodes":['
    let between = '\n'
    for await (const row of map.nodes()) {
      yield between + JSON.stringify(recordOf(row, map))
      between = ',\n'
    }
    yield '\n],"edges":['
    between = '\n'
    for (const { source, target, links } of map.edges()) {
      const weight = map.kind === 'sites' ? { links: links ?? 1 } : {}
      yield between + JSON.stringify({ source, target, ...weight })
      between = ',\n'
    }
    const outside = map.totalOutside === null ? '' : `,"total_outside":${map.totalOutside}`
    yield `\n],"total_nodes":${map.totalNodes},"total_edges":${map.totalEdges}${outside}}\n`
  },
}

function recordOf({ id, values }: MapRow, { columns }: MapSource): Record<string, unknown> {
  const cells = columns.map(({ name }, nth): [string, unknown] => [name, values[nth] ?? null])
  // JSON can hold a lone surrogate only as an escape, which not every reader accepts.
  return { id, ...Object.fromEntries(cells.map(([name, value]) => [name, wellFormed(value)])) }
}

function wellFormed(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}
