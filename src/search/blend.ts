// How the words of a page and its place in the link graph make one score:
//
//   score = BM25 · (1 + weight · standing),   standing = log2(1 + rank ÷ mean rank of its crawl)
//
// A page that many good ones link to is rather what somebody looks for than one that has the same words
// and is linked from nowhere. PageRank spreads over many powers of ten, so its logarithm counts: twice
// the rank is worth the same anywhere. It multiplies, because scores of BM25 have no scale of their own:
// they grow with each word of a query, and with how rare it is. Ranks are taken relative to the mean of
// their crawl, so that pages of a large crawl and of a small one can be compared; a page of mean rank
// has a standing of 1, and so has one that nothing is known of yet.
import type { PageRank } from './search-index.ts'

/** What scores take unless somebody says otherwise; how it was chosen: docs/SEARCH.md. */
export const RANK_WEIGHT = 0.15

type Standing = readonly [pageId: number, standing: number]

export function standings(ranks: Iterable<PageRank>): Standing[] {
  const all = [...ranks]
  const sum = all.reduce((total, [, rank]) => total + rank, 0)
  if (!(sum > 0) || !Number.isFinite(sum)) return []
  return all.map(([id, rank]) => [id, Math.log2(1 + Math.max(0, rank) / (sum / all.length))])
}
