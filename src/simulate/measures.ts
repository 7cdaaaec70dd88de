// The list of measures, for table, JSON and report. The formulas are in metrics.ts and importance.ts.

/** Percentages are 0 to 100, indexes 0 to 1. */
export type Unit = 'percent' | 'index' | 'count'

export type Measure<K extends string> = {
  readonly key: K
  readonly unit: Unit
  /** Only measured if the replay had a topic. */
  readonly ofTopic: boolean
  readonly better: 'higher' | 'lower'
  /** One line for the JSON. */
  readonly about: string
}

export const CURVE_KEYS = [
  'harvest',
  'recall',
  'ofIdeal',
  'relevantHosts',
  'pagerankSum',
  'csPagerank',
  'csInDegree',
  'stPagerank',
  'stInDegree',
  'jain',
  'gini',
  'entropy',
] as const
/** Measures with a value after each fetched page. */
export type CurveKey = (typeof CURVE_KEYS)[number]

export const SINGLE_KEYS = [
  'nauc20',
  'bc5Pagerank',
  'bc10Pagerank',
  'bc5InDegree',
  'bc10InDegree',
  'fetched',
  'pagesPerSecond',
] as const
/** Measures with one value per replay. */
export type SingleKey = (typeof SINGLE_KEYS)[number]

export const CURVE_MEASURES: { readonly [K in CurveKey]: Measure<K> } = {
  harvest: {
    ...percent('harvest', true),
    about: 'relevant pages ÷ pages fetched so far',
  },
  recall: {
    ...percent('recall', true),
    about: 'relevant pages fetched ÷ relevant pages reachable (R)',
  },
  ofIdeal: {
    ...percent('ofIdeal', true),
    about: 'relevant pages fetched ÷ min(n, R): what n fetches could have brought at best',
  },
  relevantHosts: {
    key: 'relevantHosts',
    unit: 'count',
    ofTopic: true,
    better: 'higher',
    about: 'hosts with at least one relevant page fetched',
  },
  pagerankSum: {
    ...percent('pagerankSum', false),
    about: 'true PageRank of the pages fetched ÷ that of all reachable pages',
  },
  csPagerank: {
    ...percent('csPagerank', false),
    about: 'P_CS: of the K pages with the highest PageRank, those among the first K fetched',
  },
  csInDegree: {
    ...percent('csInDegree', false),
    about: 'P_CS: of the K most linked-to pages, those among the first K fetched',
  },
  stPagerank: {
    ...percent('stPagerank', false),
    about: 'P_ST: hot pages fetched ÷ all hot pages; hot is the top 1 % by PageRank',
  },
  stInDegree: {
    ...percent('stInDegree', false),
    about: 'P_ST: hot pages fetched ÷ all hot pages; hot is the top 1 % by in-links',
  },
  jain: {
    ...index('jain', 'higher'),
    about:
      "Jain's index over pages fetched per reachable site: 1 is even, 1/sites is one site only",
  },
  gini: {
    ...index('gini', 'lower'),
    about: 'Gini coefficient over pages fetched per reachable site: 0 is even',
  },
  entropy: {
    ...index('entropy', 'higher'),
    about: 'entropy of pages fetched over sites ÷ log of the number of reachable sites: 1 is even',
  },
}

export const SINGLE_MEASURES: { readonly [K in SingleKey]: Measure<K> } = {
  nauc20: {
    ...percent('nauc20', true),
    about: 'mean over n up to 20 % of the reachable pages of: relevant pages fetched ÷ min(n, R)',
  },
  bc5Pagerank: { ...percent('bc5Pagerank', false), about: buffered('5 %', 'PageRank') },
  bc10Pagerank: { ...percent('bc10Pagerank', false), about: buffered('10 %', 'PageRank') },
  bc5InDegree: { ...percent('bc5InDegree', false), about: buffered('5 %', 'in-links') },
  bc10InDegree: { ...percent('bc10InDegree', false), about: buffered('10 %', 'in-links') },
  fetched: {
    key: 'fetched',
    unit: 'count',
    ofTopic: false,
    better: 'higher',
    about: 'pages fetched in all',
  },
  pagesPerSecond: {
    key: 'pagesPerSecond',
    unit: 'count',
    ofTopic: false,
    better: 'higher',
    about: 'pages replayed per second of real time; differs from run to run',
  },
}

function percent<K extends string>(key: K, ofTopic: boolean): Omit<Measure<K>, 'about'> {
  return { key, unit: 'percent', ofTopic, better: 'higher' }
}

function index<K extends string>(key: K, better: 'higher' | 'lower'): Omit<Measure<K>, 'about'> {
  return { key, unit: 'index', ofTopic: false, better }
}

function buffered(share: string, importance: string): string {
  return (
    `P_BC: of the B pages highest by ${importance}, those in the buffer when nothing is left to fetch; ` +
    `B is ${share}, and the page with the fewest in-links known so far goes first; ` +
    'not measured when the budget ends the replay before'
  )
}

// Means with their spread. If a value is missing, the mean is missing: leaving the value out would compare
// different things.

export type Spread = {
  readonly mean: number
  /** Standard deviation of the sample; 0 for a single value. */
  readonly deviation: number
  readonly min: number
  readonly max: number
  readonly count: number
}

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
