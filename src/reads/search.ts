// Search in a workspace. One process keeps the index: an indexer, or the first that searches. It holds a lock and
// catches up with the store before it answers. Other processes read the index as it is, and wait a moment for the
// writer.
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { CrawlerError, InvalidInput, shown } from '../core/errors.ts'
import { jobId } from '../core/job.ts'
import { canonicalise, hostOf } from '../core/url.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { Gate } from '../lib/gate.ts'
import { given } from '../lib/present.ts'
import { KeptReader } from '../search/index/index-reader.ts'
import {
  countBehind,
  type IndexSource,
  IndexWriter,
  openIndexSource,
} from '../search/index/index-writer.ts'
import type {
  Completing,
  Completions,
  Found,
  Hit,
  LikedPage,
  Search,
} from '../search/search-index.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { SearchResult, Suggestions } from './shapes/page.ts'

/** So that a crawl of some thousand pages can be searched as soon as it has ended. */
const BEFORE_ANSWER_MS = 1000
/** How long an answer waits for another process that keeps the index, which may be there in a moment … */
const FOR_OTHERS_MS = 500
/** … looking at how far it is. */
const LOOK_EVERY_MS = 25

export type SearchRequest = Search & {
  /** Finds pages like the one that is stored with this URL; InvalidInput if there is none. */
  readonly likeUrl?: string
}

export interface WorkspaceSearch extends AsyncDisposable {
  /** Empty where there is no store yet. Brings the index up to date first, or waits a moment for who does. */
  search(search: SearchRequest): Promise<SearchResult>
  /** Asks the index as it is: the answer waits for nobody, and nothing is written. */
  searchAsIs(search: Search): Promise<SearchResult>
  /** From the index as it is: an answer while somebody types cannot wait. */
  suggest(completing: Completing): Promise<Suggestions>
  /** Brings the index nearer to the store, for about as long as that; `behind`: changes still to read. */
  catchUp(budgetMs: number): Promise<{ readonly behind: number }>
}

type WorkspaceSearchOptions = {
  readonly clock?: Clock
  /** Lets go of the index after each call, for an indexer that may come. */
  readonly givesWay?: boolean
  /** The index that is there is of no use: all of it is made again. */
  readonly onRebuild?: () => void
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
  readonly #onRebuild: () => void
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
    this.#onRebuild = options.onRebuild ?? (() => {})
  }

  async search({ likeUrl, ...asked }: SearchRequest): Promise<SearchResult> {
    return this.#inTurn(async () => {
      const { behind } = await this.#catchUp(BEFORE_ANSWER_MS)
      const like = likeUrl === undefined ? null : await this.#pageAt(likeUrl, asked)
      const search = { ...asked, ...given({ like }) }
      // Before the search: what comes meanwhile is then found the next time.
      const cursor = await this.#cursor()
      const found = await this.#query(search)
      const state = { ...(await this.#state(behind)), cursor }
      return found === null ? nothingFound(search.text, state) : resultFrom(found, state)
    })
  }

  async searchAsIs(search: Search): Promise<SearchResult> {
    return this.#gate.run(async () => {
      this.#source ??= await openIndexSource(this.#workspace)
      const source = this.#source
      if (source === null) {
        return nothingFound(search.text, { behind: 0, index: 'empty', cursor: 0 })
      }
      const behind = await this.#countBehind(source, await source.changes.last())
      const cursor = await this.#cursor()
      const found = await this.#ask(source, search)
      const state = { ...(await this.#state(behind)), cursor }
      return found === null ? nothingFound(search.text, state) : resultFrom(found, state)
    })
  }

  async suggest(completing: Completing): Promise<Suggestions> {
    return this.#inTurn(async () => {
      this.#source ??= await openIndexSource(this.#workspace)
      if (this.#source === null) return suggestionsFrom(completing.text, NO_COMPLETIONS)
      const completions = await this.#reader.use(this.#source, (reader) =>
        reader === null ? Promise.resolve(NO_COMPLETIONS) : reader.complete(completing),
      )
      return suggestionsFrom(completing.text, completions)
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
        onRebuild: this.#onRebuild,
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

  /** The newest page of a URL, in the crawl that is searched or in any. */
  async #pageAt(url: string, { filter }: Search): Promise<LikedPage> {
    const canonical = canonicalise(url)
    const feed = this.#source?.feed
    if (canonical !== null && feed !== undefined) {
      const all = (await feed.crawls()).map(({ id }) => id).reverse()
      for (const crawlId of filter?.crawlId === undefined ? all : [filter.crawlId]) {
        const page = await feed.findByUrl(crawlId, canonical)
        if (page !== null) return page
      }
    }
    throw new InvalidInput('like', `no page is stored with the URL ${shown(url)}`)
  }

  async #query(search: Search): Promise<Found | null> {
    if (this.#writer !== null) return this.#writer.query(search, BEFORE_ANSWER_MS)
    return this.#source === null ? null : this.#ask(this.#source, search)
  }

  #ask(source: IndexSource, search: Search): Promise<Found | null> {
    return this.#reader.use(source, async (reader) => (await reader?.query(search)) ?? null)
  }

  /** Up to which change the index has read. */
  async #cursor(): Promise<number> {
    if (this.#source === null) return 0
    const at =
      this.#writer === null
        ? await this.#reader.use(this.#source, async (reader) => reader?.position())
        : await this.#writer.position()
    return at?.cursor ?? 0
  }

  async #state(behind: number): Promise<Omit<IndexState, 'cursor'>> {
    const source = this.#source
    if (source === null) return { behind, index: 'empty' }
    if (behind === 0) {
      return { behind, index: (await source.changes.last()) === 0 ? 'empty' : 'ready' }
    }
    const at =
      this.#writer === null
        ? await this.#reader.use(source, async (reader) => (await reader?.position()) ?? null)
        : await this.#writer.position()
    const hasBegun = at !== null && at.cursor > 0 && at.mark === (await source.changes.mark())
    return { behind, index: hasBegun ? 'behind' : 'none' }
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

