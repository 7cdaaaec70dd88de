import type { JobStatus } from './job.ts'

/** The `--json` summary of a crawl; its field names are public. */
export type CrawlSummary = {
  readonly crawl: number
  readonly status: JobStatus
  readonly stored: number
  readonly duplicates: number
  readonly refused: number
  readonly failed: number
  readonly queued: number
  readonly bytes: number
  readonly seconds: number
  readonly pages_per_second: number
  readonly hosts: Readonly<Record<string, number>>
  readonly fairness: number
}
