// Recrawls of a crawl. One is begun in the store, then in the frontier, and ends when everything was visited.
// A run that finds a recrawl half begun or cut short continues it.
import { setImmediate } from 'node:timers/promises'
import type { JobRecord } from '../core/job.ts'
import type { RefreshSummary } from '../core/summary.ts'
import type { PageToRevisit } from '../frontier/recrawls.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { showCount } from '../lib/format.ts'
import type { KnownPage, Recrawl, RecrawlCounts, RecrawlStore } from '../store/recrawl-store.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { RunWatcher } from './job-run.ts'

const PAGES_AT_ONCE = 2000
/** Puts a duplicate just before its original, so that the original has no duplicates left when it changes. */
const JUST_BEFORE = 1e-6

type Where = { readonly job: JobRecord; readonly workspace: Workspace }

/**
 * Begins the next recrawl of a finished crawl, unless the last one is still open. False if the crawl has not
 * finished and has no open recrawl.
 */
export async function askForRecrawl({ job, workspace }: Where, due: boolean): Promise<boolean> {
  await using recrawls = await workspace.recrawlStore()
  const last = await recrawls.last(job.id)
  if (isOpen(last)) return true
  const isAtItsEnd = job.status === 'completed' || job.status === 'incomplete'
  if (!isAtItsEnd && !isCutShort(job, last)) return false
  await recrawls.begin(job.id, { due })
  return true
}

function isOpen(round: Recrawl | null): round is Recrawl {
  return round !== null && round.endedAt === null
}

/** Whether the last recrawl is still open, or was finished without being recorded. */
export async function hasOpenRecrawl({ job, workspace }: Where): Promise<boolean> {
  await using recrawls = await workspace.recrawlStore()
  const last = await recrawls.last(job.id)
  return isOpen(last) || isCutShort(job, last)
}

/** Killed after the end of its recrawl: only a finished crawl has recrawls. */
function isCutShort({ status }: JobRecord, last: Recrawl | null): boolean {
  return status === 'running' && last !== null
}

/** The recrawl of this run, prepared; null if this run is none. */
export async function takeUpRecrawl(
  { job, workspace }: Where,
  watcher: RunWatcher,
): Promise<Recrawl | null> {
  await using recrawls = await workspace.recrawlStore()
  const round = await recrawls.last(job.id)
  if (!isOpen(round)) return null
  if (!(await workspace.hasFrontier(job.id))) return null
  await workspace.beginRecrawl({
    job,
    round: round.round,
    onlyPages: round.due,
    pages: pagesOf(recrawls, job.id, round),
    onProgress: (urls) => watcher.onBusy(`round ${round.round}: ${showCount(urls)} URLs to visit`),
  })
  return round
}

export async function endRecrawl({ job, workspace }: Where, { round }: Recrawl): Promise<void> {
  await using recrawls = await workspace.recrawlStore()
  await recrawls.end(job.id, round)
}

export async function summariseRecrawl(
  { job, workspace }: Where,
  { round }: Recrawl,
): Promise<RefreshSummary> {
  await using recrawls = await workspace.recrawlStore()
  await using urlStates = await workspace.urlStates(job)
  return summaryOf(round, await recrawls.counts(job.id, round), urlStates)
}

/** `urlStates`: of the crawl's frontier; null if there is none. */
export async function summaryOf(
  round: number,
  { added, changed, gone, unchanged, kept, notDue }: RecrawlCounts,
  urlStates: UrlStates | null,
): Promise<RefreshSummary> {
  const asked = kept - notDue
  // If the frontier does not know the recrawl yet, nothing was requested.
  const notYet = Math.min(asked, (await urlStates?.pagesToRevisit(round)) ?? asked)
  const why = { not_due: notDue, not_yet: notYet, unanswered: asked - notYet }
  return { round, new: added, changed, gone, unchanged, kept, ...why }
}

async function* pagesOf(
  recrawls: RecrawlStore,
  crawlId: number,
  { round, due: onlyDue, beganAt: now }: Recrawl,
): AsyncGenerator<readonly PageToRevisit[]> {
  let notDue = 0
  for (let after = 0; ; ) {
    const pages = await recrawls.pages({ crawlId, after, limit: PAGES_AT_ONCE, now })
    const last = pages.at(-1)
    if (last === undefined) break
    const wanted = onlyDue ? pages.filter(({ due }) => due) : pages
    notDue += pages.length - wanted.length
    yield wanted.map(toRevisit)
    after = last.id
    await setImmediate()
  }
  // Before the frontier begins the recrawl; afterwards they can no longer be counted.
  await recrawls.setNotDue(crawlId, round, notDue)
}

function toRevisit({ likely, likelyFirst, ...page }: KnownPage): PageToRevisit {
  const { url, etag, lastModified, contentHash } = page
  const priority = likelyFirst === null ? likely : Math.max(likely, likelyFirst) + JUST_BEFORE
  return { url, etag, lastModified, contentHash, priority }
}
