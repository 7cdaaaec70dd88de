// Pages by importance, with ties kept together: the order of two equal pages is chance, and no ordering may
// win or lose by it.

/** Beyond every position: an unranked page is never among the first. */
const UNRANKED = 0xffffffff

export type Ranking = {
  /** Number of ranked pages. */
  readonly size: number
  /** Ranked pages, the most important first. */
  readonly order: Uint32Array
  /** Page → position of the first equally important page. */
  readonly first: Uint32Array
  /** Page → position behind the last equally important page. */
  readonly end: Uint32Array
}

/** Ranks the pages marked in `among`. */
export function rankPages(importance: ArrayLike<number>, among: Uint8Array): Ranking {
  const order = marked(among).sort((a, b) => (importance[b] ?? 0) - (importance[a] ?? 0) || a - b)
  const first = new Uint32Array(among.length).fill(UNRANKED)
  const end = new Uint32Array(among.length).fill(UNRANKED)
  let start = 0
  while (start < order.length) {
    const worth = importance[order[start] ?? 0]
    let behind = start + 1
    while (behind < order.length && importance[order[behind] ?? 0] === worth) behind++
    for (let at = start; at < behind; at++) {
      const page = order[at] ?? 0
      first[page] = start
      end[page] = behind
    }
    start = behind
  }
  return { size: order.length, order, first, end }
}

/** Number of pages at least as important as the page at position `count`: ties are all included. */
export function hotCount(ranking: Ranking, count: number): number {
  const last = ranking.order[Math.min(count, ranking.size) - 1]
  return last === undefined ? 0 : (ranking.end[last] ?? 0)
}

/**
 * How many of the `count` most important pages are among `pages`. If the limit divides a tie, any of the tied
 * pages count, but together no more than fit.
 */
export function foundOfTop(ranking: Ranking, pages: Uint32Array, count: number): number {
  let sure = 0
  let tied = 0
  for (const page of pages) {
    if ((ranking.end[page] ?? UNRANKED) <= count) sure++
    else if ((ranking.first[page] ?? UNRANKED) < count) tied++
  }
  return sure + Math.min(tied, count - surePlaces(ranking, count))
}

/** For each K: how many of the K most important pages are among the first K of `fetched`. */
export function foundOfTopSoFar(
  ranking: Ranking,
  fetched: Uint32Array,
  counts: readonly number[],
): number[] {
  const sure = new Uint32Array(ranking.size + 1)
  const tied = new Uint32Array(ranking.size + 1)
  // A page counts from the K on at which it is both fetched and among the top, whichever is later.
  for (const [at, page] of fetched.entries()) {
    const end = ranking.end[page] ?? UNRANKED
    if (end === UNRANKED || at >= ranking.size) continue
    count(sure, Math.max(at + 1, end))
    count(tied, Math.max(at, ranking.first[page] ?? 0) + 1)
  }
  addUp(sure)
  addUp(tied)
  return counts.map((k) => {
    const top = Math.min(k, ranking.size)
    const certain = sure[top] ?? 0
    const between = (tied[top] ?? 0) - certain
    return certain + Math.min(between, top - surePlaces(ranking, top))
  })
}

/** Number of positions among the first `count` that are not part of a divided tie. */
function surePlaces(ranking: Ranking, count: number): number {
  const last = ranking.order[Math.min(count, ranking.size) - 1]
  if (last === undefined) return 0
  const end = ranking.end[last] ?? 0
  return end <= count ? end : (ranking.first[last] ?? 0)
}

function marked(among: Uint8Array): Uint32Array {
  let size = 0
  for (const mark of among) size += mark === 0 ? 0 : 1
  const pages = new Uint32Array(size)
  let at = 0
  for (const [page, mark] of among.entries()) if (mark !== 0) pages[at++] = page
  return pages
}

function count(histogram: Uint32Array, at: number): void {
  histogram[at] = (histogram[at] ?? 0) + 1
}

function addUp(histogram: Uint32Array): void {
  let sum = 0
  for (const [at, value] of histogram.entries()) {
    sum += value
    histogram[at] = sum
  }
}
