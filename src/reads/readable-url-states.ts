import { CrawlerError } from '../core/errors.ts'
import type { JobRecord } from '../core/job.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import type { WorkspaceFiles } from './workspace-files.ts'

/** For those who can do without: null also when the frontier is damaged, or of another version. */
export async function readableUrlStates(
  files: WorkspaceFiles,
  job: JobRecord,
): Promise<UrlStates | null> {
  try {
    return await files.ledger(job)
  } catch (error) {
    if (error instanceof CrawlerError) return null
    throw error
  }
}
