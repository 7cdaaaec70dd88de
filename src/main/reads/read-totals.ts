// Totals of crawls: what the store holds, and what their frontiers know.
import type { CrawlTotals } from '../../api/place-reads.ts'
import { fairnessOf } from '../../core/fairness.ts'
import type { UrlLedger } from '../../frontier/url-ledger.ts'
import { summaryOf } from '../rounds.ts'
import type { CrawlHere, PlaceFiles } from './place-files.ts'
import { readableLedger } from './readable-ledger.ts'

const SHOWN_HOSTS = 1000

const NOTHING: CrawlTotals = {
  stored: 0,
  duplicates: 0,
  refused: 0,
  failed: 0,
  queued: 0,
  bytes: 0,
  hot: 0,
  judged: 0,
  hosts: {},
  fairness: 1,
}

export async function readTotals(files: PlaceFiles, crawlId: number): Promise<CrawlTotals> {
  const crawl = await files.crawl(crawlId)
  if (crawl === null) return NOTHING
  const { hosts, ...sums } = await crawl.store.pages.totals(crawlId)
  // One frontier that cannot be read must not hide the figures of all the others.
  await using ledger = await readableLedger(files, crawl.job)
  const counts = await ledger?.counts()
  return {
    ...sums,
    refused: counts?.refused ?? 0,
    failed: counts?.failed ?? 0,
    queued: (counts?.queued ?? 0) + (counts?.leased ?? 0),
    hosts: Object.fromEntries([...hosts].slice(0, SHOWN_HOSTS)),
    fairness: fairnessOf(crawl.job.seeds, hosts),
    ...(await refreshOf(crawl, ledger)),
  }
}

async function refreshOf(
  { job, store }: CrawlHere,
  ledger: UrlLedger | null,
): Promise<Pick<CrawlTotals, 'refresh'>> {
  if (job.round === undefined) return {}
  const counts = await store.rounds.counts(job.id, job.round)
  return { refresh: await summaryOf(job.round, counts, ledger) }
}
