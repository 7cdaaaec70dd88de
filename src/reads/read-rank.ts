// The most important pages of a crawl: as they were computed when it ended, else from its graph now.

import { weightsOf } from '../core/importance.ts'
import { importanceOf } from '../graph/importance.ts'
import type { PageImportance } from '../store/importance-store.ts'
import type { CrawlGraph } from './crawl-graph.ts'
import type { Ranked } from './shapes/page.ts'
import type { CrawlHere } from './workspace-files.ts'

export async function readRank(
  { job, store }: CrawlHere,
  limit: number,
  graph: () => Promise<CrawlGraph | null>,
): Promise<Ranked> {
  const kept = await store.importance.best(job.id, limit)
  const best = kept.length > 0 ? kept : bestNow(await graph(), weightsOf(job.settings), limit)
  const rows = await store.pages.summariesOf(
    job.id,
    best.map(({ pageId }) => pageId),
  )
  const shown = new Map(rows.map((row) => [row.id, row]))
  return {
    pages: best.flatMap(({ pageId, ...figures }) => {
      const row = shown.get(pageId)
      return row === undefined ? [] : [{ id: pageId, url: row.url, title: row.title, ...figures }]
    }),
  }
}

function bestNow(
  crawl: CrawlGraph | null,
  weights: ReturnType<typeof weightsOf>,
  limit: number,
): readonly PageImportance[] {
  if (crawl === null) return []
  const { ids, metrics } = crawl
  const importance = importanceOf(metrics, weights)
  const nodes = Uint32Array.from(ids.keys()).sort(
    (a, b) => (importance[b] ?? 0) - (importance[a] ?? 0) || a - b,
  )
  return Array.from(nodes.subarray(0, limit), (node) => {
    const similarity = metrics.similarity[node] ?? Number.NaN
    return {
      pageId: ids[node] ?? 0,
      similarity: Number.isNaN(similarity) ? null : similarity,
      backlinks: metrics.backlinks[node] ?? 0,
      pagerank: metrics.pagerank[node] ?? 0,
      location: metrics.location[node] ?? 0,
      importance: importance[node] ?? 0,
    }
  })
}
