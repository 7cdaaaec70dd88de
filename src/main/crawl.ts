// `jelajah crawl`: finds or makes the job, runs it under a supervisor, and says how it went.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CrawlerError, firstError } from '../core/errors.ts'
import { jainsIndex } from '../core/fairness.ts'
import type { HostState } from '../core/host.ts'
import type { CrawlSettings, JobRecord, JobStatus } from '../core/job.ts'
import type { CrawlSummary } from '../core/summary.ts'
import { type CanonicalUrl, canonicalise, hostOf, siteOf } from '../core/url.ts'
import type { UrlRecord } from '../core/url-record.ts'
import type { Progress } from '../crawl/progress.ts'
import { type CrawlEnd, Supervisor } from '../crawl/supervisor.ts'
import { openLock } from '../db/lock.ts'
import { openSqliteUrlLedger } from '../frontier/sqlite/sqlite-url-ledger.ts'
import type { UrlLedger } from '../frontier/url-ledger.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { createFolder } from '../lib/folder.ts'
import type { JobStore } from '../store/job-store.ts'
import { openSqliteJobStore } from '../store/sqlite/sqlite-job-store.ts'
import { openSqlitePageReader } from '../store/sqlite/sqlite-page-reader.ts'
import { crawlLockPath, frontierPath, storePath } from './places.ts'

export type CrawlRequest = {
  readonly seeds: readonly CanonicalUrl[]
  readonly settings: CrawlSettings
  readonly dataDir: string
  /** Null: named after its seeds. */
  readonly name: string | null
  /** Start anew although there is a crawl of that name. */
  readonly fresh: boolean
}

/** Who watches a crawl: the terminal, a log, a test. */
export type CrawlWatcher = {
  readonly onStart: (job: JobRecord, continued: boolean) => void
  readonly onProgress: (job: JobRecord, progress: Progress) => void
  readonly onNotice: (text: string) => void
  /** Hands over the way to end the crawl early. */
  readonly onDrainable: (drain: () => void) => void
}

export type CrawlResult = {
  readonly end: CrawlEnd
  readonly summary: CrawlSummary
  /** Seeds that led to no page, each with what it came to behind its redirects; the first few. */
  readonly lostSeeds: readonly LostSeed[]
  /** Hosts that failed when they were last asked. */
  readonly troubled: readonly HostState[]
}

/** A seed, and the record of the URL where its way ended. */
export type LostSeed = { readonly seed: CanonicalUrl; readonly end: UrlRecord }

const SHOWN = 10
const MAX_HOPS = 10

export async function crawl(request: CrawlRequest, watcher: CrawlWatcher): Promise<CrawlResult> {
  const clock = systemClock
  openFolder(request.dataDir)
  await using _lock = await lockFolder(request.dataDir)
  await using jobs = await openSqliteJobStore(storePath(request.dataDir))
  const { job, continued } = await findOrCreate(jobs, request)
  watcher.onStart(job, continued)
  await jobs.setStatus(job.id, 'running')
  const startedAt = clock.now()
  const before = await storedSoFar(request.dataDir, job.id)
  refuseHalfACrawl(request.dataDir, job.id, before)
  try {
    const end = await supervise(job, request.dataDir, clock, watcher)
    const status: JobStatus = end === 'empty' || end === 'limit' ? 'completed' : 'stopped'
    await jobs.setStatus(job.id, status)
    const ran = { status, seconds: (clock.now() - startedAt) / 1000, before }
    return { end, ...(await summarise(job, request.dataDir, ran)) }
  } catch (error) {
    await noteFailure(jobs, job.id, firstError(error))
    throw error
  }
}

/** A store that is broken cannot be told so; the error that broke it matters more. */
async function noteFailure(jobs: JobStore, id: number, error: unknown): Promise<void> {
  try {
    await jobs.setStatus(id, 'failed', error instanceof Error ? error.message : String(error))
  } catch {
    // The next run finds the job as running and continues it all the same.
  }
}

async function supervise(
  job: JobRecord,
  dataDir: string,
  clock: Clock,
  watcher: CrawlWatcher,
): Promise<CrawlEnd> {
  await using supervisor = new Supervisor({
    job,
    dataDir,
    clock,
    entries: {
      scouter: join(import.meta.dirname, 'scouter.ts'),
      parser: join(import.meta.dirname, 'parser.ts'),
    },
    onProgress: (progress) => watcher.onProgress(job, progress),
    onNotice: watcher.onNotice,
  })
  watcher.onDrainable(() => supervisor.drain('interrupted'))
  return await supervisor.run()
}

