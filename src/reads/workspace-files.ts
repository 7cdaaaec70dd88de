// What reads have open. Readers of the store are kept. A frontier is opened for one question and closed again: a
// file that is held open keeps its space when its crawl is removed. Nothing here writes.
import type { JobRecord } from '../core/job.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { ResourceStack } from '../lib/resource-stack.ts'
import type { GraphReader } from '../store/graph-reader.ts'
import type { ImportanceReader } from '../store/importance-store.ts'
import type { JobReader } from '../store/job-store.ts'
import type { PageReader } from '../store/page-reader.ts'
import type { RecrawlReader } from '../store/recrawl-store.ts'
import type { Workspace } from '../workspace/workspace.ts'

type StoreReaders = AsyncDisposable & {
  readonly jobs: JobReader
  readonly pages: PageReader
  readonly importance: ImportanceReader
  readonly graph: GraphReader
  readonly rounds: RecrawlReader
}

/** A crawl that is there, with the readers of the store it is in. */
export type CrawlHere = { readonly job: JobRecord; readonly store: StoreReaders }

type Opened = { readonly file: string; readonly readers: Promise<StoreReaders | null> }

export class WorkspaceFiles implements AsyncDisposable {
  readonly workspace: Workspace
  /** On the clock of this process: a frontier that did not answer is left alone until then. */
  askFrontiersAt = 0
  #opened: Opened | null = null

  constructor(workspace: Workspace) {
    this.workspace = workspace
  }

  /** Null while nothing was ever crawled here. */
  async store(): Promise<StoreReaders | null> {
    const file = this.workspace.storeMark()
    if (this.#opened !== null && this.#opened.file !== file) await this.#close()
    if (file === null) return null
    this.#opened ??= { file, readers: openReaders(this.workspace) }
    const opened = this.#opened
    const readers = await opened.readers.catch((error: unknown) => {
      this.#forget(opened)
      throw error
    })
    if (readers === null) this.#forget(opened)
    return readers
  }

  /** Null when there is no such crawl, or not any more. */
  async crawl(id: number): Promise<CrawlHere | null> {
    const store = await this.store()
    // As a list has it: without its topic, which may be a megabyte and is nobody's question here.
    const [job] = (await store?.jobs.list({ before: id + 1, limit: 1 })) ?? []
    return store === null || job?.id !== id ? null : { job, store }
  }

  /** The caller disposes of it. Null when the crawl has no frontier, yet or any more. */
  urlStates(job: JobRecord): Promise<UrlStates | null> {
    return this.workspace.urlStates(job)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
  }

  #forget(opened: Opened): void {
    if (this.#opened === opened) this.#opened = null
  }

  async #close(): Promise<void> {
    const opened = this.#opened
    this.#opened = null
    const readers = await opened?.readers.catch(() => null)
    await readers?.[Symbol.asyncDispose]()
  }
}

/** Null when a writer has made the file this very moment, and not its tables yet. */
async function openReaders(workspace: Workspace): Promise<StoreReaders | null> {
  await using stack = new ResourceStack()
  const jobs = await workspace.jobReader()
  if (jobs === null) return null
  stack.use(jobs)
  const rounds = await workspace.recrawlReader()
  if (rounds === null) return null
  stack.use(rounds)
  const readers = {
    jobs,
    rounds,
    pages: stack.use(await workspace.pageReader()),
    importance: stack.use(await workspace.importanceReader()),
    graph: stack.use(await workspace.graphReader()),
  }
  const kept = stack.move()
  return { ...readers, [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose]() }
}
