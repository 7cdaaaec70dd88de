// A server on real stores whose jobs do what a test says: nothing is fetched, everything else is real.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ApiDeps, ServeSettings } from '../../src/api/api-deps.ts'
import { createApi } from '../../src/api/server.ts'
import type { JobRecord, JobStatus } from '../../src/core/job.ts'
import type { PageFields } from '../../src/core/page.ts'
import { NO_PROGRESS } from '../../src/crawl/progress.ts'
import type { LiveJob } from '../../src/crawl/run-measures.ts'
import { checkTopic, lookedFor } from '../../src/crawl/topic-source.ts'
import type {
  CommandResult,
  Dispatcher,
  DispatchListener,
  Load,
  NewLimits,
} from '../../src/jobs/dispatcher.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { DEFAULT_CEILINGS } from '../../src/options/job-ceilings.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import { openReads } from '../../src/reads/open-reads.ts'
import type { JobEvent, JobJournal } from '../../src/store/job-journal.ts'
import type { JobOrder, JobStore, Ordered } from '../../src/store/job-store.ts'
import { openSqlitePageStore } from '../../src/store/sqlite/sqlite-page-store.ts'
import { storePath } from '../../src/workspace/folder/paths.ts'
import { sample, urlFor } from '../contract/sample-page.ts'
import { openSqliteJobJournal, openSqliteJobStore, openSqliteSavedSearches } from './stores.ts'

/** Takes jobs and leaves them alone; a test says what becomes of them. */
export class StillDispatcher implements Dispatcher {
  readonly maxConnections = 128
  readonly #jobs: JobStore
  readonly #journal: JobJournal
  readonly #listeners = new Set<DispatchListener>()
  readonly #live = new Map<number, LiveJob>()
  /** What the next order to a job is answered with; null: it is done. */
  refusal: CommandResult | null = null

  constructor(jobs: JobStore, journal: JobJournal) {
    this.#jobs = jobs
    this.#journal = journal
  }

  async submit(order: JobOrder): Promise<Ordered> {
    const ordered = await this.#jobs.order(order)
    if (ordered.outcome === 'taken' && ordered.isNew)
      await this.tell(ordered.job.id, status('started'))
    return ordered
  }

  pause = (id: number): Promise<CommandResult> => this.#set(id, 'paused')
  /** The limits it was last resumed with. */
  limits: NewLimits = {}
  resume = (id: number, limits: NewLimits = {}): Promise<CommandResult> => {
    this.limits = limits
    return this.#set(id, 'running')
  }

  /** Whether it was last refreshed only in what was due. */
  due: boolean | null = null
  refresh = (id: number, { due }: { readonly due: boolean }): Promise<CommandResult> => {
    this.due = due
    return this.#set(id, 'started')
  }

  stop = (id: number): Promise<CommandResult> => this.#set(id, 'stopped')

  async remove(id: number): Promise<CommandResult> {
    const job = await this.#jobs.get(id)
    if (job === null) return { outcome: 'no-job' }
    await this.#jobs.remove(id)
    await this.tell(id, { type: 'removed' })
    return { outcome: 'done', job }
  }

  notice(id: number, text: string): Promise<void> {
    return this.tell(id, { type: 'notice', text })
  }

  live(id: number): LiveJob | null {
    return this.#live.get(id) ?? null
  }

  async isElsewhere(): Promise<boolean> {
    return false
  }

  ahead(): number | null {
    return null
  }

  load(): Load {
    const maxRssBytes = 2 ** 30
    return { running: 0, waiting: 0, connections: 0, maxConnections: 128, rssBytes: 0, maxRssBytes }
  }

