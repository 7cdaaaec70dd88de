// All replays of a simulation together: each contender's figures per topic and over topics, the best
// contender first, and the duels between them. Seeds are averaged within a topic first, then topics: each
// topic has the same weight, and contenders can be compared topic by topic. That matters, because topics
// differ far more than orderings do.
import { byOrder } from '../lib/sorted.ts'
import { type Contender, contendersOf } from './contenders.ts'
import { HOT_SHARE } from './importance.ts'
import { type CurveKey, meanCurve, meanOf, type Spread, spreadOf } from './measures.ts'
import type { Measured } from './metrics.ts'
import { hotCount, type Ranking } from './ranking.ts'
import { measureOf, type Reading, read } from './reading.ts'
import { CHECKPOINTS } from './replay-result.ts'
import { pagesAt, type TopicFacts, type Yardstick } from './yardstick.ts'

export type Summary = {
  readonly web: { readonly pages: number; readonly hosts: number; readonly sites: number }
  readonly topics: readonly TopicFacts[]
  readonly seeds: readonly number[]
  readonly grid: Float64Array
  /** The best by `lead` first. */
  readonly contenders: readonly Contender[]
  /** The reading that decides the order: nAUC20, or the fetched share of PageRank without a topic. */
  readonly lead: Reading
  readonly references: References
}

type SummaryInput = {
  /** One per topic, in display order. */
  readonly yardsticks: readonly Yardstick[]
  readonly grid: Float64Array
  readonly measured: readonly Measured[]
}

export function summarise({ yardsticks, grid, measured }: SummaryInput): Summary {
  const lead = chooseLead(yardsticks, grid, measured)
  const references = yardsticks.map((yardstick) => referencesFor(yardstick, grid))
  return {
    web: webOf(yardsticks),
    topics: yardsticks.map(factsOf),
    seeds: [...new Set(measured.map(({ seed }) => seed))].sort((a, b) => a - b),
    grid,
    contenders: sortBest(contendersOf(measured, yardsticks, grid), lead, grid),
    lead,
    references: meanReferences(references, grid.length),
  }
}

/** A reading over the topics that have it. */
export function topicSpread(summary: Summary, contender: Contender, reading: Reading): Spread {
  const values = topicsFor(summary.topics, reading).flatMap(({ topic }) => {
    const figures = contender.byTopic.get(topic)
    return figures === undefined ? [] : [read(figures, reading, summary.grid)]
  })
  return spreadOf(values)
}

/** The spread between seeds of the same topic: standard deviation, mean over topics. */
export function seedDeviation(summary: Summary, contender: Contender, reading: Reading): number {
  const deviations = topicsFor(summary.topics, reading).flatMap(({ topic }) => {
    const runs = contender.runs.filter((run) => run.topic === topic)
    const values = runs.map((run) => read(run, reading, summary.grid))
    return values.length === 0 ? [] : [spreadOf(values).deviation]
  })
  return meanOf(deviations)
}

/** Topics that have a reading. */
export function topicsFor(topics: readonly TopicFacts[], reading: Reading): readonly TopicFacts[] {
  return measureOf(reading).ofTopic ? topics.filter(({ relevant }) => relevant > 0) : topics
}

function chooseLead(
  topics: readonly TopicFacts[],
  grid: Float64Array,
  measured: readonly Measured[],
): Reading {
  const focused = topics.some(({ relevant }) => relevant > 0)
  const nauc = measured.some(({ singles }) => !Number.isNaN(singles.nauc20))
  const share = CHECKPOINTS.findLast((checkpoint) => grid.includes(checkpoint)) ?? grid.at(-1) ?? 1
  if (focused) return nauc ? { key: 'nauc20' } : { key: 'recall', share }
  return { key: 'pagerankSum', share }
}

function sortBest(contenders: Contender[], lead: Reading, grid: Float64Array): Contender[] {
  const worth = ({ mean }: Contender) => {
    const value = read(mean, lead, grid)
    return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value
  }
  return contenders.sort((a, b) => byOrder(worth(b), worth(a)) || byOrder(a.name, b.name))
}

