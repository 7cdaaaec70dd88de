// The importance of pages: similarity, backlinks, PageRank and location, each scaled to 0 … 1 and weighted by
// the job's weights.
//
// Similarity and location are 0 … 1 already. Backlinks and PageRank have long tails: as shares of the
// largest, nearly all pages would be near 0, and beside another metric they would not count. So both use a
// logarithmic scale from the least to the most of the crawl, where twice as many links count the same
// everywhere. The size of the crawl then does not matter.
import { type ImportanceWeights, METRICS } from '../core/importance.ts'

/** Converts a value of a metric to 0 … 1. */
type Scale = (value: number) => number

/** The metrics of each page, by node. */
export type PageMetrics = {
  /** The page's relevance, 0 … 1; NaN if it was not judged. */
  readonly similarity: Float64Array
  /** Number of other pages that link here. */
  readonly backlinks: Uint32Array
  /** The sum is 1. */
  readonly pagerank: Float64Array
  /** 0 … 1. */
  readonly location: Float64Array
}

/** ln(1 + backlinks), as a share of the most; 0 for no backlinks. */
export function backlinkScale(backlinks: ArrayLike<number>): Scale {
  const { most } = rangeOf(backlinks)
  const whole = Math.log1p(most)
  return (count) => (most > 0 ? clamped(Math.log1p(count) / whole) : 0)
}

/**
 * ln(rank / least), as a share of the most: 0 for a page without links to it. If all ranks are equal, all
 * values are 0.
 */
export function rankScale(ranks: ArrayLike<number>): Scale {
  const { least, most } = rangeOf(ranks)
  const whole = Math.log(most / least)
  return (rank) => (whole > ROUNDING ? clamped(Math.log(rank / least) / whole) : 0)
}

/** Ranks that differ by less than this differ only by rounding. */
const ROUNDING = 1e-9

/**
 * The weighted mean of the metrics, 0 … 1, for every page. If no page of a crawl was judged by a topic,
 * similarity is left out of the mean; if some were, it is 0 for the others.
 */
export function importanceOf(metrics: PageMetrics, weights: ImportanceWeights): Float64Array {
  const columns = scaledColumns(metrics)
  const chosen = METRICS.filter((name) => weights[name] > 0 && columns[name] !== null)
  const sum = chosen.reduce((total, name) => total + weights[name], 0)
  const importance = new Float64Array(metrics.pagerank.length)
  for (const name of chosen) {
    const column = columns[name]
    const share = weights[name] / sum
    for (let node = 0; node < importance.length; node++) {
      importance[node] = (importance[node] ?? 0) + share * (column?.(node) ?? 0)
    }
  }
  // Rounding must not give more than 1.
  return importance.map(clamped)
}

type Column = (node: number) => number

function scaledColumns(metrics: PageMetrics): Record<keyof ImportanceWeights, Column | null> {
  const { similarity, backlinks, pagerank, location } = metrics
  const ofBacklinks = backlinkScale(backlinks)
  const ofRank = rankScale(pagerank)
  return {
    similarity: similarity.every(Number.isNaN) ? null : (node) => clamped(similarity[node] ?? 0),
    backlinks: (node) => ofBacklinks(backlinks[node] ?? 0),
    pagerank: (node) => ofRank(pagerank[node] ?? 0),
    location: (node) => clamped(location[node] ?? 0),
  }
}

function rangeOf(values: ArrayLike<number>): { least: number; most: number } {
  let least = Number.POSITIVE_INFINITY
  let most = 0
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0
    if (value < least) least = value
    if (value > most) most = value
  }
  return { least, most }
}

/** Limits to 0 … 1; NaN becomes 0. */
function clamped(value: number): number {
  return value > 0 ? Math.min(value, 1) : 0
}
