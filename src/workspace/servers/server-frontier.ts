// The frontiers of a workspace on servers: their rows are in PostgreSQL, or in a Redis beside it. The program
// that owns a partition works on a copy of its rows on this machine.
import { setTimeout as sleep } from 'node:timers/promises'
import { CrawlerError } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import {
  leaseMsOf,
  partitionsOf,
  type WorkspaceUrl,
  withoutPassword,
} from '../../core/workspace-url.ts'
import { newOwner } from '../../frontier/partitions/membership.ts'
import { refuseUndivided, whyUndivided } from '../../frontier/partitions/partition-of.ts'
import type { PartitionedFrontier } from '../../frontier/partitions/partitioned-frontier.ts'
import { addedCounts, decodeSummary } from '../../frontier/partitions/summary.ts'
import type { NewRecrawl } from '../../frontier/recrawls.ts'
import type { FrontierStorage } from '../../frontier/storage.ts'
import type { UrlStates } from '../../frontier/url-states.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { Sql } from '../../store/sql/sql.ts'
import { addSeeds, settlePages } from '../settle-unknown-pages.ts'
import type { FrontierNeeds } from '../workspace.ts'
import type { Connections } from './connections.ts'

/** At most as many pairs can work on one crawl. */
const PARTITIONS = 16
/** Between two batches of a busy owner: a batch costs a server about as much as fifty of its rows. */
const BUSY_ROUND_MS = 250
/** Owners write what a server lost again within seconds; that they live is seen sooner. */
const LOOKS = 10
const LOOKS_FOR_OWNERS = 4
const LOOK_EVERY_MS = 500
const COPIED_AT_ONCE = 2000

export class ServerFrontier {
  readonly #text: WorkspaceUrl
  readonly #connections: Connections
  #storage: Promise<FrontierStorage> | null = null

  constructor(text: WorkspaceUrl, connections: Connections) {
    this.#text = text
    this.#connections = connections
  }

