// An experiment is a grid of crawls over factors, each repeated, and what was measured of each. A plan says
// which; a folder keeps the results.
//
//   plan file ─▶ plan ─▶ grid of cells ─▶ one result per cell, a file each ─▶ tables, figures, report
//
// Rules for all of it: a cell's result is written whole or not at all, and a cell without one is run from
// scratch; outputs are made from the results alone, so an experiment that was interrupted gives the same files
// as one that was not; a simulated cell gives the same bytes each time; what was not measured is null.

/** Simulated crawls replay a known web in virtual time; real ones fetch it. */
export const KINDS = ['simulate', 'crawl'] as const
export type Kind = (typeof KINDS)[number]

/** What is crawled. */
export type PlanWeb =
  /** A web made up for the purpose, whose links and topics are known: one per repeat. */
  | { readonly from: 'sample'; readonly sample: string }
  /** The larger sample web, for crawls of full speed: one per repeat. */
  | {
      readonly from: 'hosts'
      readonly pages: number
      readonly hosts: number
      readonly meanBytes: number
    }
  /** A stored crawl: it is replayed, or its seeds are crawled again and compared with it. */
  | { readonly from: 'data'; readonly data: string; readonly crawl: string | null }
  /** A simulated experiment first crawls them, up to `pages`. */
  | { readonly from: 'seeds'; readonly seeds: readonly string[]; readonly pages: number }

/** Options of a crawl by their names in camel case; also `topic`, `bandwidth`, `latency` and the like. */
export type Choices = Readonly<Record<string, unknown>>

export type Level = { readonly label: string; readonly set: Choices }

export type Factor = { readonly name: string; readonly levels: readonly Level[] }

/** G: the best share of the pages by any metric, or a value of one metric. */
export type Threshold = { readonly share: number } | { readonly of: string; readonly least: number }

/** What the three stop models measure; see stop-models.ts. */
export type ModelSettings = {
  /** Importance metrics, as for `--importance`, or `forward-links`. */
  readonly importance: readonly string[]
  /** Shares of the pages at which values are read. */
  readonly stops: readonly number[]
  readonly thresholds: readonly Threshold[]
  /** Sizes of the buffer, as shares of the pages. */
  readonly buffers: readonly number[]
}

/** A measure in a table: `p_cs/pagerank@20%` is measure, `of` and `at`. */
export type MeasureRef = { readonly measure: string; readonly of: string; readonly at: string }

export type TablePlan = {
  readonly name: string
  readonly title: string
  /** Factors whose levels are rows; others are averaged. */
  readonly rows: readonly string[]
  /** A factor whose levels are groups of columns; null: none. */
  readonly across: string | null
  readonly columns: readonly MeasureRef[]
}

export type FigurePlan = {
  readonly name: string
  readonly title: string
  /** The measure of each bar; null: the figure has curves. */
  readonly bars: MeasureRef | null
  readonly curve: string
  readonly of: string
  /** Factors whose levels have a line or a bar each; others are averaged. */
  readonly lines: readonly string[]
}

export type Plan = {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly kind: Kind
  readonly web: PlanWeb
  /** The same in all cells. */
  readonly options: Choices
  readonly factors: readonly Factor[]
  readonly repeats: number
  /** Repeat r has this seed plus r. */
  readonly seed: number
  /** Factor → label: what the others are compared with; empty: nothing is. */
  readonly baseline: Readonly<Record<string, string>>
  readonly models: ModelSettings
  /** Null: those that fit what was measured. */
  readonly tables: readonly TablePlan[] | null
  readonly figures: readonly FigurePlan[] | null
  /** Page map and site map of each crawl. */
  readonly maps: boolean
  /** A table of sites before and after ordering by size. */
  readonly sites: boolean
}

/** One crawl of the grid. */
export type Cell = {
  /** From 1. */
  readonly number: number
  /** Differs when anything differs that the result depends on. */
  readonly key: string
  /** Factor → label. */
  readonly labels: Readonly<Record<string, string>>
  readonly options: Choices
  /** From 0. */
  readonly repeat: number
  readonly seed: number
}

export type Value = number | null

export type Measured = MeasureRef & { readonly value: Value; readonly unit: string }

export type MeasuredCurve = {
  readonly curve: string
  /** A metric or a process; '' if there is only one. */
  readonly of: string
  readonly x: readonly number[]
  readonly y: readonly Value[]
  readonly xUnit: string
  readonly yUnit: string
}

/** A site of the crawled web. */
export type SiteRow = {
  readonly host: string
  /** Its position in the list of seeds, from 1; null: it is no seed. */
  readonly seedPosition: number | null
  /** Pages known of it at the end: fetched and waiting. */
  readonly size: number
  readonly pages: number
  /** When half of its fetched pages were there, in seconds; null without pages. */
  readonly halfAt: Value
}

export type CellResult = {
  readonly key: string
  readonly measures: readonly Measured[]
  readonly curves: readonly MeasuredCurve[]
  readonly sites: readonly SiteRow[]
  /** Files of maps, relative to the folder of the experiment. */
  readonly maps: readonly string[]
  /** What a reader should know of this cell. */
  readonly notes: readonly string[]
}

export type DoneCell = { readonly cell: Cell; readonly result: CellResult }

type ExperimentWatcher = {
  /** `share` of the cell that runs, 0 to 1. */
  onProgress(cell: Cell, share: number): void
  /** `seconds` null: it was done before. */
  onDone(done: DoneCell, seconds: number | null): void
  onNotice(text: string): void
}

export type ExperimentOptions = {
  readonly plan: Plan
  /** Files that a plan names are relative to it. */
  readonly cwd: string
  /** Where results are kept. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly watcher: ExperimentWatcher
}

/** `p_cs/pagerank@20%`. */
export function refText({ measure, of, at }: MeasureRef): string {
  return `${measure}${of === '' ? '' : `/${of}`}${at === '' ? '' : `@${at}`}`
}

/** Four digits are more than enough for a share; counts keep all of theirs. */
export function rounded(value: number): Value {
  if (!Number.isFinite(value)) return null
  return Math.abs(value) < 1000 ? Number(value.toPrecision(5)) : Number(value.toFixed(1))
}

/** `20%`, `0.5%`. */
export function shareText(share: number): string {
  return `${Number((100 * share).toPrecision(6))}%`
}
