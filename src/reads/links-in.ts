// Who links to a page: how many pages, and the first of them with the words of their links.

import type { CrawlGraph } from './crawl-graph.ts'
import { targetsOf } from './page-map.ts'
import type { PageInFull } from './shapes/page.ts'
import type { CrawlHere } from './workspace-files.ts'

const SHOWN = 200

/** Of a page that repeats another: the links to that one. */
export async function linksIn(
  { job, store }: CrawlHere,
  { back, ids, names, nodeOf }: CrawlGraph,
  pageId: number,
): Promise<PageInFull['links_in']> {
  const [page] = await store.pages.summariesOf(job.id, [pageId])
  const original = page?.duplicateOf ?? pageId
  const node = nodeOf(original)
  if (page === undefined || node === undefined) return { total: 0, pages: [] }
  const sources = targetsOf(back, node)
  const first = Array.from(sources.subarray(0, SHOWN), (source) => ids[source] ?? 0)
  const rows = await store.pages.summariesOf(job.id, first)
  const pages = []
  for (const { id, url, title } of rows) {
    const links = await store.pages.linksOf(id)
    const link = links.find((link) => names.find(link.url) === original)
    pages.push({ id, url, title, anchor: link?.anchor ?? '' })
  }
  return { total: sources.length, pages }
}
