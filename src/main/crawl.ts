// `jelajah crawl`: finds or makes the job, runs it under a supervisor, and says how it went.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CrawlerError, firstError } from '../core/errors.ts'
import { type Harvest, NO_HARVEST } from '../core/harvest.ts'
import { hotIsImportance } from '../core/importance.ts'
import type { CrawlSettings, JobRecord, JobStatus } from '../core/job.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { type Enough, isEnough, noteOf } from '../crawl/enough.ts'
import { type CrawlEnd, Supervisor } from '../crawl/supervisor.ts'
import { openLock } from '../db/lock.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { createFolder } from '../lib/folder.ts'
import type { TopicRequest } from '../request/topic-request.ts'
import type { JobStore } from '../store/job-store.ts'
import type { PageTotals } from '../store/page-store.ts'
import { openSqliteJobStore } from '../store/sqlite/sqlite-job-store.ts'
import { openSqlitePageReader } from '../store/sqlite/sqlite-page-reader.ts'
import { type CrawlOutcome, summarise } from './crawl-summary.ts'
import { topicFor } from './crawl-topic.ts'
import type { CrawlWatcher } from './crawl-watcher.ts'
import { endOfCrawlImportance } from './end-of-crawl.ts'
import { hotMeans, maxHotOf } from './hot-means.ts'
import { HotWatch } from './hot-watch.ts'
import { crawlLockPath, frontierPath, storePath } from './places.ts'

export type CrawlRequest = {
  readonly seeds: readonly CanonicalUrl[]
  readonly settings: CrawlSettings
  /** Null when the crawl is about nothing in particular. */
  readonly topic: TopicRequest | null
  readonly dataDir: string
  /** Null: named after its seeds. */
  readonly name: string | null
  /** Start anew although there is a crawl of that name. */
  readonly fresh: boolean
}

export type CrawlResult = CrawlOutcome & { readonly end: CrawlEnd }

/** A job as this run finds it. */
type Found = {
  readonly job: JobRecord
  /** As the last run left it; null for a new one. */
  readonly last: JobRecord | null
}

/** One run: its job, where it lives, and who watches. */
type Run = Found & {
  readonly dataDir: string
  readonly clock: Clock
  readonly watcher: CrawlWatcher
  /** What earlier runs have stored. */
  readonly before: PageTotals
}

export async function crawl(request: CrawlRequest, watcher: CrawlWatcher): Promise<CrawlResult> {
  const clock = systemClock
  const { dataDir } = request
  openFolder(dataDir)
  await using _lock = await lockFolder(dataDir)
  await using jobs = await openSqliteJobStore(storePath(dataDir))
  const found = await findOrCreate(jobs, request, watcher, clock)
  const { job, last } = found
  watcher.onStart(job, last !== null)
  await jobs.setStatus(job.id, 'running')
  const startedAt = clock.now()
  const before = await totalsOf(dataDir, job.id)
  refuseHalfACrawl(dataDir, job.id, before.stored)
  try {
    const run = { ...found, dataDir, clock, watcher, before }
    const { end, harvest } = await crawlOn(run)
    const seconds = (clock.now() - startedAt) / 1000
    const note = isEnough(end) ? noteOf(end, job.settings) : ''
    const isOver = isEnough(end) || end === 'empty' || end === 'limit'
    const status: JobStatus = isOver ? 'completed' : 'stopped'
    await jobs.setStatus(job.id, status, note)
    if (end !== 'interrupted') await endOfCrawlImportance(run)
    const ran = { status, note, seconds, before: before.stored, harvest }
    return { end, ...(await summarise(job, dataDir, ran)) }
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

type Ended = { readonly end: CrawlEnd; readonly harvest: Harvest }

async function crawlOn(run: Run): Promise<Ended> {
  const enough = enoughBefore(run)
  if (enough !== null) return { end: enough, harvest: NO_HARVEST }
  const ended = await supervise(run)
  if (ended.end !== 'limit') return ended
  // The scouter only knows that the store takes no more.
  const { stored } = await totalsOf(run.dataDir, run.job.id)
  return stored < run.job.settings.maxPages ? { ...ended, end: 'hot' } : ended
}

/** Why a run need not start: what ended the last one still holds. */
function enoughBefore({ job, last, before }: Run): Enough | null {
  const { settings } = job
  if (last === null) return null
  const { maxHot } = settings
  if (maxHot !== null && before.hot >= maxHot && hotMeans(last) === hotMeans(job)) return 'hot'
  if (last.status !== 'completed') return null
  const why = REPEATED.find((enough) => last.note === noteOf(enough, settings))
  const asked = ({ seeds, settings, topic }: JobRecord) =>
    JSON.stringify([seeds, settings, topic?.fingerprint ?? ''])
  return why !== undefined && asked(last) === asked(job) ? why : null
}

/** Ends that the same request would come to again. */
const REPEATED: readonly Enough[] = ['harvest', 'left-out']

async function supervise(run: Run): Promise<Ended> {
  const { job, dataDir, clock, watcher, before } = run
  // What hot is, then only the graph as a whole tells: no page by itself can reach that limit.
  const watched = hotIsImportance(job.settings)
  const hotWatch = watched ? new HotWatch({ job, dataDir }) : null
  const maxHot = watched ? null : maxHotOf(run)
  await using supervisor = new Supervisor({
    job: { ...job, settings: { ...job.settings, maxHot } },
    dataDir,
    clock,
    hotBefore: before.hot,
    entries: {
      scouter: join(import.meta.dirname, 'scouter.ts'),
      parser: join(import.meta.dirname, 'parser.ts'),
    },
    onProgress: (progress) => {
      watcher.onProgress(job, progress)
      hotWatch?.look(progress.stored, () => supervisor.drain('hot'))
    },
    onNotice: watcher.onNotice,
  })
  watcher.onDrainable(() => supervisor.drain('interrupted'))
  const end = await supervisor.run()
  await hotWatch?.idle()
  return { end, harvest: supervisor.progress.harvest }
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
  request: CrawlRequest,
  watcher: CrawlWatcher,
  clock: Clock,
): Promise<Found> {
  const { name, seeds, settings, fresh } = request
  const called = name ?? [...seeds].sort().join(' ')
  const last = fresh ? null : await jobs.findByName(called, 'cli')
  const topic = await topicFor({ ...request, origin: 'cli' }, last?.topic ?? null, {
    jobs,
    watcher,
    clock,
  })
  if (last === null) {
    return { job: await jobs.create({ name: called, origin: 'cli', seeds, settings, topic }), last }
  }
  // New seeds under the same name widen the crawl; what was found from the old ones stays.
  const allSeeds = [...new Set([...last.seeds, ...seeds])]
  return { job: await jobs.resume(last.id, { settings, seeds: allSeeds, topic }), last }
}

/** Pages without their frontier: to go on would fetch them all again and believe half of it. */
function refuseHalfACrawl(dataDir: string, crawlId: number, stored: number): void {
  const path = frontierPath(dataDir, crawlId)
  if (stored === 0 || existsSync(path)) return
  const message = `${path} is missing, though this crawl has ${stored} pages. Put it back, or use --fresh.`
  throw new CrawlerError('store-damaged', message)
}

async function totalsOf(dataDir: string, crawlId: number): Promise<PageTotals> {
  await using pages = await openSqlitePageReader(storePath(dataDir))
  return pages.totals(crawlId)
}
