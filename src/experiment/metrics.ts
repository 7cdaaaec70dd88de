// Importance metrics of all pages of a known web, by their names in a plan.
import { decodeImportance, METRICS } from '../core/importance.ts'
import { locationOf } from '../core/url.ts'
import { importanceOf } from '../graph/importance.ts'
import type { ReplayWorld } from '../simulate/replay-world.ts'
import { FORWARD_LINKS } from './plan.ts'
import type { Estimate } from './stop-models.ts'

export type MetricValues = {
  readonly values: Float64Array
  /** How a crawl estimates it on its way; null if no simple rule does. */
  readonly estimate: Estimate | null
}

/**
 * Values by page. Backlinks and forward links are counts, PageRank is 1 on average, similarity (to the topic)
 * and location are 0 to 1, as are sums of several. Null if it needs a topic and there is none.
 */
export function metricValues(
  metric: string,
  world: ReplayWorld,
  similarity: Float64Array | null,
): MetricValues | null {
  if (metric === FORWARD_LINKS) return ofPage(forwardLinks(world))
  const weights = decodeImportance(metric)
  const chosen = METRICS.filter((name) => weights[name] > 0)
  if (chosen.includes('similarity') && similarity === null) return null
  const location = Float64Array.from(world.urls, (url) => locationOf(url))
  const [only] = chosen
  if (chosen.length === 1) {
    if (only === 'location') return ofPage(location)
    if (only === 'backlinks') return counted(world)
    if (only === 'pagerank') return ranked(world)
    return similarity === null ? null : ofPage(similarity)
  }
  const metrics = {
    similarity: similarity ?? new Float64Array(world.pages).fill(Number.NaN),
    backlinks: world.inDegree,
    pagerank: world.pagerank,
    location,
  }
  const values = importanceOf(metrics, weights)
  const needsGraph = weights.backlinks > 0 || weights.pagerank > 0
  return { values, estimate: needsGraph ? null : { by: 'page', of: values } }
}

function ofPage(values: Float64Array): MetricValues {
  return { values, estimate: { by: 'page', of: values } }
}

function counted({ inDegree }: ReplayWorld): MetricValues {
  return { values: Float64Array.from(inDegree), estimate: { by: 'backlinks' } }
}

function ranked({ pagerank, alive }: ReplayWorld): MetricValues {
  return { values: pagerank.map((rank) => rank * alive), estimate: { by: 'pagerank' } }
}

function forwardLinks({ links, pages }: ReplayWorld): Float64Array {
  return Float64Array.from({ length: pages }, (_, page) => {
    return (links.offsets[page + 1] ?? 0) - (links.offsets[page] ?? 0)
  })
}
