// Prepares all partitions of a crawl for a recrawl. Nobody may have the frontier open meanwhile.
import { CrawlerError } from '../../core/errors.ts'
import { hostOf } from '../../core/url.ts'
import { beginRecrawl } from '../engine/begin-recrawl.ts'
import type { NewRecrawl, PageToRevisit } from '../recrawls.ts'
import type { FrontierStorage, Ownership } from '../storage.ts'
import { fillCopy, takeChanges, type WorkingCopy } from './owned-partition.ts'
import { partitionOf } from './partition-of.ts'

export type RecrawlDeps = {
  readonly storage: FrontierStorage
  readonly partitions: number
  readonly owner: string
  readonly leaseMs: number
  readonly openCopy: (ownership: Ownership) => WorkingCopy
}

type Opened = { readonly ownership: Ownership; readonly rows: WorkingCopy }

export async function beginPartitionedRecrawl(
  place: RecrawlDeps,
  recrawl: NewRecrawl,
): Promise<void> {
  const { storage, owner, leaseMs, partitions } = place
  const crawlId = recrawl.job.id
  const renew = (): Promise<unknown> => storage.report(crawlId, owner, leaseMs)
  await renew()
  const timer = setInterval(() => void renew().catch(() => {}), leaseMs / 5)
  const opened: Opened[] = []
  try {
    for (let partition = 0; partition < partitions; partition += 1) {
      opened.push(await open(place, crawlId, partition))
    }
    await beginAll(place, recrawl, opened)
    for (const { ownership } of opened) await storage.release(ownership)
    await storage.leave(crawlId, owner)
  } finally {
    clearInterval(timer)
    for (const { rows } of opened) rows.close()
  }
}

async function open(
  { storage, owner, openCopy }: RecrawlDeps,
  crawlId: number,
  partition: number,
): Promise<Opened> {
  const ownership = await storage.claim(crawlId, partition, owner)
  if (ownership === null) {
    const message = `another program still works on crawl ${crawlId}: end it, or try again in a minute`
    throw new CrawlerError('store-busy', message)
  }
  const rows = openCopy(ownership)
  try {
    await fillCopy(storage, ownership, rows)
    return { ownership, rows }
  } catch (error) {
    rows.close()
    throw error
  }
}

/** The pages of the store are read once; every partition gets its own. */
async function beginAll(
  { storage, partitions }: RecrawlDeps,
  recrawl: NewRecrawl,
  opened: readonly Opened[],
): Promise<void> {
  const channels = opened.map(() => new Channel<readonly PageToRevisit[]>())
  const counts = opened.map(() => 0)
  const write = (): Promise<void> => writeChanges(storage, opened)
  const working = opened.map(({ rows }, at) =>
    beginRecrawl(rows, {
      ...recrawl,
      pages: channels[at] ?? new Channel(),
      onProgress: (urls) => {
        counts[at] = urls
        recrawl.onProgress?.(counts.reduce((sum, count) => sum + count, 0))
      },
    }).finally(() => channels[at]?.close()),
  )
  // A partition that fails ends the others with it.
  const failed = Promise.race(working.map((one) => one.then(() => new Promise<never>(() => {}))))
  failed.catch(() => {})
  const reading = (async () => {
    for await (const pages of recrawl.pages) {
      const byHome = Map.groupBy(pages, ({ url }) => partitionOf(hostOf(url), partitions))
      for (const [partition, own] of byHome) await channels[partition]?.push(own)
      await write()
    }
    for (const channel of channels) channel.end()
  })()
  await Promise.race([reading, failed])
  await Promise.all(working)
  await write()
}

async function writeChanges(storage: FrontierStorage, opened: readonly Opened[]): Promise<void> {
  const batches = opened.flatMap(({ ownership, rows }) => {
    const changes = takeChanges(rows)
    if (changes.length === 0 && !rows.isChanged) return []
    return [{ ownership, changes, messages: [], taken: new Map(), summary: null }]
  })
  if (batches.length > 0) await storage.write(batches)
}

/** Hands values to one reader, one at a time: `push` resolves when the reader asks for the next. */
class Channel<T> implements AsyncIterable<T> {
  #values: T[] = []
  #isOver = false
  #isClosed = false
  #wake = Promise.withResolvers<void>()
  #taken = Promise.withResolvers<void>()

  async push(value: T): Promise<void> {
    if (this.#isClosed) return
    this.#values.push(value)
    this.#wake.resolve()
    await this.#taken.promise
  }

  /** Nobody reads any more, perhaps because there was nothing to do. */
  close(): void {
    this.#isClosed = true
    this.#taken.resolve()
  }

  end(): void {
    this.#isOver = true
    this.#wake.resolve()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const value = this.#values.shift()
      if (value !== undefined) {
        yield value
        const taken = this.#taken
        this.#taken = Promise.withResolvers<void>()
        taken.resolve()
      } else if (this.#isOver) {
        return
      } else {
        await this.#wake.promise
        this.#wake = Promise.withResolvers<void>()
        if (this.#isOver) this.#wake.resolve()
      }
    }
  }
}