function openFolder(dataDir: string): void {
  try {
    createFolder(dataDir)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CrawlerError('store-unreachable', `cannot create ${dataDir}: ${why}`, { cause })
  }
}

async function lockFolder(dataDir: string): Promise<AsyncDisposable> {
  const lock = await openLock(crawlLockPath(dataDir))
  if (lock !== null) return lock
  throw new CrawlerError(
    'store-busy',
    `another crawl is running in ${dataDir}. Wait for it, stop it, or choose another --data folder.`,
  )
}

async function findOrCreate(
  jobs: JobStore,
  { name, seeds, settings, fresh }: CrawlRequest,
): Promise<{ job: JobRecord; continued: boolean }> {
  const called = name ?? [...seeds].sort().join(' ')
  const known = fresh ? null : await jobs.findByName(called)
  if (known === null) {
    return {
      job: await jobs.create({ name: called, seeds, settings, topic: null }),
      continued: false,
    }
  }
  // New seeds under the same name widen the crawl; what was found from the old ones stays.
  const allSeeds = [...new Set([...known.seeds, ...seeds])]
  return { job: await jobs.resume(known.id, { settings, seeds: allSeeds }), continued: true }
}

/** Pages without their frontier: to go on would fetch them all again and believe half of it. */
function refuseHalfACrawl(dataDir: string, crawlId: number, stored: number): void {
  const path = frontierPath(dataDir, crawlId)
  if (stored === 0 || existsSync(path)) return
  const message = `${path} is missing, though this crawl has ${stored} pages. Put it back, or use --fresh.`
  throw new CrawlerError('store-damaged', message)
}

async function storedSoFar(dataDir: string, crawlId: number): Promise<number> {
  await using pages = await openSqlitePageReader(storePath(dataDir))
  return (await pages.totals(crawlId)).stored
}

async function summarise(
  job: JobRecord,
  dataDir: string,
  ran: { status: JobStatus; seconds: number; before: number },
): Promise<Omit<CrawlResult, 'end'>> {
  await using pages = await openSqlitePageReader(storePath(dataDir))
  await using ledger = await openSqliteUrlLedger(frontierPath(dataDir, job.id), job)
  const { stored, duplicates, bytes, hosts } = await pages.totals(job.id)
  const counts = await ledger.counts()
  const { status, seconds, before } = ran
  const summary = {
    crawl: job.id,
    status,
    stored,
    duplicates,
    refused: counts.refused,
    failed: counts.failed,
    queued: counts.queued + counts.leased,
    bytes,
    seconds: round(seconds),
    pages_per_second: round((stored - before) / Math.max(seconds, 0.001)),
    hosts: Object.fromEntries(hosts),
    fairness: round(fairnessOf(job.seeds, hosts)),
  }
  return {
    summary,
    lostSeeds: await lostSeeds(ledger, job.seeds),
    troubled: (await ledger.hosts(SHOWN)).filter(({ trouble }) => trouble !== ''),
  }
}

async function lostSeeds(
  ledger: UrlLedger,
  seeds: readonly CanonicalUrl[],
): Promise<readonly LostSeed[]> {
  const lost: LostSeed[] = []
  for (const seed of seeds) {
    if (lost.length === SHOWN) break
    let end = await ledger.find(seed)
    for (let hop = 0; hop < MAX_HOPS && end?.state === 'redirected'; hop++) {
      const next = canonicalise(end.reason)
      end = (next && (await ledger.find(next))) ?? end
    }
    if (end !== null && (end.state === 'refused' || end.state === 'failed'))
      lost.push({ seed, end })
  }
  return lost
}

/** Jain's index over pages per seed domain. */
function fairnessOf(seeds: readonly CanonicalUrl[], hosts: ReadonlyMap<string, number>): number {
  const perSite = new Map(seeds.map((seed) => [siteOf(hostOf(seed)), 0]))
  for (const [host, stored] of hosts) {
    const site = siteOf(host)
    const before = perSite.get(site)
    if (before !== undefined) perSite.set(site, before + stored)
  }
  return jainsIndex([...perSite.values()])
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
