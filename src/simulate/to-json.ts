// The whole comparison for programs. Names are snake_case; percentages are 0 to 100; values that were not
// measured are null. Fields may be added; renaming or removing one needs a new `version`.
import { duel } from './comparison.ts'
import type { Contender } from './contenders.ts'
import {
  CURVE_KEYS,
  CURVE_MEASURES,
  type Measure,
  SINGLE_KEYS,
  SINGLE_MEASURES,
  type Spread,
} from './measures.ts'
import type { Figures } from './metrics.ts'
import type { Reading } from './reading.ts'
import { CHECKPOINTS } from './replay-result.ts'
import {
  type JudgedBy,
  type RunFacts,
  type Summary,
  seedDeviation,
  topicSpread,
} from './summary.ts'

type Value = number | null
type Values = Readonly<Record<string, Value>>
type Lists = Readonly<Record<string, readonly Value[]>>

type SimulationJson = {
  readonly format: 'jelajah-simulation'
  readonly version: 1
  readonly web: {
    readonly name: string
    readonly pages: number
    readonly hosts: number
    readonly sites: number
  }
  readonly command: string
  readonly delay_ms: number | null
  /** The source of relevance judgements: `truth` (people), `crawl`, `topic` (self-judged) or `nobody`. */
  readonly judged_by: JudgedBy
  readonly topics: readonly {
    readonly name: string
    /** The name of the web, if there are several. */
    readonly web?: string
    readonly reachable: number
    /** Reachable and not an example. */
    readonly relevant: number
    readonly relevant_hosts: number
    readonly examples: number
    readonly sites: number
  }[]
  readonly seeds: readonly number[]
  /** The shares of the reachable pages at which `checkpoints` were read. */
  readonly checkpoints: readonly number[]
  /** The shares of the reachable pages at which `curves` have points. */
  readonly shares: readonly number[]
  readonly measures: readonly {
    readonly name: string
    readonly unit: string
    readonly better: string
    readonly about: string
  }[]
  /** The reading that decides the order: a measure, and the share it was read at (null: a single value). */
  readonly lead: { readonly measure: string; readonly share: number | null }
  /** The best first. */
  readonly orderings: readonly OrderingJson[]
  /** Each pair once, topic by topic, by the lead. */
  readonly duels: readonly {
    readonly a: string
    readonly b: string
    readonly a_wins: number
    readonly b_wins: number
    readonly topics: number
    /** Mean of a's value minus b's. */
    readonly difference: Value
    readonly deviation: Value
  }[]
  /** Measure → results of the ideal and of a random order, along `shares`, mean over topics. */
  readonly references: Readonly<
    Record<string, { readonly ideal: readonly Value[]; readonly random: readonly Value[] }>
  >
}

type OrderingJson = FiguresJson & {
  readonly name: string
  readonly ordering: string
  readonly host_policy: string
  /** The lead over topics; `seed_deviation` is that between seeds of the same topic. */
  readonly spread: {
    readonly mean: Value
    readonly deviation: Value
    readonly min: Value
    readonly max: Value
    readonly topics: number
    readonly seed_deviation: Value
  }
  readonly topics: readonly (FiguresJson & { readonly name: string })[]
}

type FiguresJson = {
  readonly singles: Values
  readonly checkpoints: Lists
  readonly curves: Lists
  /** Virtual hours along `shares`; null without politeness. */
  readonly hours: readonly Value[] | null
}

/** Without the real duration: the same comparison gives the same bytes. */
const SINGLES_KEPT = SINGLE_KEYS.filter((key) => key !== 'pagesPerSecond')

export function toJson(
  summary: Summary,
  { web, command, delayMs, judgedBy }: RunFacts,
): SimulationJson {
  return {
    format: 'jelajah-simulation',
    version: 1,
    web: { name: web, ...summary.web },
    command,
    delay_ms: delayMs,
    judged_by: judgedBy,
    topics: summary.topics.map((facts) => ({
      name: facts.topic,
      ...(facts.web !== '' && { web: facts.web }),
      reachable: facts.reachable,
      relevant: facts.relevant,
      relevant_hosts: facts.relevantHosts,
      examples: facts.leftOut,
      sites: facts.sites,
    })),
    seeds: summary.seeds,
    checkpoints: CHECKPOINTS,
    shares: Array.from(summary.grid, (share) => Number(share.toPrecision(6))),
    measures: [
      ...SINGLES_KEPT.map((key) => described(SINGLE_MEASURES[key])),
      ...CURVE_KEYS.map((key) => described(CURVE_MEASURES[key])),
    ],
    lead: { measure: snake(summary.lead.key), share: summary.lead.share ?? null },
    orderings: summary.contenders.map((contender) => orderingOf(summary, contender)),
    duels: duelsOf(summary, summary.lead),
    references: Object.fromEntries(
      [...summary.references].map(([key, { ideal, random }]) => [
        snake(key),
        { ideal: allRounded(ideal), random: allRounded(random) },
      ]),
    ),
  }
}

function orderingOf(summary: Summary, contender: Contender): OrderingJson {
  const { name, ordering, hostPolicy, byTopic, mean } = contender
  const spread = topicSpread(summary, contender, summary.lead)
  return {
    name,
    ordering,
    host_policy: hostPolicy,
    spread: spreadJson(spread, seedDeviation(summary, contender, summary.lead)),
    ...figuresOf(mean, summary.grid),
    topics: [...byTopic].map(([topic, figures]) => ({
      name: topic,
      ...figuresOf(figures, summary.grid),
    })),
  }
}

function spreadJson(spread: Spread, betweenSeeds: number): OrderingJson['spread'] {
  return {
    mean: rounded(spread.mean),
    deviation: rounded(spread.deviation),
    min: rounded(spread.min),
    max: rounded(spread.max),
    topics: spread.count,
    seed_deviation: rounded(betweenSeeds),
  }
}

function figuresOf({ singles, curves, hours }: Figures, grid: Float64Array): FiguresJson {
  const places = CHECKPOINTS.map((share) => grid.indexOf(share))
  const listed = (values: (curve: Float64Array) => Value[]) =>
    Object.fromEntries(CURVE_KEYS.map((key) => [snake(key), values(curves[key])]))
  return {
    singles: Object.fromEntries(SINGLES_KEPT.map((key) => [snake(key), rounded(singles[key])])),
    checkpoints: listed((curve) => places.map((at) => rounded(curve[at] ?? Number.NaN))),
    curves: listed(allRounded),
    hours: hours === null ? null : allRounded(hours),
  }
}

function duelsOf(summary: Summary, lead: Reading): SimulationJson['duels'] {
  return summary.contenders.flatMap((a, at) =>
    summary.contenders.slice(at + 1).map((b) => {
      const { wins, losses, topics, difference, deviation } = duel(summary, a, b, lead)
      const values = { difference: rounded(difference), deviation: rounded(deviation) }
      return { a: a.name, b: b.name, a_wins: wins, b_wins: losses, topics, ...values }
    }),
  )
}

function described({ key, unit, better, about }: Measure<string>) {
  return { name: snake(key), unit, better, about }
}

function allRounded(curve: Float64Array): Value[] {
  return Array.from(curve, rounded)
}

/** Four digits are more than enough for a share; counts keep all of theirs. */
export function rounded(value: number): Value {
  if (!Number.isFinite(value)) return null
  return Math.abs(value) < 1000 ? Number(value.toPrecision(4)) : Number(value.toFixed(1))
}

/** `csInDegree` → `cs_in_degree`. */
function snake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
