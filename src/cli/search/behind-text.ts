// What is said where the index could not follow the store, and what would make it follow.

import { CrawlerError } from '../../core/errors.ts'
import { isRunning } from '../../jobs/job-reader.ts'
import { showNumber } from '../../lib/format.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** For who does not write the index any more. */
export async function behindText(
  workspace: Workspace,
  crawlId: number,
  behind: number,
): Promise<string> {
  const what = `${showNumber(behind, 'change')} of the store cannot be searched yet`
  const isOutrun = (await isRunning(workspace, crawlId)) && !(await isKept(workspace))
  if (!isOutrun) return what
  return `${what}: a crawl runs; 'jelajah index --follow', or --index on the crawl, keeps up with it`
}

/** A lock that this user may not look at counts as held: better no word than a wrong one. */
async function isKept(workspace: Workspace): Promise<boolean> {
  try {
    return await workspace.isLocked('search')
  } catch (error) {
    if (error instanceof CrawlerError) return true
    throw error
  }
}
