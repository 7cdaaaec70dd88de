// Combines the words of a page and its PageRank into one score:
//
//   score = BM25 · (1 + weight · standing),   standing = log2(1 + rank ÷ mean rank of its crawl)
//
// Of two pages with the same words, the one that good pages link to is more likely the one wanted. PageRank
// spreads over many powers of ten, so its logarithm counts: twice the rank is worth the same anywhere. The
// standing multiplies, because BM25 scores have no fixed scale: they grow with each word of a query, and with
// its rarity. Ranks are relative to the mean of their crawl, so that pages of large and small crawls can be
// compared. A page of mean rank has a standing of 1, and so has a page without a rank.
import type { PageRank } from './search-index.ts'

/** The default weight; docs/SEARCH.md says how it was chosen. */
export const RANK_WEIGHT = 0.1

type RankedPage = readonly [pageId: number, standing: number]

/** The standings of all ranked pages of a crawl. Yields nothing if no page has a rank. */
export function* standings(ranks: Iterable<PageRank>): Generator<RankedPage> {
  // Two columns: a million pairs would take ten times as much memory.
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
