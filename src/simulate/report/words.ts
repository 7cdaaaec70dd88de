// The report's words: a language is one table of them. Numbers come ready to print.
import { fit, safeText } from '../../lib/terminal.ts'
import type { JudgedBy } from '../run-facts.ts'

const NAME_CELLS = 28

/** What has a chart of its own. */
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

export type ChartWords = {
  readonly title: string
  readonly axis: string
  /** One or two sentences: what it is and how to read it. */
  readonly what: string
}

export type Words = {
  readonly decimalMark: string
  readonly groupMark: string
  readonly title: string
  /** A word before the number of a picture or table. */
  readonly figure: string
  readonly table: string
  readonly ordering: string
  readonly hostPolicy: string
  readonly ideal: string
  readonly random: string
  readonly legend: string
  readonly axisShare: string
  readonly axisHours: string
  readonly perTopic: string
  readonly reproduce: string
  readonly referencesNote: string
  readonly charts: { readonly [K in ChartKey]: ChartWords }
  readonly overHours: (title: string) => string
  readonly overHoursNote: string
  readonly leadTitle: (lead: string) => string
  readonly leadWhat: string
  readonly leadNames: {
    readonly nauc20: string
    readonly other: (name: string, at: string) => string
  }
  readonly naucWhat: string
  readonly multiplesTitle: (title: string) => string
  readonly multiplesWhat: string
  readonly relevantPages: (count: string) => string
  readonly winsTitle: string
  readonly winsWhat: (lead: string, topics: string) => string
  readonly winsHead: string
  readonly tables: {
    readonly relevance: string
    readonly importance: string
    readonly spread: string
    readonly what: string
    readonly nauc: string
    readonly deviation: string
    readonly hosts: string
    readonly fairness: string
    readonly entropy: string
  }
  /** The sentence at the top. */
  readonly verdict: (best: string, lead: string, value: string) => string
  readonly beats: (other: string, wins: string, topics: string, difference: string) => string
  readonly facts: {
    readonly web: string
    readonly pages: string
    readonly reachable: (pages: string, hosts: string, sites: string) => string
    readonly topics: string
    readonly budget: string
    readonly budgetShare: (share: string) => string
    readonly seeds: string
    readonly politeness: string
    readonly noDelay: string
    readonly delay: (ms: string) => string
    readonly made: string
    /** Who said what is relevant: the last sentence of a caption. */
    readonly judges: Readonly<Record<JudgedBy, string>>
  }
  /** On what, with which budget and seeds: part of every caption. */
  readonly setting: (of: Setting) => string
}

export type Setting = {
  readonly web: string
  readonly pages: string
  readonly hosts: string
  readonly topics: number
  readonly seeds: string
  readonly budget: string
  readonly delay: string
  readonly judge: string
}

/** A name that leaves room for the picture beside it. */
export function shortName(name: string): string {
  return fit(safeText(name), NAME_CELLS)
}

/** `12,345` or `12.345`. */
export function showCount(value: number, words: Words): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, words.groupMark)
}

/** A dash when it was not measured. */
export function showDecimal(value: number, digits: number, words: Words): string {
  if (!Number.isFinite(value)) return '–'
  return value.toFixed(digits).replace('-', '−').replace('.', words.decimalMark)
}

/** `2 %`, `12.5 %`; the space does not break. */
export function showShare(share: number, words: Words): string {
  const percent = Number((100 * share).toFixed(1))
  return `${String(percent).replace('.', words.decimalMark)}\u00a0%`
}