  subscribe(listener: DispatchListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Something happens to a job. */
  async tell(id: number, event: JobEvent): Promise<void> {
    const kept = await this.#journal.append(id, event)
    for (const { onEvent } of this.#listeners) onEvent(kept)
  }

  /** A running job gives a sign of life. */
  beat(job: JobRecord, stored: number): void {
    const before = this.#live.get(job.id)?.before ?? { stored, bytes: 0 }
    this.#live.set(job.id, {
      job,
      before,
      progress: { ...NO_PROGRESS, stored },
      pagesPerSecond: 1,
      busy: '',
      cpu: { scouter: 0, parser: 0 },
      history: [],
    })
    for (const { onProgress } of this.#listeners) onProgress(job.id)
  }

  async #set(id: number, to: JobStatus): Promise<CommandResult> {
    if (this.refusal !== null) return this.refusal
    if ((await this.#jobs.get(id)) === null) return { outcome: 'no-job' }
    await this.#jobs.setStatus(id, to)
    await this.tell(id, status(to))
    const job = await this.#jobs.get(id)
    return job === null ? { outcome: 'no-job' } : { outcome: 'done', job }
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

export function status(to: JobStatus, note = ''): JobEvent {
  return { type: 'status', status: to, note }
}

export type Rig = AsyncDisposable & {
  readonly dataDir: string
  readonly url: string
  readonly port: number
  readonly deps: ApiDeps
  readonly jobs: JobStore
  readonly journal: JobJournal
  readonly dispatcher: StillDispatcher
  /** What went to the log. */
  readonly logged: string[]
  /** Clients that are connected. */
  connections(): Promise<number>
  /** A job that is running, without a page. */
  newJob(origin?: JobRecord['origin']): Promise<JobRecord>
  /** Stores further pages, `http://a.test/N` with N from 1; their ids. */
  storePages(
    job: JobRecord,
    count: number,
    changes?: Partial<PageFields>,
  ): Promise<readonly number[]>
}

export const RIG_SETTINGS: ServeSettings = {
  host: '127.0.0.1',
  port: 0,
  token: null,
  allowedHosts: [],
  trustedProxies: [],
  publicSearch: null,
  synonyms: null,
  allowPrivate: false,
  connectTo: [],
  dns: [],
  proxies: [],
  plugins: [],
  defaults: { delayMs: null, contact: null, userAgent: null },
  cores: 2,
  version: '1.2.3',
  ceilings: DEFAULT_CEILINGS,
  maxStreams: null,
  jobsPerMinute: null,
}

export async function openRig(
  settings: Partial<ServeSettings> = {},
  change: Partial<ApiDeps> = {},
): Promise<Rig> {
  const dataDir = mkdtempSync(join(tmpdir(), 'jelajah-api-'))
  await using opened = new AsyncDisposableStack()
  opened.defer(() => rmSync(dataDir, { recursive: true }))
  const path = storePath(dataDir)
  const jobs = opened.use(await openSqliteJobStore(path))
  const journal = opened.use(await openSqliteJobJournal(path))
  const reads = opened.use(await openReads({ data: dataDir, frontier: null }))
  const dispatcher = new StillDispatcher(jobs, journal)
  const logged: string[] = []
  const deps: ApiDeps = {
    dispatcher,
    jobs,
    journal,
    reads,
    saved: opened.use(await openSqliteSavedSearches(path)),
    settings: { ...RIG_SETTINGS, ...settings },
    clock: systemClock,
    assetsDir: null,
    checkTopic,
    showTopic: lookedFor,
    log: (text) => logged.push(text),
    ...change,
  }
  const api = await createApi(deps)
  const url = await api.listen({ host: '127.0.0.1', port: 0 })
  opened.defer(() => api.close())
  const all = opened.move()
  const stored = new Map<number, number>()
  return {
    dataDir,
    url,
    port: Number(new URL(url).port),
    deps,
    jobs,
    journal,
    dispatcher,
    logged,
    connections: () => promisify(api.server.getConnections.bind(api.server))(),
    async newJob(origin = 'api') {
      const seeds = [urlFor('a.test')]
      const settings = { ...DEFAULT_SETTINGS, maxPages: 1_000_000 }
      const job = { name: 'a', origin, seeds, settings, topic: null }
      const { id } = await jobs.create(job)
      await jobs.setStatus(id, 'running')
      return (await jobs.get(id))!
    },
    async storePages(job, count, changes = {}) {
      const first = (stored.get(job.id) ?? 0) + 1
      stored.set(job.id, first + count - 1)
      await using pages = await openSqlitePageStore({ path, job })
      const batch = Array.from({ length: count }, (_, at) =>
        sample(`a.test/${first + at}`, changes),
      )
      return (await pages.save(batch)).flatMap((saved) => ('id' in saved ? [saved.id] : []))
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Waits until it holds, and fails when it does not within some seconds. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${holds}`)
    await new Promise((done) => setTimeout(done, 5))
  }
}
