// What becomes of a job that an error ended. Who asked for it reads a note; who runs the server, all of it.

import { CrawlerError, firstError, InvalidInput } from '../core/errors.ts'
import { isServerUrl, type WorkspaceUrl } from '../core/workspace-url.ts'
import type { JobEnd } from '../crawl/job-run.ts'
import { asCrawlerError } from '../db/sqlite-errors.ts'
import { safeText } from '../lib/terminal.ts'
import { messageOf } from '../options/message-of-error.ts'
import { noteOfError } from './note-of-error.ts'

export function endOfError(crawlId: number, thrown: unknown, workspace: WorkspaceUrl): JobEnd {
  const error = asCrawlerError(firstError(thrown))
  if (!(error instanceof InvalidInput)) {
    for (const line of messageOf(error).split('\n')) {
      process.stderr.write(`jelajah: crawl ${crawlId}: ${safeText(line)}\n`)
    }
  }
  const note = noteOfError(error, workspace)
  // A folder that is gone is the job's end; servers come back, and the job goes on.
  const isAway = error instanceof CrawlerError && error.code === 'store-unreachable'
  if (isAway && isServerUrl(workspace.data)) return { outcome: 'unreachable', note }
  return { outcome: 'rested', status: 'failed', note }
}