  /** For a run that begins. `takeOver`: nobody works on the crawl now, whatever they reported last. */
  async begin(needs: FrontierNeeds, takeOver: boolean): Promise<readonly string[]> {
    const storage = await this.#opened()
    const { job } = needs
    const why = whyUndivided(needs)
    const wanted = why === null ? (partitionsOf(this.#text) ?? PARTITIONS) : 1
    const partitions = await storage.divide(job, wanted)
    refuseUndivided(needs, partitions)
    if (takeOver) await this.#dismissAll(storage, job.id)
    if (why === null) return []
    return [
      `this crawl is not divided between workers, because of ${why}: one fetches, others wait`,
    ]
  }

  async open(needs: FrontierNeeds): Promise<PartitionedFrontier> {
    const adapter = await import('../../frontier/partitions/partitioned-frontier.ts')
    // Its clock is the server's.
    const { clock: _, ...options } = needs
    return adapter.openPartitionedFrontier({ ...options, ...(await this.#place(needs.job)) })
  }

  async beginRecrawl(recrawl: NewRecrawl): Promise<void> {
    const adapter = await import('../../frontier/partitions/begin-recrawl.ts')
    await this.#dismissAll(await this.#opened(), recrawl.job.id)
    await adapter.beginPartitionedRecrawl(await this.#place(recrawl.job), recrawl)
  }

  /**
   * From the pages of the store. Returns the number of its URLs; null if it is there and knows the pages. One
   * that was interrupted goes on where it was.
   */
  async rebuild(needs: FrontierNeeds): Promise<number | null> {
    const { job } = needs
    const isThere = await this.has(job.id)
    if (isThere && !(await this.#lacksPages(job.id))) return null
    // A part of it may be there.
    if (!isThere) await (await this.#opened()).discard(job.id)
    await this.begin(needs, true)
    const { allPagesWithLinks } = await import('../../store/sql/sql-pages-with-links.ts')
    await using frontier = await this.open(needs)
    await addSeeds(frontier, job)
    for await (const pages of allPagesWithLinks(await this.#sql(), job.id)) {
      await settlePages(frontier, job, pages)
    }
    await this.#addCopied(frontier, job)
    return Object.values(frontier.counts()).reduce((sum, urls) => sum + urls, 0)
  }

  /**
   * URLs that waited when an earlier version wrote them down: no page that is stored may lead to them, as if
   * they were named by a sitemap. They count as found there, which is not too deep for any limit of depth.
   */
  async #addCopied(frontier: PartitionedFrontier, job: Job): Promise<void> {
    const { findCopiedUrlStates } = await import('../../frontier/postgres/copied-url-states.ts')
    await using copy = await findCopiedUrlStates(await this.#connections.writing(), job.id)
    if (copy === null) return
    const hashUrl = createUrlHasher(job.salt)
    for (let after = 0; ; ) {
      const some = await copy.list({ after, limit: COPIED_AT_ONCE })
      const found = some.flatMap(({ url, state, depth }) => {
        const isOpen = state === 'queued' || state === 'leased'
        const isNear = depth <= 1 || job.settings.maxDepth === null
        return isOpen && isNear ? [{ url, hash: hashUrl(url), nofollow: false, signals: null }] : []
      })
      await frontier.add(found, 'sitemap')
      const last = some.at(-1)
      if (last === undefined) return
      after = last.position
    }
  }

  /** Whether the store has more pages than the frontier and waiting receipts know. */
  async #lacksPages(crawlId: number): Promise<boolean> {
    const { countPagesWithLinks } = await import('../../store/sql/sql-pages-with-links.ts')
    const inStore = await countPagesWithLinks(await this.#sql(), crawlId)
    const { partitions } = await (await this.#opened()).view(crawlId)
    const { stored, duplicate } = addedCounts(
      partitions.map(({ summary }) => decodeSummary(summary)),
    )
    return inStore > stored + duplicate
  }

  /** Whether the crawl has a frontier, with all its rows. What living owners write again is waited for. */
  async has(crawlId: number): Promise<boolean> {
    const storage = await this.#opened()
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const count = await storage.partitionsOf(crawlId)
      const { partitions, owners } = await storage.view(crawlId)
      if (count > 0 && !partitions.some(({ lost }) => lost)) return true
      const mayCome = owners.length > 0 || looks < LOOKS_FOR_OWNERS
      if (storage.restore === undefined || (count === 0 && !mayCome)) return false
      await sleep(LOOK_EVERY_MS)
    }
    return false
  }

  #lost(crawlId: number): CrawlerError {
    const hint = "'jelajah doctor --rebuild-frontier' makes it again; or use --fresh."
    const message = `the frontier of crawl ${crawlId} is lost. ${hint}`
    return new CrawlerError('store-damaged', message)
  }

  missing(crawlId: number, stored: number): CrawlerError {
    const { frontier, data } = this.#text
    const where = withoutPassword(frontier ?? data)
    const what =
      `the frontier of crawl ${crawlId} is not in ${where}, or was written by an earlier version; ` +
      `the crawl has ${stored} pages`
    const hint = "'jelajah doctor --rebuild-frontier' makes it again; or use --fresh."
    return new CrawlerError('store-damaged', `${what}. ${hint}`)
  }

  /** Null if the crawl has no frontier here. */
  async states(job: Job): Promise<UrlStates | null> {
    return (await this.#readable())?.states(job) ?? null
  }

  async discard(crawlId: number): Promise<void> {
    await (await this.#opened()).discard(crawlId)
  }

  async #place(job: Job) {
    const { openWorkingCopy } = await import('../../frontier/sqlite/sqlite-rows.ts')
    const storage = await this.#opened()
    let partitions = await storage.partitionsOf(job.id)
    // A run has begun it, so a server lost it; perhaps its owners write it again.
    if (partitions === 0 && (await this.has(job.id)))
      partitions = await storage.partitionsOf(job.id)
    if (partitions === 0) throw this.#lost(job.id)
    return {
      storage,
      partitions,
      owner: newOwner(),
      leaseMs: leaseMsOf(this.#text),
      openCopy: () => openWorkingCopy(),
      busyRoundMs: BUSY_ROUND_MS,
    }
  }

  async #dismissAll(storage: FrontierStorage, crawlId: number): Promise<void> {
    const { owners } = await storage.view(crawlId)
    for (const owner of owners) await storage.leave(crawlId, owner)
  }

  async #sql(): Promise<Sql> {
    const { createPostgresSql } = await import('../../store/postgres/postgres-sql.ts')
    return createPostgresSql(await this.#connections.writing())
  }

  #opened(): Promise<FrontierStorage> {
    this.#storage ??= this.#open().catch((error: unknown) => {
      this.#storage = null
      throw error
    })
    return this.#storage
  }

  async #open(): Promise<FrontierStorage> {
    if (this.#text.frontier !== null) return this.#overRedis()
    const { createPostgresStorage } = await import('../../frontier/postgres/postgres-storage.ts')
    return createPostgresStorage(await this.#connections.writing())
  }

  /** Null if there is no store. */
  async #readable(): Promise<FrontierStorage | null> {
    if (this.#text.frontier !== null) return this.#opened()
    const db = await this.#connections.reading()
    if (db === null) return null
    const { createPostgresStorage } = await import('../../frontier/postgres/postgres-storage.ts')
    return createPostgresStorage(db)
  }

  async #overRedis(): Promise<FrontierStorage> {
    const { createRedisStorage } = await import('../../frontier/redis/redis-storage.ts')
    return createRedisStorage(await this.#connections.redis())
  }
}
