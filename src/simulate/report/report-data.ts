// The data of a saved report: numbers and names, no words. The dashboard's code draws it in the browser. A
// figure that was not measured is null.
import type { Language } from '../../core/languages.ts'
import type { JudgedBy } from '../summary.ts'

/** Measures with a chart of their own. */
export const CHART_KEYS = [
  'harvest',
  'recall',
  'ofIdeal',
  'relevantHosts',
  'pagerankSum',
  'stPagerank',
  'jain',
] as const
export type ChartKey = (typeof CHART_KEYS)[number]

export type Value = number | null

export type ReportData = {
  readonly language: Language
  /** The version of Jelajah that made it. */
  readonly version: string
  readonly web: { readonly name: string; readonly hosts: number; readonly sites: number }
  /** Reachable pages: the minimum and maximum over topics. */
  readonly reachable: readonly [least: number, most: number]
  readonly command: string
  readonly delayMs: number | null
  readonly judgedBy: JudgedBy
  readonly topics: readonly string[]
  readonly seeds: readonly number[]
  /** A share of the reachable pages. */
  readonly budget: number
  /** The best first; curves, values and wins are in the same order. */
  readonly orderings: readonly { readonly name: string; readonly hostPolicy: string }[]
  readonly lead: Lead
  readonly charts: readonly Chart[]
  /** The same over virtual hours; empty if the replays had no virtual time. */
  readonly hourCharts: readonly Chart[]
  readonly topicCharts: readonly TopicChart[]
  readonly tables: readonly Table[]
  /** Number of topics on which each ordering beats each other; null with fewer than two topics. */
  readonly wins: readonly (readonly number[])[] | null
}

/** The measure that decides the order. */
export type Lead = {
  readonly key: 'nauc20' | 'recall' | 'pagerankSum'
  /** The share it was read at; null: it is a single value. */
  readonly share: number | null
  /** Number of topics that have it. */
  readonly topics: number
  readonly bars: readonly {
    readonly mean: Value
    /** Between topics; null with fewer than two. */
    readonly deviation: Value
    readonly topics: readonly { readonly name: string; readonly value: Value }[]
  }[]
  /** The first against the second; null without a second, or with one topic only. */
  readonly duel: {
    readonly wins: number
    readonly topics: number
    readonly difference: Value
  } | null
}

export type Chart = {
  readonly key: ChartKey
  /** Least end of the axes. */
  readonly xMax: number
  readonly yMax: number
  readonly curves: readonly Curve[]
  /** The results of an ideal and of a random order. */
  readonly references: { readonly ideal: Curve; readonly random: Curve } | null
}

export type Curve = {
  /** x and y in turn; two nulls leave a gap. */
  readonly points: readonly Value[]
  /** The last value. */
  readonly end: Value
  /** The end of the replays; the line continues level from there. */
  readonly endedAt?: Value
}

export type TopicChart = {
  readonly key: ChartKey
  readonly xMax: number
  readonly yMax: number
  readonly panels: readonly {
    readonly topic: string
    readonly relevant: number
    readonly curves: readonly Curve[]
  }[]
}

export type TableKind = 'relevance' | 'importance' | 'spread'

export type Table = { readonly kind: TableKind; readonly groups: readonly TableGroup[] }

export type TableGroup = {
  readonly key:
    | 'nauc20'
    | 'harvest'
    | 'recall'
    | 'relevantHosts'
    | 'pagerankSum'
    | 'csPagerank'
    | 'stPagerank'
    | 'bcPagerank'
    | 'jain'
    | 'gini'
    | 'entropy'
  readonly columns: readonly TableColumn[]
}

export type TableColumn = {
  /** Null: a single value. */
  readonly share: number | null
  readonly digits: number
  readonly values: readonly Value[]
  readonly best: Value
  /** Between topics, if shown. */
  readonly deviations: readonly Value[] | null
}
