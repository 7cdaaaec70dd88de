// `crawl()`: one run of a crawl inside of another program. The processes that fetch and parse are those of
// `jelajah crawl`; this program supervises them. Nothing is printed, no signal is listened to, and the
// process is not ended.
import { firstError, InvalidInput, shown } from '../core/errors.ts'
import type { CrawlSummary } from '../core/summary.ts'
import type { WorkspaceChoice } from '../core/workspace-url.ts'
import type { Drain } from '../crawl/job-run.ts'
import type { CrawlOptions } from './crawl-options.ts'
import type { CrawledPage } from './crawled-page.ts'
import { type CrawlEvent, EventStream, shownProgress } from './event-stream.ts'
import { loadSqliteQuietly } from './quiet-sqlite.ts'

/** A crawl that runs. Iterated over, it gives the pages that this run stores, as they become durable. */
export interface CrawlRun extends AsyncIterable<CrawledPage>, AsyncDisposable {
  /**
   * How it went: resolves when the run has ended and everything is stored, also when it was paused or
   * aborted. Rejects with `BadOptions`, another `InvalidInput`, or a `CrawlerError`; so do pages and events.
   */
  readonly summary: Promise<CrawlSummary>
  /** What it tells meanwhile. A reader who is late gets the newest figures. */
  readonly events: AsyncIterable<CrawlEvent>
  /**
   * Sends no new requests, stores what is under way, and ends. The same options continue the crawl later.
   * Disposing of a run does the same.
   */
  pause(): Promise<CrawlSummary>
}

/** Options of a run beside those of the crawl. */
export type RunOptions = {
  /**
   * Aborted: the run ends as by `pause()`, with the status `stopped`, and reading its pages throws the
   * reason of the signal.
   */
  readonly signal?: AbortSignal
}

/** Begins a crawl, or continues the one with the same name or seeds. */
export function crawl(options: CrawlOptions & RunOptions): CrawlRun {
  return crawlFrom(process.cwd(), options)
}

/** The same, with relative names of files found in another folder than the current one. */
export function crawlFrom(cwd: string, options: CrawlOptions & RunOptions): CrawlRun {
  return new Run(options, cwd)
}

type Started = {
  readonly choice: WorkspaceChoice
  readonly crawlId: number
  readonly cursor: number
  readonly hasFields: boolean
}

class Run implements CrawlRun {
  readonly summary: Promise<CrawlSummary>
  readonly #events = new EventStream()
  readonly #signal: AbortSignal | null
  readonly #started = Promise.withResolvers<Started>()
  #isOver = false
  #drain: Drain | null = null
  #wantsEnd: 'paused' | 'interrupted' | null = null

  constructor(options: CrawlOptions & RunOptions, cwd: string) {
    // Whatever was given: the summary rejects with what is wrong with it.
    const { signal: given } = { ...options }
    const signal = given instanceof AbortSignal ? given : null
    this.#signal = signal
    const onAbort = (): void => this.#end('interrupted')
    if (signal?.aborted === true) onAbort()
    signal?.addEventListener('abort', onAbort)
    this.summary = this.#run(options, cwd).finally(() => {
      this.#isOver = true
      signal?.removeEventListener('abort', onAbort)
    })
    this.summary.then(
      (summary) => this.#events.end(summary),
      (error) => this.#events.fail(error),
    )
    // Whoever reads pages or the summary gets the error.
    this.#started.promise.catch(() => {})
  }

  get events(): AsyncIterable<CrawlEvent> {
    return this.#events
  }

  pause(): Promise<CrawlSummary> {
    this.#end('paused')
    return this.summary
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pause().catch(() => {})
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<CrawledPage, void, void> {
    const started = await this.#started.promise
    const { pagesOf } = await import('./page-stream.ts')
    yield* pagesOf({
      ...started,
      isOver: () => this.#isOver,
      over: this.summary.catch(() => {}),
      signal: this.#signal,
    })
    await this.summary
  }

  #end(why: 'paused' | 'interrupted'): void {
    this.#wantsEnd ??= why
    this.#drain?.(this.#wantsEnd)
  }

  async #run(options: CrawlOptions & RunOptions, cwd: string): Promise<CrawlSummary> {
    try {
      const wanted = withoutSignal(options)
      this.#signal?.throwIfAborted()
      await loadSqliteQuietly()
      const { readCrawlOptions } = await import('./crawl-options.ts')
      const request = await readCrawlOptions(wanted, cwd)
      const { crawlInCompany } = await import('../crawl/crawl-with-services.ts')
      const notice = (text: string): void => this.#events.tell({ type: 'notice', text })
      const cursor = await lastChange(request, notice)
      const { summary } = await crawlInCompany(request, {
        onStart: ({ id }, continued) => {
          const hasFields = request.settings.fields !== null
          this.#started.resolve({ choice: request, crawlId: id, cursor, hasFields })
          this.#events.tell({ type: 'start', crawl: id, continued })
        },
        onProgress: (progress) => this.#events.tell(shownProgress(progress)),
        onNotice: notice,
        onBusy: (text) => this.#events.tell({ type: 'busy', text }),
        onDrainable: (drain) => {
          this.#drain = drain
          if (this.#wantsEnd !== null) drain(this.#wantsEnd)
        },
      })
      return summary
    } catch (thrown) {
      const { asCrawlerError } = await import('../db/sqlite-errors.ts')
      const error = asCrawlerError(firstError(thrown))
      this.#started.reject(error)
      throw error
    }
  }
}

/** What is no object at all is refused by the reader of the others. */
function withoutSignal(options: CrawlOptions & RunOptions): CrawlOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return options
  const { signal = null, ...wanted } = options
  if (signal === null || signal instanceof AbortSignal) return wanted
  throw new InvalidInput('signal', `needs an AbortSignal, not ${shown(signal)}`)
}

/** The number of the last change in the store, before the run; 0 if there is no store yet. */
async function lastChange(choice: WorkspaceChoice, tell: (text: string) => void): Promise<number> {
  const { workspaceOf } = await import('../workspace/open-workspace.ts')
  await using workspace = workspaceOf(choice, tell)
  await using feed = await workspace.changeFeed()
  return feed === null ? 0 : await feed.last()
}
