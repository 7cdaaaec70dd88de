// The importance of a page: a weighted sum of metrics that the job chooses (src/graph/ computes them), and the
// harvest: the share of fetched pages that are on topic.
import { InvalidInput, shown } from './errors.ts'

/**
 * `similarity` to the topic, `backlinks` from other pages, `pagerank` among the crawl's pages,
 * `location`: how near the URL is to a front page.
 */
export const METRICS = ['similarity', 'backlinks', 'pagerank', 'location'] as const
type Metric = (typeof METRICS)[number]

/** No weight is negative and at least one is positive. Only their ratios matter. */
export type ImportanceWeights = Readonly<Record<Metric, number>>

/** The weights of a job. */
type Weighing = { readonly importance: Readonly<Record<string, number>> }

const NO_WEIGHTS: ImportanceWeights = { similarity: 0, backlinks: 0, pagerank: 0, location: 0 }

/** Similarity and PageRank in equal parts; a crawl without a topic has PageRank alone. */
export const DEFAULT_IMPORTANCE: ImportanceWeights = { ...NO_WEIGHTS, similarity: 1, pagerank: 1 }

/** The chosen weights, or the default. */
export function weightsOf({ importance }: Weighing): ImportanceWeights {
  const chosen = METRICS.map((name): [Metric, number] => [name, importance[name] ?? 0])
  if (chosen.every(([, weight]) => weight === 0)) return DEFAULT_IMPORTANCE
  return { ...NO_WEIGHTS, ...Object.fromEntries(chosen) }
}

/**
 * The same for a crawl that drops pages while it runs, when PageRank is not known: without chosen weights,
 * similarity and backlinks in equal parts; backlinks alone without a topic.
 */
export function weightsWhileCrawling(weighing: Weighing, hasTopic: boolean): ImportanceWeights {
  const isChosen = METRICS.some((name) => (weighing.importance[name] ?? 0) > 0)
  if (isChosen) return { ...weightsOf(weighing), pagerank: 0 }
  return { ...NO_WEIGHTS, similarity: hasTopic ? 1 : 0, backlinks: 1 }
}

/**
 * True if hotness depends on importance, and so on the whole crawl. If only similarity counts, or no weights
 * were chosen, the topic decides page by page.
 */
export function hotIsImportance({ importance }: Weighing): boolean {
  return METRICS.some((name) => name !== 'similarity' && (importance[name] ?? 0) > 0)
}

/** Larger than anybody needs, and small enough for exact sums. */
const MAX_WEIGHT = 1_000_000
const WEIGHT = /^\d{1,7}(?:\.\d{1,9})?$/

/** Parses `similarity=1,pagerank=0.5`. A bare name has weight 1, a missing metric 0. */
export function decodeImportance(text: string): ImportanceWeights {
  const weights: Record<Metric, number> = { ...NO_WEIGHTS }
  const named = new Set<Metric>()
  for (const entry of text.split(',')) {
    const [name, weight] = decodeEntry(entry)
    if (named.has(name)) throw invalid(`names ${name} twice`)
    named.add(name)
    weights[name] = weight
  }
  if (METRICS.every((name) => weights[name] === 0)) throw invalid('needs a weight above 0')
  return weights
}

/** The inverse of `decodeImportance`. */
export function encodeImportance(weights: ImportanceWeights): string {
  const chosen = METRICS.filter((name) => weights[name] > 0)
  return chosen.map((name) => `${name}=${weights[name]}`).join(',')
}

function decodeEntry(entry: string): readonly [Metric, number] {
  const equals = entry.indexOf('=')
  const name = (equals < 0 ? entry : entry.slice(0, equals)).trim()
  const metric = METRICS.find((known) => known === name)
  if (metric === undefined) {
    throw invalid(`takes ${METRICS.join(', ')}, each with =WEIGHT or without, not ${shown(name)}`)
  }
  const weight = equals < 0 ? '1' : entry.slice(equals + 1).trim()
  if (WEIGHT.test(weight) && Number(weight) <= MAX_WEIGHT) return [metric, Number(weight)]
  throw invalid(`needs a weight from 0 to ${MAX_WEIGHT} for ${metric}, not ${shown(weight)}`)
}

function invalid(message: string): InvalidInput {
  return new InvalidInput('--importance', message)
}

export type Harvest = {
  /** Pages judged by the topic, including those not stored. */
  readonly judged: number
  /** Hot pages among them. */
  readonly hot: number
  /** The same for the most recent pages, at most `harvestWindow` of them. */
  readonly recentJudged: number
  readonly recentHot: number
  /** Pages that were not stored: off topic, or too short. */
  readonly leftOut: number
}

export const NO_HARVEST: Harvest = { judged: 0, hot: 0, recentJudged: 0, recentHot: 0, leftOut: 0 }

/** Hot pages ÷ judged pages; null before the first. */
export function harvestRate(hot: number, judged: number): number | null {
  return judged === 0 ? null : hot / judged
}
