// Totals of crawls: what the store holds, and what their frontiers know.

import { fairnessBy } from '../crawl/crawl-summary.ts'
import { summaryOf } from '../crawl/recrawls.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { askUrlStates } from './ask-url-states.ts'
import type { CrawlHere, WorkspaceFiles } from './workspace-files.ts'
import type { CrawlTotals } from './workspace-reads.ts'

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