/** If there are several webs, the sums over all of them. */
function webOf(yardsticks: readonly Yardstick[]): Summary['web'] {
  const sum = { pages: 0, hosts: 0, sites: 0 }
  for (const { pages, hostOf, siteOf } of new Set(yardsticks.map(({ world }) => world))) {
    sum.pages += pages
    sum.hosts += new Set(hostOf).size
    sum.sites += new Set(siteOf).size
  }
  return sum
}

function factsOf(yardstick: Yardstick): TopicFacts {
  const { topic, web, reachable, relevant, leftOut, relevantHosts, sites } = yardstick
  return { topic, web, reachable, relevant, leftOut, relevantHosts, sites }
}

/** The source of relevance judgements: people, the stored crawl, the topic itself, or none. */
export type JudgedBy = 'truth' | 'crawl' | 'topic' | 'nobody'

/** Facts about a simulation that the figures do not contain. */
export type RunFacts = {
  /** The display name of the replayed web: a crawl's name, a folder. */
  readonly web: string
  /** The command line that repeats the simulation. */
  readonly command: string
  /** Gap between requests to one host in virtual milliseconds; null without politeness. */
  readonly delayMs: number | null
  readonly judgedBy: JudgedBy
}

type Reference = { readonly ideal: Float64Array; readonly random: Float64Array }
type References = ReadonlyMap<CurveKey, Reference>

/**
 * The results of a random and of an ideal order, for measures where they can be computed. Both ignore
 * links: the ideal fetches the best pages first whether or not it could know of them, so no crawl can beat
 * it and few come close.
 */
export function referencesFor(yardstick: Yardstick, grid: Float64Array): References {
  const whole = yardstick.reachable
  const random = grid.map((share) => (100 * pagesAt(share, whole)) / whole)
  const full = grid.map(() => 100)
  const found = new Map<CurveKey, Reference>([
    ['pagerankSum', { ideal: richestFirst(yardstick, grid), random }],
    ['csPagerank', { ideal: full, random }],
    ['csInDegree', { ideal: full, random }],
    ['stPagerank', { ideal: hottestFirst(yardstick.byPagerank, grid), random }],
    ['stInDegree', { ideal: hottestFirst(yardstick.byInDegree, grid), random }],
  ])
  if (yardstick.relevant > 0) addRelevance(found, yardstick, grid)
  return found
}

/** The mean over topics; it includes a measure if any topic has it. */
function meanReferences(each: readonly References[], points: number): References {
  const keys = new Set(each.flatMap((references) => [...references.keys()]))
  return new Map(
    [...keys].map((key) => {
      const having = each.flatMap((references) => references.get(key) ?? [])
      const ideal = meanCurve(
        having.map((reference) => reference.ideal),
        points,
      )
      const random = meanCurve(
        having.map((reference) => reference.random),
        points,
      )
      return [key, { ideal, random }]
    }),
  )
}

function addRelevance(
  found: Map<CurveKey, Reference>,
  { reachable, leftOut, relevant }: Yardstick,
  grid: Float64Array,
): void {
  const whole = reachable - leftOut
  const counts = grid.map((share) => pagesAt(share, whole))
  const best = counts.map((n) => Math.min(n, relevant))
  const byChance = counts.map((n) => (n * relevant) / whole)
  const per = (values: Float64Array, of: (at: number) => number) =>
    values.map((value, at) => (100 * value) / of(at))
  for (const [key, of] of [
    ['harvest', (at: number) => counts[at] ?? 1],
    ['recall', () => relevant],
    ['ofIdeal', (at: number) => best[at] ?? 1],
  ] as const) {
    found.set(key, { ideal: per(best, of), random: per(byChance, of) })
  }
}

function richestFirst(
  { world, byPagerank, pagerankSum }: Yardstick,
  grid: Float64Array,
): Float64Array {
  let sum = 0
  let at = 0
  return grid.map((share) => {
    const count = pagesAt(share, byPagerank.size)
    while (at < count) sum += world.pagerank[byPagerank.order[at++] ?? 0] ?? 0
    return (100 * sum) / pagerankSum
  })
}

function hottestFirst(ranking: Ranking, grid: Float64Array): Float64Array {
  const hot = hotCount(ranking, pagesAt(HOT_SHARE, ranking.size))
  return grid.map((share) => (100 * Math.min(hot, pagesAt(share, ranking.size))) / hot)
}
