// The graph of stored pages: page ids, which have gaps, to nodes, which have none.
import { type Graph, GraphBuilder } from './graph.ts'

/** One page and the pages it links to, by id. */
export type PageEdges = { readonly from: number; readonly to: ArrayLike<number> }

export type PageGraph = {
  readonly graph: Graph
  /** The page of each node. */
  readonly ids: readonly number[]
}

/**
 * Numbers the pages in the order they come and reads the edges between them; an edge that names
 * another page is passed over. `note` sees each page once, at its node: what a caller wants to keep
 * of a million pages is better kept in columns than in a million pages.
 */
export async function collectGraph<Page extends { readonly id: number }>(
  pages: AsyncIterable<Page>,
  edges: AsyncIterable<PageEdges>,
  note: (page: Page, node: number) => void = () => {},
): Promise<PageGraph> {
  const ids: number[] = []
  const nodes = new Map<number, number>()
  for await (const page of pages) {
    note(page, ids.length)
    nodes.set(page.id, ids.length)
    ids.push(page.id)
  }
  const builder = new GraphBuilder()
  for await (const { from, to } of edges) {
    const source = nodes.get(from)
    if (source === undefined) continue
    for (let at = 0; at < to.length; at++) {
      const target = nodes.get(to[at] ?? 0)
      if (target !== undefined) builder.add(source, target)
    }
  }
  return { graph: builder.build(ids.length), ids }
}
