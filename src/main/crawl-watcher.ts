import type { JobRecord } from '../core/job.ts'
import type { Progress } from '../crawl/progress.ts'

/** Who watches a crawl: the terminal, a log, a test. */
export type CrawlWatcher = {
  readonly onStart: (job: JobRecord, continued: boolean) => void
  readonly onProgress: (job: JobRecord, progress: Progress) => void
  readonly onNotice: (text: string) => void
  /** What is done while no page is fetched, before the crawl and after it. */
  readonly onBusy: (text: string) => void
  /** Hands over the way to end the crawl early. */
  readonly onDrainable: (drain: () => void) => void
}
