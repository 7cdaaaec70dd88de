// Importance: a page's worth by the metrics a job chooses, each weighed as the job says. How the
// metrics are computed is in src/graph/.

import { InvalidInput, shown } from './errors.ts'

/**
 * `similarity` to the topic, `backlinks` from other pages, `pagerank` among the crawl's pages,
 * `location`: how near the URL is to a front page.
 */
export const METRICS = ['similarity', 'backlinks', 'pagerank', 'location'] as const
export type Metric = (typeof METRICS)[number]

/** None is negative, and one at least is not 0. Only how they compare to each other matters. */
export type ImportanceWeights = Readonly<Record<Metric, number>>

/** Weights as a job has them. */
type Weighing = { readonly importance: Readonly<Record<string, number>> }

const NO_WEIGHTS: ImportanceWeights = { similarity: 0, backlinks: 0, pagerank: 0, location: 0 }

/** What the page says and what others say of it, alike. A crawl without a topic has the latter. */
export const DEFAULT_IMPORTANCE: ImportanceWeights = { ...NO_WEIGHTS, similarity: 1, pagerank: 1 }

/** As a job has them: those it chose, else the default. */
export function weightsOf({ importance }: Weighing): ImportanceWeights {
  const chosen = METRICS.map((name): [Metric, number] => [name, importance[name] ?? 0])
  if (chosen.every(([, weight]) => weight === 0)) return DEFAULT_IMPORTANCE
  return { ...NO_WEIGHTS, ...Object.fromEntries(chosen) }
}

/**
 * True when a page is hot by its importance, which only the crawl as a whole tells. Where nothing but
 * similarity counts, or nothing was chosen, the topic tells it of every page by itself.
 */
export function hotIsImportance({ importance }: Weighing): boolean {
  return METRICS.some((name) => name !== 'similarity' && (importance[name] ?? 0) > 0)
}

/** Larger than anybody needs, and far from where sums lose digits. */
const MAX_WEIGHT = 1_000_000
const WEIGHT = /^\d{1,7}(?:\.\d{1,9})?$/

/** From `similarity=1,pagerank=0.5`; a bare name has the weight 1, a metric not named 0. */
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

/** As `decodeImportance` reads it. */
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
