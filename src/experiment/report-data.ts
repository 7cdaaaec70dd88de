// The data of an experiment's report: numbers and names, ready to be shown. The dashboard's code draws it in the
// browser. A figure that was not measured is null.
import type { Language } from '../core/languages.ts'

export type Value = number | null

export type ExperimentReport = {
  readonly language: Language
  /** The version of Jelajah that made it. */
  readonly version: string
  readonly title: string
  readonly about: string
  readonly kind: 'simulate' | 'crawl'
  readonly web: string
  readonly command: string
  /** Where real crawls ran; null for simulated ones, which run alike everywhere. */
  readonly machine: string | null
  readonly repeats: number
  readonly seeds: readonly number[]
  readonly cells: number
  readonly factors: readonly { readonly name: string; readonly levels: readonly string[] }[]
  readonly figures: readonly ReportFigure[]
  readonly tables: readonly ShownTable[]
  /** Maps of crawls: files beside the report. */
  readonly maps: readonly { readonly label: string; readonly files: readonly string[] }[]
  readonly notes: readonly string[]
}

/** Lines or bars; the other list is empty. */
export type ReportFigure = {
  readonly name: string
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  readonly xMax: number
  readonly yMax: number
  readonly digits: number
  readonly lines: readonly {
    readonly name: string
    /** x and y in turn; two nulls leave a gap. */
    readonly points: readonly Value[]
    /** x, low and high in turn; empty without repeats. */
    readonly band: readonly Value[]
    readonly end: Value
  }[]
  readonly bars: readonly {
    readonly name: string
    readonly mean: Value
    /** Half the width of the confidence interval. */
    readonly half: Value
    readonly values: readonly number[]
  }[]
}

export type ShownTable = {
  readonly name: string
  readonly title: string
  /** Heads of the columns with names of rows. */
  readonly left: readonly string[]
  /** Titles above columns; empty: there are none. */
  readonly groups: readonly { readonly title: string; readonly span: number }[]
  readonly columns: readonly {
    readonly head: string
    readonly sub: string
    readonly digits: number
  }[]
  readonly rows: readonly {
    readonly labels: readonly string[]
    readonly cells: readonly {
      readonly mean: Value
      readonly half: Value
      readonly isBest: boolean
    }[]
  }[]
}