/** How much of the store can be searched. */
type IndexState = Pick<SearchResult, 'behind' | 'index' | 'cursor'>

/** Where there is no index, nor anything to make one of. */
function nothingFound(query: string, state: IndexState): SearchResult {
  const facets = { hosts: [], languages: [], kinds: [], crawls: [], topics: [] }
  const nothing = {
    cut: false,
    total: 0,
    pages: 0,
    whole: 0,
    suggestion: null,
    typos: [],
    hits: [],
  }
  return { query, ...nothing, facets, ...state }
}

function resultFrom(found: Found, state: IndexState): SearchResult {
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
  return {
    query: used,
    cut,
    total,
    pages,
    whole,
    suggestion,
    typos: found.typos.map((typo) => ({ ...typo, meant: [...typo.meant] })),
    hits: shown,
    facets: copied,
    ...state,
  }
}

function hitFrom(hit: Hit): SearchResult['hits'][number] {
  const { page, score, title, url, snippet, linkTexts, others } = hit
  return {
    id: page.id,
    crawl: jobId(page.crawlId),
    url: page.url,
    host: hostOf(page.url),
    title: page.title,
    snippet: snippet.text,
    title_marks: title.marks.map((mark) => [...mark]),
    snippet_marks: snippet.marks.map((mark) => [...mark]),
    url_marks: url.marks.map((mark) => [...mark]),
    link_texts: linkTexts.map(({ text, marks }) => ({
      text,
      marks: marks.map((mark) => [...mark]),
    })),
    score,
    others,
    language: page.language,
    kind: page.kind,
    hot: page.hot,
    fetched_at: page.fetchedAt,
    published_at: page.publishedAt,
  }
}

const NO_COMPLETIONS: Completions = { words: [], titles: [] }

function suggestionsFrom(query: string, { words, titles }: Completions): Suggestions {
  return {
    query,
    words: [...words],
    titles: titles.map(({ page, title }) => ({
      id: page.id,
      crawl: jobId(page.crawlId),
      url: page.url,
      title: page.title,
      title_marks: title.marks.map((mark) => [...mark]),
    })),
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
