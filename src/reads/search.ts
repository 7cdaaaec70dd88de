// Search in a workspace. One process keeps the index: an indexer, or the first that searches. It holds a lock and
// catches up with the store before it answers. Other processes read the index as it is, and wait a moment for the
// writer.
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { CrawlerError } from '../core/errors.ts'
import { jobId } from '../core/job.ts'
import { hostOf } from '../core/url.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { Gate } from '../lib/gate.ts'
import { KeptReader } from '../search/index/index-reader.ts'
import {
  countBehind,
  type IndexSource,
  IndexWriter,
  openIndexSource,
} from '../search/index/index-writer.ts'
import type { Found, Hit, Search } from '../search/search-index.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { SearchResult } from './shapes/page.ts'

/** So that a crawl of some thousand pages can be searched as soon as it has ended. */
const BEFORE_ANSWER_MS = 1000
/** So long an answer waits for another process that keeps the index, which may be there in a moment … */
const FOR_OTHERS_MS = 500
/** … looking at how far it is. */
const LOOK_EVERY_MS = 25

export interface WorkspaceSearch extends AsyncDisposable {
  /** Empty where there is no store yet. */
  search(search: Search): Promise<SearchResult>
  /** Brings the index nearer to the store, for about as long as that; `behind`: changes still to read. */
  catchUp(budgetMs: number): Promise<{ readonly behind: number }>
}

export type WorkspaceSearchOptions = {
  readonly clock?: Clock
  /** Lets go of the index after each call, for an indexer that may come. */
  readonly givesWay?: boolean
  /** The index that is there is of no use: all of it is made again. */
  readonly onAnew?: () => void
}

/** Opens nothing before it is asked, and makes no file before there is a store. */
export function openSearch(
  workspace: Workspace,
  options: WorkspaceSearchOptions = {},
): WorkspaceSearch {
  return new SearchHere(workspace, options)
}

class SearchHere implements WorkspaceSearch {
  readonly #workspace: Workspace
  readonly #clock: Clock
  readonly #givesWay: boolean
  readonly #onAnew: () => void
  /** One call at a time: two would take the lock from each other. */
  readonly #gate = new Gate(1)
  readonly #reader: KeptReader
  #source: IndexSource | null = null
  #writer: IndexWriter | null = null

  constructor(workspace: Workspace, options: WorkspaceSearchOptions) {
    this.#workspace = workspace
    this.#reader = new KeptReader(workspace)
    this.#clock = options.clock ?? systemClock
    this.#givesWay = options.givesWay ?? false
    this.#onAnew = options.onAnew ?? (() => {})
  }

  async search(search: Search): Promise<SearchResult> {
    return this.#inTurn(async () => {
      const { behind } = await this.#catchUp(BEFORE_ANSWER_MS)
      const found = await this.#query(search)
      return found === null ? nothingFound(search.text, behind) : resultFrom(found, behind)
    })
  }

  async catchUp(budgetMs: number): Promise<{ readonly behind: number }> {
    return this.#inTurn(() => this.#catchUp(budgetMs))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gate.run(async () => {
      await this.#stopWriting()
      await this.#reader[Symbol.asyncDispose]()
      await this.#source?.[Symbol.asyncDispose]()
      this.#source = null
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#gate.run(async () => {
      try {
        return await work()
      } finally {
        if (this.#givesWay) await this.#stopWriting()
      }
    })
  }

  async #catchUp(budgetMs: number): Promise<{ readonly behind: number }> {
    this.#source ??= await openIndexSource(this.#workspace)
    const source = this.#source
    if (source === null) return { behind: 0 }
    try {
      this.#writer ??= await IndexWriter.open({
        workspace: this.#workspace,
        source,
        clock: this.#clock,
        onAnew: this.#onAnew,
      })
      if (this.#writer !== null) return await this.#writer.catchUp(budgetMs)
    } catch (error) {
      if (!isNoHarm(error)) throw error
      return { behind: await this.#countBehind(source, await source.changes.last()) }
    }
    return this.#awaitOther(source, budgetMs)
  }

  async #awaitOther(source: IndexSource, budgetMs: number): Promise<{ readonly behind: number }> {
    const last = await source.changes.last()
    const until = performance.now() + Math.min(budgetMs, FOR_OTHERS_MS)
    for (;;) {
      const behind = await this.#countBehind(source, last)
      if (behind === 0 || performance.now() >= until) return { behind }
      await pause(LOOK_EVERY_MS)
    }
  }

  async #query(search: Search): Promise<Found | null> {
    if (this.#writer !== null) return this.#writer.query(search, BEFORE_ANSWER_MS)
    if (this.#source === null) return null
    return this.#reader.use(this.#source, async (reader) => (await reader?.query(search)) ?? null)
  }

  #countBehind(source: IndexSource, last: number): Promise<number> {
    return this.#reader.use(source, (reader) => countBehind(reader, source, last))
  }

  async #stopWriting(): Promise<void> {
    const writer = this.#writer
    this.#writer = null
    await writer?.[Symbol.asyncDispose]()
  }
}

/** Nothing can be written here: what is in the index can be searched all the same. */
function isNoHarm(error: unknown): boolean {
  if (!(error instanceof CrawlerError)) return false
  return error.code === 'disk-full' || error.code === 'store-unreachable'
}

/** Where there is no index, nor anything to make one of. */
export function nothingFound(query: string, behind: number): SearchResult {
  const facets = { hosts: [], languages: [], kinds: [], crawls: [], topics: [] }
  const nothing = { cut: false, total: 0, pages: 0, whole: 0, suggestion: null, hits: [] }
  return { query, ...nothing, facets, behind }
}

export function resultFrom(found: Found, behind: number): SearchResult {
  const { used, cut, total, pages, whole, suggestion, hits, facets } = found
  const crawls = facets.crawls.map(({ value, count }) => ({ value: jobId(Number(value)), count }))
  const copied = {
    hosts: [...facets.hosts],
    languages: [...facets.languages],
    kinds: [...facets.kinds],
    crawls,
    topics: [...facets.topics],
  }
  const shown = hits.map(hitFrom)
  return { query: used, cut, total, pages, whole, suggestion, hits: shown, facets: copied, behind }
}

function hitFrom({ page, score, title, snippet, others }: Hit): SearchResult['hits'][number] {
  return {
    id: page.id,
    crawl: jobId(page.crawlId),
    url: page.url,
    host: hostOf(page.url),
    title: page.title,
    snippet: snippet.text,
    title_marks: title.marks.map((mark) => [...mark]),
    snippet_marks: snippet.marks.map((mark) => [...mark]),
    score,
    others,
    language: page.language,
    kind: page.kind,
    hot: page.hot,
    fetched_at: page.fetchedAt,
  }
}

/** Before another look at Ctrl-C. */
const STEP_MS = 200

export type StepsOptions = {
  readonly signal: AbortSignal
  /** Changes that are still to be read. */
  readonly onBehind: (behind: number) => void
}

/**
 * How many changes are left: none, unless it was told to stop, or nothing moves, since another process
 * writes the index or nobody can.
 */
export async function catchUpInSteps(
  place: WorkspaceSearch,
  { signal, onBehind }: StepsOptions,
): Promise<number> {
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    // So that a signal is heard.
    await nextTurn()
    if (signal.aborted) return before
    const { behind } = await place.catchUp(STEP_MS)
    onBehind(behind)
    if (behind === 0 || behind >= before) return behind
    before = behind
  }
}
