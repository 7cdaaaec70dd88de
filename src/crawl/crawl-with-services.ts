// Services beside a crawl of the command line: the feed for other programs, and an indexer if wanted. The
// crawl waits for them only after its end, and not for long.
import { showNumber } from '../lib/format.ts'
import { ResourceStack } from '../lib/resource-stack.ts'
import { KeptIndexer } from '../search/index/keep-indexer.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type CrawlRequest, crawl } from './crawl.ts'
import type { CrawlWatcher } from './job-run.ts'
import { KeptFeed } from './keep-feed.ts'
import type { RunResult } from './run-job.ts'

/** How long an indexer may take to catch up when the crawl has ended. */
const INDEXING_MS = 10_000
/** The same if the crawl was asked to stop. */
const LEAVING_MS = 1_000
const LATER = "the next 'jelajah search' or 'jelajah index' goes on from there"

export type CompanyRequest = CrawlRequest & {
  /** Keep the search index up to date during the crawl. */
  readonly index: boolean
}

export async function crawlInCompany(
  request: CompanyRequest,
  watcher: CrawlWatcher,
): Promise<RunResult> {
  await using company = new ResourceStack()
  let isLeaving = false
  return await crawl(request, {
    ...watcher,
    onDrainable: (drain) =>
      watcher.onDrainable((why, withinMs) => {
        isLeaving = true
        drain(why, withinMs)
      }),
    // The store exists from now on.
    onStart: (job, continued) => {
      company.use(new Company(request, watcher, () => isLeaving))
      watcher.onStart(job, continued)
    },
  })
}

class Company implements AsyncDisposable {
  readonly #watcher: CrawlWatcher
  /** True if the user waits for the end. */
  readonly #isLeaving: () => boolean
  readonly #workspace: Workspace
  readonly #feed: KeptFeed
  readonly #indexer: KeptIndexer | null

  constructor(
    { index, ...request }: CompanyRequest,
    watcher: CrawlWatcher,
    isLeaving: () => boolean,
  ) {
    const { onNotice } = watcher
    this.#isLeaving = isLeaving
    this.#watcher = watcher
    this.#workspace = workspaceOf(request, onNotice)
    this.#feed = new KeptFeed({ workspace: this.#workspace, onNotice })
    this.#indexer = index
      ? new KeptIndexer({
          workspace: this.#workspace.text,
          whenNeeded: atOnce,
          log: onNotice,
          firstWaitMs: 1,
        })
      : null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endIndexing()
    if (this.#feed.listeners > 0) this.#watcher.onBusy('telling those who listen the rest')
    await this.#feed.finish(this.#isLeaving())
    await this.#workspace[Symbol.asyncDispose]()
  }

  async #endIndexing(): Promise<void> {
    if (this.#indexer === null) return
    const { onBusy, onNotice } = this.#watcher
    const onBehind = (behind: number) => onBusy(`indexing the rest, ${showNumber(behind, 'page')}`)
    onBehind(0)
    const isDone = await this.#indexer.finish(
      this.#isLeaving() ? LEAVING_MS : INDEXING_MS,
      onBehind,
    )
    if (!isDone) onNotice(`the search index is not up to date yet; ${LATER}`)
  }
}

function atOnce(need: () => void): () => void {
  need()
  return () => {}
}
