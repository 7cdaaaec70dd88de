// Rounds of a crawl: begun in the store, then in the frontier; ended when all was visited that was to
// be. A run that finds one begun by half, or cut short, takes it up where it is.
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
/** Puts a duplicate just before the page it repeats: then that one changes with nobody behind it. */
const JUST_BEFORE = 1e-6

type Where = { readonly job: JobRecord; readonly workspace: Workspace }

/**
 * Begins the next round of a finished crawl, unless the last one is not at its end. False when the crawl
 * has not finished, and no round of it is open.
 */
export async function askForRecrawl({ job, workspace }: Where, due: boolean): Promise<boolean> {
  await using rounds = await workspace.roundStore()
  const last = await rounds.last(job.id)
  if (isOpen(last)) return true
  const isAtItsEnd = job.status === 'completed' || job.status === 'incomplete'
  if (!isAtItsEnd && !isCutShort(job, last)) return false
  await rounds.begin(job.id, { due })
  return true
}

function isOpen(round: Recrawl | null): round is Recrawl {
  return round !== null && round.endedAt === null
}

/** Whether the last round of a crawl is not at its end, or was at it and had no time to say so. */
export async function hasOpenRecrawl({ job, workspace }: Where): Promise<boolean> {
  await using rounds = await workspace.roundStore()
  const last = await rounds.last(job.id)
  return isOpen(last) || isCutShort(job, last)
}

/** Killed after the end of its round: only a crawl that has finished has rounds. */
function isCutShort({ status }: JobRecord, last: Recrawl | null): boolean {
  return status === 'running' && last !== null
}

/** The round that this run is of, with all set for it; null: it is of none. */
export async function takeUpRecrawl(
  { job, workspace }: Where,
  watcher: RunWatcher,
): Promise<Recrawl | null> {
  await using rounds = await workspace.roundStore()
  const round = await rounds.last(job.id)
  if (!isOpen(round)) return null
  if (!(await workspace.hasFrontier(job.id))) return null
  await workspace.beginRound({
    job,
    round: round.round,
    onlyPages: round.due,
    pages: pagesOf(rounds, job.id, round),
    onProgress: (urls) => watcher.onBusy(`round ${round.round}: ${showCount(urls)} URLs to visit`),
  })
  return round
}

export async function endRecrawl({ job, workspace }: Where, { round }: Recrawl): Promise<void> {
  await using rounds = await workspace.roundStore()
  await rounds.end(job.id, round)
}

export async function summariseRecrawl(
  { job, workspace }: Where,
  { round }: Recrawl,
): Promise<RefreshSummary> {
  await using rounds = await workspace.roundStore()
  await using urlStates = await workspace.ledger(job)
  return summaryOf(round, await rounds.counts(job.id, round), urlStates)
}

/** `ledger`: of the crawl's frontier; null when there is none to ask. */
export async function summaryOf(
  round: number,
  { added, changed, gone, unchanged, kept, notDue }: RecrawlCounts,
  urlStates: UrlStates | null,
): Promise<RefreshSummary> {
  const asked = kept - notDue
  // Where the frontier does not know of it yet, nothing was asked for.
  const notYet = Math.min(asked, (await urlStates?.pagesToRevisit(round)) ?? asked)
  const why = { not_due: notDue, not_yet: notYet, unanswered: asked - notYet }
  return { round, new: added, changed, gone, unchanged, kept, ...why }
}

async function* pagesOf(
  rounds: RecrawlStore,
  crawlId: number,
  { round, due: onlyDue, beganAt: now }: Recrawl,
): AsyncGenerator<readonly PageToRevisit[]> {
  let notDue = 0
  for (let after = 0; ; ) {
    const pages = await rounds.pages({ crawlId, after, limit: PAGES_AT_ONCE, now })
    const last = pages.at(-1)
    if (last === undefined) break
    const wanted = onlyDue ? pages.filter(({ due }) => due) : pages
    notDue += pages.length - wanted.length
    yield wanted.map(toRevisit)
    after = last.id
    await setImmediate()
  }
  // Before the frontier has begun the round: from then on nobody counts them any more.
  await rounds.setNotDue(crawlId, round, notDue)
}

function toRevisit({ likely, likelyFirst, ...page }: KnownPage): PageToRevisit {
  const { url, etag, lastModified, contentHash } = page
  const priority = likelyFirst === null ? likely : Math.max(likely, likelyFirst) + JUST_BEFORE
  return { url, etag, lastModified, contentHash, priority }
}
