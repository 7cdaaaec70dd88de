// The pages that the stages are measured with: a real crawl of the real pages, one step after the
// other, so that the frontier can be asked the same questions again and again.
import { join } from 'node:path'
import { createAdmission } from '../../src/core/admission.ts'
import type { CrawlSettings, Job } from '../../src/core/job.ts'
import { templateOf } from '../../src/core/template.ts'
import { type CanonicalUrl, canonicalise, hostOf } from '../../src/core/url.ts'
import type { Frontier, FrontierUpdate, Lease } from '../../src/frontier/frontier.ts'
import { hostPolicyNamed } from '../../src/frontier/policy/index.ts'
import { openSqliteFrontier } from '../../src/frontier/sqlite/sqlite-frontier.ts'
import { type Fetcher, openFetcher } from '../../src/http/fetcher.ts'
import { ManualClock } from '../../src/lib/clock.ts'
import { createUrlHasher } from '../../src/lib/url-hash.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import { orderingNamed } from '../../src/ordering/index.ts'
import { createPageParser, type PageParserOptions } from '../../src/parser/parse-page.ts'
import type { ParseResult } from '../../src/parser/parse-result.ts'
import type { HandoverHead } from '../../src/wire/handover.ts'
import { decodeFound } from '../../src/wire/receipt.ts'

export type FetchedPage = {
  readonly head: HandoverHead
  readonly body: readonly Uint8Array[]
  readonly parsed: Extract<ParseResult, { outcome: 'page' }>
}

/** As many as a busy crawl leases and settles at once. */
export const BATCH = 64

const SETTINGS: CrawlSettings = {
  ...DEFAULT_SETTINGS,
  maxPages: 1_000_000,
  concurrency: BATCH,
  perHost: 16,
  delayMs: 0,
  scope: 'host',
  exclude: ['**.txt'],
  maxBodyBytes: 16 * 1024 * 1024,
  ignoreRobots: true,
  sitemaps: false,
}

export function jobFor(seeds: readonly string[]): Job {
  const urls = seeds.map((seed) => canonicalise(seed)).filter((url) => url !== null)
  return {
    id: 1,
    name: 'stages',
    origin: 'cli',
    seeds: urls,
    settings: SETTINGS,
    topic: null,
    salt: 7,
  }
}

export function parserOptions({ salt, settings }: Job): PageParserOptions {
  const { parts, keepHtml, maxBodyBytes } = settings
  return { salt, parts, keepHtml, maxBodyBytes }
}

export function fetcherFor({ settings, seeds }: Job): Fetcher {
  return openFetcher({ ...settings, trustedHosts: new Set(seeds.map(hostOf)) })
}

/** A new frontier with the seeds in it, on a clock that stands still. */
export async function frontierFor(job: Job, folder: string): Promise<Frontier> {
  const ordering = orderingNamed(job.settings.ordering)
  const frontier = await openSqliteFrontier({
    path: join(folder, 'frontier.db'),
    job,
    ordering,
    scorer: ordering.createScorer({}, job.salt),
    policy: hostPolicyNamed(job.settings.hostPolicy),
    admit: createAdmission(job.seeds, job.settings),
    templateOf,
    clock: new ManualClock(),
  })
  const hash = createUrlHasher(job.salt)
  const found = job.seeds.map((url) => ({ url, hash: hash(url), nofollow: false, signals: null }))
  await frontier.add(found, 'seed')
  return frontier
}

/** Leases that go out and come back at once. */
export async function takeBatch(frontier: Frontier): Promise<readonly Lease[]> {
  const leases = await frontier.lease(BATCH)
  for (const lease of leases) frontier.requestSent(lease)
  for (const lease of leases) frontier.requestEnded(lease, { ok: true })
  return leases
}

export function updateFrom(lease: Lease, page: FetchedPage | undefined): FrontierUpdate {
  if (page === undefined) return { lease, outcome: 'failed', reason: 'http-404', retryAt: null }
  const { likeness, foundBlock } = page.parsed
  return { lease, outcome: 'stored', likeness, judged: null, found: decodeFound(foundBlock) }
}

/** Crawls until `wanted` pages are there, or nothing is left. */
export async function gatherPages(
  job: Job,
  folder: string,
  wanted: number,
): Promise<Map<CanonicalUrl, FetchedPage>> {
  const parse = createPageParser(parserOptions(job))
  const pages = new Map<CanonicalUrl, FetchedPage>()
  await using fetcher = fetcherFor(job)
  await using frontier = await frontierFor(job, folder)
  while (pages.size < wanted) {
    const leases = await takeBatch(frontier)
    if (leases.length === 0) break
    const handovers = await Promise.all(leases.map((lease) => fetchPage(fetcher, job, lease)))
    for (const handover of handovers) {
      if (handover === null) continue
      const parsed = parse(handover.head, Buffer.concat(handover.body))
      if (parsed.outcome === 'page') pages.set(handover.head.url, { ...handover, parsed })
    }
    await frontier.settle(leases.map((lease) => updateFrom(lease, pages.get(lease.url))))
  }
  return pages
}

/** What the scouter would hand over; null for anything but a page. */
export async function fetchPage(
  fetcher: Fetcher,
  { settings }: Job,
  lease: Pick<Lease, 'id' | 'token' | 'url' | 'depth'>,
): Promise<Omit<FetchedPage, 'parsed'> | null> {
  const { id, token, url, depth } = lease
  const wants = (status: number) => (status === 200 ? settings.maxBodyBytes : 0)
  const fetched = await fetcher.fetch({ url, wants, onStart: () => {} })
  if (fetched.outcome !== 'response' || fetched.status !== 200) return null
  const { status, startedAt: fetchedAt, tookMs: fetchMs, truncated, headers, body } = fetched
  const { contentType, contentEncoding, robotsTag, etag, lastModified } = headers
  const known = { kind: 'page', id, token, url, depth } as const
  const answered = { status, contentType, contentEncoding, robotsTag, etag, lastModified }
  return { head: { ...known, ...answered, fetchedAt, fetchMs, truncated }, body }
}
