// What faults happen to: the sample web, servers of its own, a master and several workers, and the crawl
// that they work on.
import { setTimeout as wait } from 'node:timers/promises'
import { Stream } from '../../src/sample-web/random.ts'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite, type Site } from '../../src/sample-web/site.ts'
import { jelajah, pidOf, type Run } from '../e2e/crawling.ts'
import { type Served, startServer, until } from '../e2e/serving.ts'
import { type PostgresServer, startPostgres, testDatabase } from '../servers/postgres.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

export type StageOptions = {
  readonly seed: number
  readonly pages: number
  readonly hosts: number
  readonly workers: number
  readonly delayMs: number
  /** How long one that falls silent is taken to live. */
  readonly leaseS: number
  readonly patienceMs: number
  /** The frontier is in PostgreSQL, too; a Redis is there and nobody uses it. */
  readonly isPostgresAlone?: boolean
}

export const ENDS: readonly string[] = ['completed', 'incomplete', 'stopped', 'failed']

/** Clocks of machines that nobody keeps are wrong by minutes. */
const MAX_SKEW_MS = 600_000
/** More than all programs need together, and few enough that others can take them. */
const CONNECTIONS = 90
const DISK_MB = 600

export type Stand = { readonly status: string; readonly note: string }

export class Stage implements AsyncDisposable {
  readonly site: Site
  readonly served: ServedSite
  readonly redis: RedisServer
  readonly postgres: PostgresServer
  readonly database: string
  readonly options: StageOptions
  readonly random: Stream
  /** Those that run; who is killed leaves. */
  readonly workers: WorkerProcess[] = []
  readonly #all: AsyncDisposableStack
  /** Also of those that were killed. */
  readonly #runs: { readonly name: string; readonly run: Run }[] = []
  readonly #undone = new Set<Promise<void>>()
  #master: Served | null = null
  #crawl = ''

  constructor(
    options: StageOptions,
    parts: Pick<Stage, 'site' | 'served' | 'redis' | 'postgres' | 'database'>,
    all: AsyncDisposableStack,
  ) {
    this.options = options
    this.site = parts.site
    this.served = parts.served
    this.redis = parts.redis
    this.postgres = parts.postgres
    this.database = parts.database
    this.random = new Stream(options.seed)
    this.#all = all
    all.defer(() => this.#master?.[Symbol.asyncDispose]())
  }

  /** Longer than a lease, and a little. */
  get pastLeaseMs(): number {
    return this.options.leaseS * 1000 + 1500
  }

  /** Null on PostgreSQL alone. */
  get frontier(): string | null {
    const { isPostgresAlone, leaseS } = this.options
    return isPostgresAlone ? null : `${this.redis.url}?lease=${leaseS}`
  }

  /** The URL of the database, as programs are told. */
  get data(): string {
    return `${this.database}?lease=${this.options.leaseS}`
  }

  get #frontierFlags(): readonly string[] {
    return this.frontier === null ? [] : ['--frontier', this.frontier]
  }

