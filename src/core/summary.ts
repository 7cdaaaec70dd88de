import type { JobStatus } from './job.ts'

/** The `--json` summary of a crawl; its field names are public. */
export type CrawlSummary = {
  readonly crawl: number
  readonly status: JobStatus
  readonly stored: number
  readonly duplicates: number
  /** URLs refused by the web or by a rule. */
  readonly refused: number
  /** URLs excluded by scope, globs or depth. */
  readonly outside: number
  readonly failed: number
  readonly queued: number
  readonly bytes: number
  /** Stored pages that were cut: at `--max-body`, or at the limit of blocks. */
  readonly truncated: number
  readonly seconds: number
  readonly pages_per_second: number
  readonly hosts: Readonly<Record<string, number>>
  /** Jain's index over the domains of the seeds; see fairness.ts. */
  readonly fairness: number
  /** The number of domains it compares; below two it is always 1. */
  readonly fairness_over: number
  readonly ordering: string
  /** Why it ended, if the status alone does not say it. */
  readonly note?: string
  /** Reasons of refused, excluded and failed URLs by code, the most frequent first; at most ten. */
  readonly reasons: Readonly<Record<string, number>>
  /** Only for a recrawl. */
  readonly refresh?: RefreshSummary
} & Partial<FocusSummary>

/** Results of a recrawl so far, over all its runs. Duplicates count as pages here. */
export type RefreshSummary = {
  /** From 1. */
  readonly round: number
  readonly new: number
  readonly changed: number
  readonly gone: number
  readonly unchanged: number
  /** Pages without a new response: the sum of the next three. */
  readonly kept: number
  /** Not visited, because they probably did not change. */
  readonly not_due: number
  /** Not visited yet. */
  readonly not_yet: number
  /** Requested without success, or unreachable. */
  readonly unanswered: number
}

/** Additional fields of a focused crawl. */
export type FocusSummary = {
  /** The topic in the user's words. */
  readonly topic: string
  /** Pages judged in all runs, including those not stored. */
  readonly judged: number
  /** Hot pages among them; also set if hotness depends on importance alone. */
  readonly hot: number
  /** Hot pages ÷ judged pages, in total and for the latest pages of this run; null if none was judged. */
  readonly harvest_rate: number | null
  readonly recent_harvest_rate: number | null
}
