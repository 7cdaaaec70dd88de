// `jelajah doctor --rebuild-frontier`: frontiers that were lost or damaged are made anew from what the store
// knows. Crawls that somebody runs are left alone, and so are frontiers that are there.

import { CrawlerError } from '../../core/errors.ts'
import type { JobRecord } from '../../core/job.ts'
import { frontierNeeds } from '../../crawl/frontier-needs.ts'
import { systemClock } from '../../lib/clock.ts'
import { chooseCrawl } from '../../workspace/find-crawl.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'

type RebuildWanted = { readonly crawl?: string | null; readonly json: boolean }

type Rebuilt = {
  readonly crawl: number
  /** `rebuilt`: it was gone. `there`: nothing to do. `running`: it is gone, and somebody has the crawl. */
  readonly result: 'rebuilt' | 'there' | 'running'
  /** URLs it has now; null where it was left alone. */
  readonly urls: number | null
}

export async function rebuildFrontiers(
  workspace: Workspace,
  { crawl = null, json }: RebuildWanted,
  out: Output,
): Promise<ExitCode> {
  const rebuilt: Rebuilt[] = []
  for (const job of await crawlsOf(workspace, crawl)) {
    const result = await rebuildOne(workspace, job)
    rebuilt.push(result)
    if (!json && (result.result !== 'there' || crawl !== null)) await out.write(textOf(result))
  }
  if (json) await out.write(`${JSON.stringify({ frontiers: rebuilt })}\n`)
  else if (rebuilt.every(({ result }) => result === 'there') && crawl === null) {
    await out.write('no frontier is missing\n')
  }
  return rebuilt.some(({ result }) => result === 'running') ? EXIT.error : EXIT.done
}

async function crawlsOf(workspace: Workspace, crawl: string | null): Promise<readonly JobRecord[]> {
  if (crawl !== null) return [await chooseCrawl(workspace, crawl)]
  await using jobs = await workspace.jobReader()
  if (jobs === null)
    throw new CrawlerError('store-unreachable', `no crawl is in ${workspace.shown}`)
  const whole: JobRecord[] = []
  // A list leaves topics out, which say how URLs are scored.
  for (const { id } of await jobs.list({})) {
    const job = await jobs.get(id)
    if (job !== null) whole.push(job)
  }
  return whole
}

async function rebuildOne(workspace: Workspace, job: JobRecord): Promise<Rebuilt> {
  const { id } = job
  await using lock = await workspace.lock(`crawl-${id}`)
  if (lock === null) {
    const result = (await workspace.hasFrontier(id)) ? 'there' : 'running'
    return { crawl: id, result, urls: null }
  }
  const urls = await workspace.rebuildFrontier(frontierNeeds(job, systemClock))
  return { crawl: id, result: urls === null ? 'there' : 'rebuilt', urls }
}

function textOf({ crawl, result, urls }: Rebuilt): string {
  if (result === 'running') return `crawl ${crawl}: somebody runs it; stop it first\n`
  if (result === 'there') return `crawl ${crawl}: its frontier is there, nothing to do\n`
  return `crawl ${crawl}: its frontier is there again, with ${urls} URLs\n`
}
