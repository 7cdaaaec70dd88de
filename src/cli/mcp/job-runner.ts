// Runs the crawls of a place for a client that speaks over a pipe. It takes the place of the server only when
// there is something to run: others may read meanwhile, and a server that runs there already is left alone.
import { Refusal } from '../../api/errors.ts'
import type { JobViewDeps } from '../../api/job-views.ts'
import { CrawlerError } from '../../core/errors.ts'
import type { JobRecord } from '../../core/job.ts'
import { KeptFeed } from '../../crawl/keep-feed.ts'
import type { Dispatcher } from '../../jobs/dispatcher.ts'
import { isRunning } from '../../jobs/job-reader.ts'
import { openDispatcher } from '../../jobs/open-dispatcher.ts'
import type { Clock } from '../../lib/clock.ts'
import { ResourceStack } from '../../lib/resource-stack.ts'
import type { JobJournal } from '../../store/job-journal.ts'
import type { JobOrder, JobStore, Ordered } from '../../store/job-store.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT } from '../exit-codes.ts'
import { lockServer, type ServeOptions } from '../serve/server-parts.ts'

type JobRunnerOptions = {
  readonly options: ServeOptions
  readonly workspace: Workspace
  readonly jobs: JobStore
  readonly journal: JobJournal
  readonly clock: Clock
  readonly log: (text: string) => void
}

type Part = JobViewDeps['dispatcher'] & Pick<Dispatcher, 'submit' | 'maxConnections'>

export class JobRunner implements Part, AsyncDisposable {
  readonly maxConnections: number
  readonly #deps: JobRunnerOptions
  readonly #opened = new ResourceStack()
  #dispatcher: Dispatcher | null = null
  #opening: Promise<Dispatcher> | null = null

  constructor(deps: JobRunnerOptions) {
    this.#deps = deps
    this.maxConnections = deps.options.connections
  }

  /** Goes on with what an earlier process left, unless a server does so. */
  async goOn(): Promise<void> {
    const { jobs, log } = this.#deps
    const left = await Promise.all(
      (['running', 'started'] as const).map((status) => jobs.list({ status })),
    )
    if (!left.flat().some(({ origin }) => origin !== 'cli')) return
    await this.#open().catch((error) => {
      if (!isBusy(error)) throw error
      log(error.message)
    })
  }

  async submit(order: JobOrder): Promise<Ordered> {
    const dispatcher = await this.#open().catch((error) => {
      throw isBusy(error) ? this.#refusal() : error
    })
    return dispatcher.submit(order)
  }

  live(id: number) {
    return this.#dispatcher?.live(id) ?? null
  }

  async isElsewhere(job: JobRecord): Promise<boolean> {
    if (this.#dispatcher !== null) return this.#dispatcher.isElsewhere(job)
    return isRunning(this.#deps.workspace, job.id)
  }

  ahead(id: number): number | null {
    return this.#dispatcher?.ahead(id) ?? null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opening?.catch(() => null)
    await this.#opened[Symbol.asyncDispose]()
  }

  #refusal(): Refusal {
    const { shown } = this.#deps.workspace
    return new Refusal(
      409,
      `another server runs the crawls of ${shown}: ask that one, which has the same tools at POST /mcp, stop it, ` +
        'or start this one with another --data; scrape, map, status, search and explain work here',
    )
  }

  #open(): Promise<Dispatcher> {
    this.#opening ??= this.#start().catch((error) => {
      this.#opening = null
      throw error
    })
    return this.#opening
  }

  async #start(): Promise<Dispatcher> {
    const { options, workspace, jobs, journal, clock, log } = this.#deps
    await using opened = new ResourceStack()
    const lock = opened.use(await lockServer(workspace))
    const leave = (why: string): never => {
      log(`${why}; crawls go on with the next start`)
      process.exit(EXIT.store)
    }
    lock.lost?.addEventListener('abort', () => leave('another server has taken the place'))
    const feed = new KeptFeed({ workspace, onNotice: log })
    opened.defer(() => feed.finish(true))
    const dispatcher = opened.use(
      await openDispatcher({
        ...{ workspace, jobs, journal, clock, proxies: options.proxies },
        maxRunning: options.jobs,
        maxConnections: options.connections,
        maxRssBytes: options.memoryBytes,
        onUnreachable: leave,
      }),
    )
    this.#opened.use(opened.move())
    this.#dispatcher = dispatcher
    return dispatcher
  }
}

function isBusy(error: unknown): error is CrawlerError {
  return error instanceof CrawlerError && error.code === 'store-busy'
}
