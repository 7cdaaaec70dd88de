import type { JobRecord } from '../core/job.ts'
import type { Drain } from './job-run.ts'
import type { Progress } from './progress.ts'

/** Who watches one run of a crawl: the terminal, a server, a test. */
export type RunWatcher = {
  readonly onProgress: (progress: Progress) => void
  readonly onNotice: (text: string) => void
  /** What is done while no page is fetched, before the crawl and after it. */
  readonly onBusy: (text: string) => void
  /** Hands over the way to end the crawl early. */
  readonly onDrainable: (drain: Drain) => void
}

/** Who watches `jelajah crawl`. */
export type CrawlWatcher = RunWatcher & {
  readonly onStart: (job: JobRecord, continued: boolean) => void
}
