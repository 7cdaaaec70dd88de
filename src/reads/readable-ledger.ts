import { CrawlerError } from '../core/errors.ts'
import type { JobRecord } from '../core/job.ts'
import type { UrlLedger } from '../frontier/url-ledger.ts'
import type { PlaceFiles } from './workspace-files.ts'

/** For those who can do without: null also when the frontier is damaged, or of another version. */
export async function readableLedger(files: PlaceFiles, job: JobRecord): Promise<UrlLedger | null> {
  try {
    return await files.ledger(job)
  } catch (error) {
    if (error instanceof CrawlerError) return null
    throw error
  }
}
