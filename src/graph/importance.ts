// The importance of pages: similarity, backlinks, PageRank and location, each scaled to 0 … 1 and weighted by
// the job's weights.
//
// Similarity and location are 0 … 1 already. Backlinks and PageRank have long tails: as shares of the
// largest, nearly all pages would be near 0, and beside another metric they would not count. So both use a
// logarithmic scale from the least to the most of the crawl, where twice as many links count the same
// everywhere. The size of the crawl then does not matter.
import { type ImportanceWeights, METRICS } from '../core/importance.ts'
import { type CanonicalUrl, hostOf, pathOf, siteOf } from '../core/url.ts'

/** Converts a value of a metric to 0 … 1. */
export type Scale = (value: number) => number

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

// Importance by location (the IL of Cho, Garcia-Molina and Page): judged by the URL alone. The front page of
// a site is most important, and each step into the site makes a page less important: few slashes, no query, a
// site's main host, an institution's domain are good.

const SLASH = 47
const QUESTION_MARK = 63
/** A query counts as one step below its page. */
const QUERY_LEVELS = 1
/** A subdomain is half a step away from the site's main host. */
const SUBDOMAIN_LEVELS = 0.5
/** A segment that starts with a tilde is a personal home page. */
const HOME_LEVELS = 0.5
/** A tie-break: never worth as much as a step near the front page. */
const NO_INSTITUTION = 0.95

/** File names, without extension, of a folder's front page. */
const FRONT_PAGES: ReadonlySet<string> = new Set(['index', 'default', 'home', 'welcome'])
/** Restricted domains, below the root and below a country. */
const INSTITUTIONS = /^(?:edu|gov|int|mil|(?:ac|edu|go|gov|mil)\.[a-z]{2})$/

/** From 0 to 1, higher is more important; a pure function of the URL. */
export function locationOf(url: CanonicalUrl): number {
  const host = hostOf(url)
  const site = siteOf(host)
  const levels = pathLevels(pathOf(url)) + SUBDOMAIN_LEVELS * subdomains(host, site)
  const institution = INSTITUTIONS.test(site.slice(site.indexOf('.') + 1))
  return (institution ? 1 : NO_INSTITUTION) / (1 + levels)
}

/** Steps from the front page of its host. */
function pathLevels(path: string): number {
  let levels = 0
  let start = 1
  for (let at = 1; at <= path.length; at++) {
    const code = at < path.length ? path.charCodeAt(at) : QUESTION_MARK
    if (code !== SLASH && code !== QUESTION_MARK) continue
    if (at > start) levels += segmentLevels(path.slice(start, at), code !== SLASH)
    if (code === QUESTION_MARK) return levels + (at < path.length - 1 ? QUERY_LEVELS : 0)
    start = at + 1
  }
  return levels
}

function segmentLevels(segment: string, last: boolean): number {
  if (segment.startsWith('~')) return HOME_LEVELS
  if (!last) return 1
  const dot = segment.indexOf('.')
  const name = (dot < 0 ? segment : segment.slice(0, dot)).toLowerCase()
  return FRONT_PAGES.has(name) ? 0 : 1
}

/** Number of labels before the site's own name; `www` does not count. */
function subdomains(host: string, site: string): number {
  const extra = host.lastIndexOf(site)
  if (extra <= 0) return 0
  let labels = 0
  for (let at = host.startsWith('www.') ? 4 : 0; at < extra; at++) {
    if (host.charCodeAt(at) === 46) labels++
  }
  return labels
}