  async begin(): Promise<void> {
    const names = Array.from({ length: this.options.workers }, (_, nth) => `worker-${nth + 1}`)
    const clocks = new Stream(this.options.seed + 1)
    const starting = names.map((name) => {
      const skewMs = clocks.below(2 * MAX_SKEW_MS) - MAX_SKEW_MS
      return startWorker(name, this, skewMs)
    })
    for (const worker of await Promise.all(starting)) this.workers.push(this.#all.use(worker))
    this.#runs.push(...this.workers)
    await this.startMaster()
  }

  /** Begins a crawl of so many pages, null for all there are, and waits until it is under way. */
  async crawl(maxPages: number | null): Promise<void> {
    const { delayMs, pages, hosts, patienceMs } = this.options
    const { seeds, log } = this.served
    const before = log.length
    const body = { urls: seeds, delay: delayMs, max_pages: maxPages ?? 10 * pages }
    // A server without an answer of its database takes nothing, and says so.
    const isTaken = async (): Promise<boolean> => {
      const { status, text, json } = (await this.#master?.post('/crawl', body)) ?? {}
      if (status !== 200 && status !== 503) throw new Error(`the crawl is refused: ${text}`)
      this.#crawl = status === 200 ? json.job_id : ''
      return status === 200
    }
    await until(isTaken, 'the crawl to be taken', patienceMs)
    const isUnderWay = () => log.length > before + hosts
    await until(isUnderWay, 'the crawl to begin', patienceMs)
  }

  /** The number of the crawl. */
  get crawlId(): number {
    return Number(this.#crawl.replace(/\D/g, ''))
  }

  /** Something is to be undone after so long; other things happen meanwhile. */
  later(ms: number, undo: () => void): void {
    const undone = wait(ms).then(undo)
    this.#undone.add(undone)
  }

  /** Until all is undone. */
  async isWhole(): Promise<void> {
    await Promise.all(this.#undone)
    this.#undone.clear()
  }

  async startMaster(): Promise<void> {
    this.#master = await startServer(this.data, [...this.#frontierFlags, '--allow-private'])
    this.#runs.push({ name: 'master', run: this.#master.run })
  }

  /** As when its machine loses power. */
  async killMaster(): Promise<void> {
    const indexer = pidOf(this.#master?.pid ?? 0, 'indexer')
    if (indexer !== null) process.kill(indexer, 'SIGKILL')
    this.#master?.run.process.kill('SIGKILL')
    await this.#master?.run.ended
    this.#master = null
  }

  killIndexer(): boolean {
    const indexer = pidOf(this.#master?.pid ?? 0, 'indexer')
    if (indexer !== null) process.kill(indexer, 'SIGKILL')
    return indexer !== null
  }

  /** How the job stands; null while the master cannot tell. */
  async stand(): Promise<Stand | null> {
    try {
      const { json } = (await this.#master?.ask(`/crawl/${this.#crawl}/overview`)) ?? {}
      return json?.job ?? null
    } catch {
      return null
    }
  }

  async isOver(): Promise<boolean> {
    return ENDS.includes((await this.stand())?.status ?? '')
  }

  /** Nobody gives up while pages are fetched, however slow the machine is. */
  async untilOver(what: string): Promise<void> {
    for (;;) {
      const before = this.served.log.length
      try {
        return await until(() => this.isOver(), what, this.options.patienceMs)
      } catch (error) {
        if (this.served.log.length === before) throw error
      }
    }
  }

  /** The last lines that each program has written, for whoever looks for the cause of a broken promise. */
  said(lines: number): readonly string[] {
    return this.#runs.flatMap(({ name, run }) =>
      run
        .said()
        .trim()
        .split('\n')
        .slice(-lines)
        .map((line) => `${name}: ${line}`),
    )
  }

  /** Who holds which URLs, as the master shows it: where a crawl that stands still waits for something. */
  async held(): Promise<string> {
    try {
      const { text } = (await this.#master?.ask(`/crawl/${this.#crawl}/leases`)) ?? {}
      return text ?? 'no master'
    } catch (error) {
      return String(error)
    }
  }

  async resume(): Promise<void> {
    const { status, text } = (await this.#master?.post(`/crawl/${this.#crawl}/resume`, {})) ?? {}
    if (status !== 200) throw new Error(`the job does not go on: ${text}`)
  }

  async rebuildFrontier(): Promise<void> {
    const place = ['--data', this.data, ...this.#frontierFlags]
    const { code, stdout, stderr } = await jelajah(['doctor', '--rebuild-frontier', ...place]).ended
    if (code !== 0) throw new Error(`doctor ended with ${code}: ${stdout}${stderr}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.isWhole()
    await this.#all.disposeAsync()
  }
}

export async function openStage(options: StageOptions): Promise<Stage> {
  const { seed, pages, hosts } = options
  await using stack = new AsyncDisposableStack()
  const site = createSite({ seed, pages, hosts, meanBytes: 5_000 })
  const served = stack.use(await startSite(site))
  const redis = stack.use(await startRedis({ appendOnly: true }))
  const postgres = stack.use(
    await startPostgres({
      ...{ durable: true, diskMb: DISK_MB },
      settings: [`max_connections=${CONNECTIONS}`, 'max_wal_size=64MB', 'min_wal_size=32MB'],
    }),
  )
  const { url: database } = stack.use(await testDatabase(postgres.url))
  const parts = { site, served, redis, postgres, database }
  const stage = new Stage(options, parts, stack.move())
  try {
    await stage.begin()
  } catch (error) {
    await stage[Symbol.asyncDispose]()
    throw error
  }
  return stage
}
