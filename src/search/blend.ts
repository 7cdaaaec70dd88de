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
export const RANK_WEIGHT = 0.1

type Standing = readonly [pageId: number, standing: number]

/** Of all pages of a crawl that have a rank. Nothing is told where none has. */
export function* standings(ranks: Iterable<PageRank>): Generator<Standing> {
  // As columns: a million pairs would take ten times as much.
  const ids: number[] = []
  const all: number[] = []
  let sum = 0
  for (const [id, rank] of ranks) {
    ids.push(id)
    all.push(rank)
    sum += rank
  }
  if (!(sum > 0) || !Number.isFinite(sum)) return
  const mean = sum / all.length
  for (const [at, id] of ids.entries()) yield [id, Math.log2(1 + Math.max(0, all[at] ?? 0) / mean)]
}
