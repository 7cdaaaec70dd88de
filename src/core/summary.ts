import type { JobStatus } from './job.ts'

/** The `--json` summary of a crawl; its field names are public. */
export type CrawlSummary = {
  readonly crawl: number
  readonly status: JobStatus
  readonly stored: number
  readonly duplicates: number
  /** What the web or a rule forbade. */
  readonly refused: number
  /** Links that scope, globs or depth left out. */
  readonly outside: number
  readonly failed: number
  readonly queued: number
  readonly bytes: number
  /** Stored pages that were cut at `--max-body`, or had more blocks than are kept. */
  readonly truncated: number
  readonly seconds: number
  readonly pages_per_second: number
  readonly hosts: Readonly<Record<string, number>>
  /** Jain's index over the seeds' domains, by what each could have been given; see fairness.ts. */
  readonly fairness: number
  /** How many domains it compares: below two it is 1 and says nothing. */
  readonly fairness_over: number
  readonly ordering: string
  /** Why it ended, where the status alone does not say. */
  readonly note?: string
  /** Why URLs were refused, left out or failed, by code, the most frequent first; at most ten. */
  readonly reasons: Readonly<Record<string, number>>
  /** Of a crawl that was gone over again. */
  readonly refresh?: RefreshSummary
} & Partial<FocusSummary>

/** What a round has found so far, over all its runs; duplicates are pages here, too. */
export type RefreshSummary = {
  /** From 1. */
  readonly round: number
  readonly new: number
  readonly changed: number
  readonly gone: number
  readonly unchanged: number
  /** Pages it has no answer about; the next three are what they are made of. */
  readonly kept: number
  /** Left alone, because they most likely are as they were. */
  readonly not_due: number
  /** Still to be asked for. */
  readonly not_yet: number
  /** Asked for to no end, or out of reach. */
  readonly unanswered: number
}

/** What a focused crawl adds. */
export type FocusSummary = {
  /** What it is about, as the user put it. */
  readonly topic: string
  /** Pages judged by all runs, those not kept included. */
  readonly judged: number
  /** Hot ones among them; also there where hot is a matter of importance alone. */
  readonly hot: number
  /** Hot pages ÷ pages judged, and the same of the last pages of this run; null when there is none. */
  readonly harvest_rate: number | null
  readonly recent_harvest_rate: number | null
}
