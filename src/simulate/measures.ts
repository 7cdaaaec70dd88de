// The list of measures, for table, JSON and report. The formulas are in metrics.ts and importance.ts.

/** Percentages are 0 to 100, indexes 0 to 1. */
type Unit = 'percent' | 'index' | 'count'

export type Measure<K extends string> = {
  readonly key: K
  readonly unit: Unit
  /** Only measured if the replay had a topic. */
  readonly ofTopic: boolean
  readonly better: 'higher' | 'lower'
  /** One line for the JSON. */
  readonly about: string
}

/** Measures with a value after each fetched page. */
export const CURVE_MEASURES = keyed({
  harvest: percent(true, 'relevant pages ÷ pages fetched so far'),
  recall: percent(true, 'relevant pages fetched ÷ relevant pages reachable (R)'),
  ofIdeal: percent(
    true,
    'relevant pages fetched ÷ min(n, R): what n fetches could have brought at best',
  ),
  relevantHosts: count(true, 'hosts with at least one relevant page fetched'),
  pagerankSum: percent(false, 'true PageRank of the pages fetched ÷ that of all reachable pages'),
  csPagerank: percent(
    false,
    'P_CS: of the K pages with the highest PageRank, those among the first K fetched',
  ),
  csInDegree: percent(
    false,
    'P_CS: of the K most linked-to pages, those among the first K fetched',
  ),
  stPagerank: percent(
    false,
    'P_ST: hot pages fetched ÷ all hot pages; hot is the top 1 % by PageRank',
  ),
  stInDegree: percent(
    false,
    'P_ST: hot pages fetched ÷ all hot pages; hot is the top 1 % by in-links',
  ),
  jain: index(
    'higher',
    "Jain's index over pages fetched per reachable site: 1 is even, 1/sites is one site only",
  ),
  gini: index('lower', 'Gini coefficient over pages fetched per reachable site: 0 is even'),
  entropy: index(
    'higher',
    'entropy of pages fetched over sites ÷ log of the number of reachable sites: 1 is even',
  ),
})
export type CurveKey = keyof typeof CURVE_MEASURES
export const CURVE_KEYS = keysOf(CURVE_MEASURES)

/** Measures with one value per replay. */
export const SINGLE_MEASURES = keyed({
  nauc20: percent(
    true,
    'mean over n up to 20 % of the reachable pages of: relevant pages fetched ÷ min(n, R)',
  ),
  bc5Pagerank: percent(false, buffered('5 %', 'PageRank')),
  bc10Pagerank: percent(false, buffered('10 %', 'PageRank')),
  bc5InDegree: percent(false, buffered('5 %', 'in-links')),
  bc10InDegree: percent(false, buffered('10 %', 'in-links')),
  fetched: count(false, 'pages fetched in all'),
  pagesPerSecond: count(false, 'pages replayed per second of real time; differs from run to run'),
})
export type SingleKey = keyof typeof SINGLE_MEASURES
export const SINGLE_KEYS = keysOf(SINGLE_MEASURES)

type Described = Omit<Measure<string>, 'key'>

/** Tells each measure its key. */
function keyed<K extends string>(of: Record<K, Described>): { readonly [N in K]: Measure<N> }
function keyed(of: Record<string, Described>): object {
  return Object.fromEntries(Object.entries(of).map(([key, measure]) => [key, { key, ...measure }]))
}

function keysOf<K extends string>(of: Record<K, unknown>): readonly K[]
function keysOf(of: object): readonly string[] {
  return Object.keys(of)
}

function percent(ofTopic: boolean, about: string): Described {
  return { unit: 'percent', ofTopic, better: 'higher', about }
}

function index(better: 'higher' | 'lower', about: string): Described {
  return { unit: 'index', ofTopic: false, better, about }
}

function count(ofTopic: boolean, about: string): Described {
  return { unit: 'count', ofTopic, better: 'higher', about }
}

function buffered(share: string, importance: string): string {
  return (
    `P_BC: of the B pages highest by ${importance}, those in the buffer when nothing is left to fetch; ` +
    `B is ${share}, and the page with the fewest in-links known so far goes first; ` +
    'not measured when the budget ends the replay before'
  )
}

export type Spread = {
  readonly mean: number
  /** Standard deviation of the sample; 0 for a single value. */
  readonly deviation: number
  readonly min: number
  readonly max: number
  readonly count: number
}

/**
 * Means with their spread. If a value is missing, the mean is missing: leaving the value out would compare
 * different things.
 */
export function meanOf(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function spreadOf(values: readonly number[]): Spread {
  const mean = meanOf(values)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / Math.max(1, values.length - 1))
  const count = values.length
  if (Number.isNaN(mean)) return { mean, deviation: mean, min: mean, max: mean, count }
  return { mean, deviation, min: Math.min(...values), max: Math.max(...values), count }
}

/** Point by point; all curves have `points` points. */
export function meanCurve(curves: readonly Float64Array[], points: number): Float64Array {
  const sum = new Float64Array(points)
  for (const curve of curves) {
    for (let at = 0; at < points; at++) sum[at] = (sum[at] ?? 0) + (curve[at] ?? Number.NaN)
  }
  // No curve at all gives 0 ÷ 0: not measured.
  return sum.map((total) => total / curves.length)
}
