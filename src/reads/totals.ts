// Totals of crawls: what the store holds, and what their frontiers know.
import { CrawlerError } from '../core/errors.ts'
import type { JobRecord } from '../core/job.ts'
import type { CrawlSummary, FocusSummary } from '../core/summary.ts'
import { fairnessBy } from '../crawl/crawl-summary.ts'
import { summaryOf } from '../crawl/recrawls.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import type { CrawlHere, WorkspaceFiles } from './workspace-files.ts'

/** Totals of one crawl, from the store and its frontier; of its hosts the largest 1000. */
export type CrawlTotals = Pick<
  CrawlSummary,
  | ('stored' | 'duplicates' | 'refused' | 'outside' | 'failed' | 'queued' | 'bytes')
  | ('hosts' | 'fairness' | 'refresh')
> &
  Pick<FocusSummary, 'judged' | 'hot'>

const SHOWN_HOSTS = 1000

const NOTHING: CrawlTotals = {
  stored: 0,
  duplicates: 0,
  refused: 0,
  outside: 0,
  failed: 0,
  queued: 0,
  bytes: 0,
  hot: 0,
  judged: 0,
  hosts: {},
  fairness: 1,
}

type FrontierTotals = Pick<CrawlTotals, 'refresh' | 'fairness'> & {
  readonly counts: Awaited<ReturnType<UrlStates['counts']>> | null
}

export async function readTotals(files: WorkspaceFiles, crawlId: number): Promise<CrawlTotals> {
  const crawl = await files.crawl(crawlId)
  if (crawl === null) return NOTHING
  const { hosts, ...sums } = await crawl.store.pages.totals(crawlId)
  // One frontier that cannot be read must not hide the figures of all the others.
  const ask = (urlStates: UrlStates | null) => frontierTotals(crawl, urlStates)
  const { counts, ...refresh } = await askUrlStates(files, crawl.job, ask)
  return {
    ...sums,
    refused: counts?.refused ?? 0,
    outside: counts?.outside ?? 0,
    failed: counts?.failed ?? 0,
    queued: (counts?.queued ?? 0) + (counts?.leased ?? 0),
    hosts: Object.fromEntries([...hosts].slice(0, SHOWN_HOSTS)),
    ...refresh,
  }
}

async function frontierTotals(
  { job, store }: CrawlHere,
  urlStates: UrlStates | null,
): Promise<FrontierTotals> {
  const { index: fairness } = await fairnessBy(urlStates, job)
  const known = { counts: (await urlStates?.counts()) ?? null, fairness }
  if (job.round === undefined) return known
  const counts = await store.rounds.counts(job.id, job.round)
  return { ...known, refresh: await summaryOf(job.round, counts, urlStates) }
}

/** Longer than a healthy server under load takes. */
const SOON_MS = 700
/** A caller that asks for many frontiers waits for one of them only. */
const AGAIN_MS = 3000
const LATE = Symbol('no answer soon')

type Ask<T> = (urlStates: UrlStates | null) => Promise<T>

/**
 * Asks a frontier that has to answer soon. If its server is away, a copy answers that earlier versions left in
 * the store.
 * Asked with null where the frontier is damaged, or of another version.
 */
async function askUrlStates<T>(files: WorkspaceFiles, job: JobRecord, ask: Ask<T>): Promise<T> {
  try {
    const { workspace } = files
    if (workspace.folder !== null) return await askOf(files.urlStates(job), ask)
    if (performance.now() >= files.askFrontiersAt) {
      const answer = await soon(askOf(files.urlStates(job), ask))
      if (answer !== LATE) return answer
      files.askFrontiersAt = performance.now() + AGAIN_MS
    }
    return await askOf(workspace.copiedUrlStates(job), ask)
  } catch (error) {
    if (error instanceof CrawlerError) return ask(null)
    throw error
  }
}

async function askOf<T>(opening: Promise<UrlStates | null>, ask: Ask<T>): Promise<T> {
  await using urlStates = await opening
  return await ask(urlStates)
}

async function soon<T>(answer: Promise<T>): Promise<T | typeof LATE> {
  const late = Promise.withResolvers<typeof LATE>()
  const timer = setTimeout(() => late.resolve(LATE), SOON_MS)
  const told = answer.catch((error: unknown): typeof LATE => {
    if (error instanceof CrawlerError && error.code === 'store-unreachable') return LATE
    throw error
  })
  // Whichever comes second is of no interest any more.
  told.catch(() => {})
  return Promise.race([told, late.promise]).finally(() => clearTimeout(timer))
}
