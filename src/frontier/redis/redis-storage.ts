// Rows of frontiers in a Redis or a Redis Cluster. See keys.ts for what is kept where.
//
// A server may lose its last moments: it was killed, or a replica that was behind took its place. Owners notice
// that with their next report or write, and write all their rows again (`restore`).
import { CrawlerError } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import type { RedisConnection } from '../../db/redis.ts'
import {
  type Batch,
  type CrawlView,
  FencedOut,
  type FrontierStorage,
  type Message,
  type Ownership,
  type RowsOfTable,
  type StoredUrlStates,
} from '../storage.ts'
import { BEGIN, CLAIM, FREE, OWNERS } from './commands.ts'
import { discardEarlier, refuseEarlier } from './earlier-frontier.ts'
import { readInbox } from './inbox.ts'
import {
  type CrawlMade,
  crawlKey,
  crawlMadeOf,
  KEPT_TABLES,
  keptTable,
  newCrawlMade,
  partitionTag,
} from './keys.ts'
import { OwnedPartition } from './owned-partition.ts'
import { RowSet, redisUrlStates, textsOf } from './reading.ts'
import { readReports, type SeenPartition, viewOf } from './reports.ts'

/** No program has this name. */
const NOBODY = '-'

/** The caller closes the connection. */
export function createRedisStorage(connection: RedisConnection): RedisStorage {
  return new RedisStorage(connection)
}

export class RedisStorage implements FrontierStorage {
  readonly #connection: RedisConnection
  /** Crawls as they were last known: a server may lose them. */
  readonly #made = new Map<number, CrawlMade>()
  readonly #owned = new Map<string, OwnedPartition>()

  constructor(connection: RedisConnection) {
    this.#connection = connection
  }

  async divide({ id, salt }: Pick<Job, 'id' | 'salt'>, partitions: number): Promise<number> {
    await refuseEarlier(this.#connection, id)
    const key = this.#crawlKey(id, 'crawl')
    const asked = (await this.#madeBefore(id, partitions)) ?? newCrawlMade(salt, partitions)
    await this.#connection.call('HSETNX', key, 'made', asked.made)
    const [kept, whole] = await this.#fields(key, 'made', 'whole')
    const crawl = crawlMadeOf(kept) ?? asked
    if (crawl.salt !== salt) {
      const message = `the frontier of crawl ${id} in Redis (${this.#connection.shownUrl}) belongs to another crawl: choose another prefix`
      throw new CrawlerError('store-damaged', message)
    }
    if (whole === null) {
      await Promise.all(this.#partitions(crawl).map((each) => this.#begin(id, each, crawl)))
      await this.#connection.call('HSET', key, 'whole', 1)
    }
    this.#made.set(id, crawl)
    return crawl.partitions
  }

  async partitionsOf(crawlId: number): Promise<number> {
    return (await this.#kept(crawlId))?.partitions ?? 0
  }

  async report(crawlId: number, owner: string, forMs: number): Promise<CrawlView> {
    const known = this.#made.get(crawlId) ?? null
    const [kept, { now, owners }] = await Promise.all([
      this.#kept(crawlId),
      this.#owners(crawlId, owner, forMs),
    ])
    const crawl = kept ?? known
    const before = new Map(
      [...this.#owned].map(([key, own]) => [key, [own, own.sentVersion] as const]),
    )
    const seen = await readReports(this.#connection, { crawlId, crawl, owner, forMs })
    if (seen.some((each) => each === 'gone')) return { now, owners, partitions: [] }
    for (const [partition, each] of seen.entries()) {
      if (typeof each === 'object') this.#notePending(crawlId, partition, each)
    }
    // The rest of the crawl is there: only the server that kept this was emptied.
    const isThere = seen.some((each) => typeof each === 'object' && each.made === crawl?.made)
    if (kept === null && crawl !== null && isThere) await this.#keep(crawlId, crawl)
    // Only what was owned before, and is as it was: an answer may be older than the last batch.
    const isOwn = (partition: number): OwnedPartition | null => {
      const key = keyOf({ crawlId, partition })
      const [own, version] = before.get(key) ?? []
      const isSame = own === this.#owned.get(key) && own?.sentVersion === version
      return own !== undefined && isSame && version !== null ? own : null
    }
    return { now, owners, partitions: viewOf(seen, isOwn) }
  }

  async view(crawlId: number): Promise<CrawlView> {
    const [crawl, { now, owners }] = await Promise.all([
      this.#kept(crawlId),
      this.#owners(crawlId, NOBODY, -1),
    ])
    const asked = { crawlId, crawl, owner: NOBODY, forMs: 0 }
    const seen = await readReports(this.#connection, asked)
    const isGone = seen.some((each) => each === 'gone')
    return { now, owners, partitions: isGone ? [] : viewOf(seen, () => null) }
  }

  async claim(crawlId: number, partition: number, owner: string): Promise<Ownership | null> {
    const crawl = await this.#kept(crawlId)
    if (crawl === null || partition >= crawl.partitions) return null
    const { left } = await this.#owners(crawlId, owner, -1)
    if (left <= 0) return null
    const key = `${this.#tag(crawlId, partition)}p`
    const answer = await this.#connection.run(CLAIM, [key], [owner, left])
    if (!Array.isArray(answer)) return null
    const [epoch, clean, made, gen, batch] = answer.map(String)
    if (made !== crawl.made) return null
    const wasReleased = clean === '1'
    const ownership = { crawlId, partition, owner, epoch: Number(epoch), wasReleased }
    this.#own(ownership, { crawl, gen: Number(gen), batch: batch ?? '' })
    return ownership
  }

  async release(ownership: Ownership): Promise<void> {
    const { crawlId, partition, owner, epoch } = ownership
    await this.#connection.run(FREE, [`${this.#tag(crawlId, partition)}p`], [owner, epoch, 1])
    if (this.#ownedHere(ownership) !== null) this.#owned.delete(keyOf(ownership))
  }

  async leave(crawlId: number, owner: string): Promise<void> {
    const crawl = await this.#kept(crawlId)
    const keys = this.#partitions(crawl).map((each) => `${this.#tag(crawlId, each)}p`)
    await Promise.all(keys.map((key) => this.#connection.run(FREE, [key], [owner, '', 0])))
    await this.#owners(crawlId, owner, 0)
  }

  async *load(ownership: Ownership): AsyncGenerator<RowsOfTable> {
    const own = this.#ownedHere(ownership)
    const set = own === null ? await this.#rowsOf(ownership) : await own.load()
    for (const table of KEPT_TABLES) {
      if (table.name === 'sent' && own !== null) continue
      for await (const rows of set.rows(table)) {
        if (rows.length === 0) continue
        if (table.name === 'url') own?.know(rows)
        yield { table: table.name, rows }
      }
    }
    if (own !== null) yield* sentRows(own, set)
    // Throws if it has a new owner.
    await this.#ownedVersion(ownership)
  }

  async write(batches: readonly Batch[]): Promise<void> {
    const written = await Promise.allSettled(batches.map((batch) => this.#write(batch)))
    const failed = written.filter((each) => each.status === 'rejected')
    const fenced = failed.find(({ reason }) => reason instanceof FencedOut)
    const first = fenced ?? failed[0]
    if (first !== undefined) throw first.reason
  }

  async restore(
    ownership: Ownership,
    rows: AsyncIterable<RowsOfTable>,
    last: () => readonly Batch[] = () => [],
  ): Promise<void> {
    const own = this.#ownedHere(ownership)
    const crawl = this.#made.get(ownership.crawlId)
    if (own === null || crawl === undefined) throw new FencedOut(ownership)
    await own.restore(rows, last)
    await this.#keep(ownership.crawlId, crawl)
  }

  async inbox(ownership: Ownership, limit: number): Promise<readonly Message[]> {
    const own = await this.#ownedBy(ownership)
    const senders = this.#partitions(this.#made.get(ownership.crawlId) ?? null)
    return readInbox(this.#connection, own, { senders, limit })
  }

  async states({ id }: Pick<Job, 'id'>): Promise<StoredUrlStates | null> {
    const crawl = await this.#kept(id)
    return crawl === null ? null : redisUrlStates(this.#connection, id, crawl)
  }

  async discard(crawlId: number): Promise<void> {
    await discardEarlier(this.#connection, crawlId)
    const crawl = (await this.#kept(crawlId)) ?? this.#made.get(crawlId) ?? null
    for (const partition of this.#partitions(crawl)) {
      const tag = this.#tag(crawlId, partition)
      await discardPartition(this.#connection, tag, crawl?.partitions ?? 0)
      this.#owned.delete(keyOf({ crawlId, partition }))
    }
    this.#made.delete(crawlId)
    await this.#connection.call('DEL', this.#crawlKey(crawlId, 'owners'))
    await this.#connection.call('DEL', this.#crawlKey(crawlId, 'crawl'))
  }

  async #write(batch: Batch): Promise<void> {
    const own = await this.#ownedBy(batch.ownership)
    await own.write(batch)
  }

  /** What is known of a partition that was claimed here, or by another storage in the same name. */
  async #ownedBy(ownership: Ownership): Promise<OwnedPartition> {
    const known = this.#ownedHere(ownership)
    if (known !== null) return known
    const crawl = await this.#kept(ownership.crawlId)
    if (crawl === null) throw new FencedOut(ownership)
    return this.#own(ownership, { crawl, ...(await this.#ownedVersion(ownership)) })
  }

  #ownedHere(ownership: Ownership): OwnedPartition | null {
    const known = this.#owned.get(keyOf(ownership))
    return known?.ownership.epoch === ownership.epoch ? known : null
  }

  async #rowsOf(ownership: Ownership): Promise<RowSet> {
    const { gen } = await this.#ownedVersion(ownership)
    return new RowSet(this.#connection, this.#tag(ownership.crawlId, ownership.partition), gen)
  }

  async #ownedVersion(ownership: Ownership): Promise<{ gen: number; batch: string }> {
    const { crawlId, partition, owner, epoch } = ownership
    const key = `${this.#tag(crawlId, partition)}p`
    const [by, at, gen, batch] = await this.#fields(key, 'owner', 'epoch', 'gen', 'batch')
    if (by !== owner || at !== String(epoch)) throw new FencedOut(ownership)
    return { gen: Number(gen), batch: String(batch) }
  }

  #own(
    ownership: Ownership,
    found: { readonly crawl: CrawlMade; readonly gen: number; readonly batch: string },
  ): OwnedPartition {
    const own = new OwnedPartition({ connection: this.#connection, ownership, ...found })
    this.#owned.set(keyOf(ownership), own)
    return own
  }

  #notePending(crawlId: number, partition: number, { waiting, ...seen }: SeenPartition): void {
    const own = this.#owned.get(keyOf({ crawlId, partition }))
    if (own?.sentVersion != null && own.isAsWritten(seen)) own.keepPending(waiting)
  }

  async #begin(crawlId: number, partition: number, crawl: CrawlMade): Promise<void> {
    const tag = this.#tag(crawlId, partition)
    const [gone, ...generations] = await this.#fields(`${tag}p`, 'gone', 'gen', 'restoring')
    // What is left of a crawl that was not discarded completely.
    for (const gen of gone === null ? [] : generations) {
      if (gen !== null) await new RowSet(this.#connection, tag, Number(gen)).remove()
    }
    // If several programs divide a frontier, one of them is first. There was no generation before.
    const gen = Date.now()
    const fields = ['owner', '', 'epoch', 0, 'clean', 1, 'batch', 0, 'gen', gen]
    await this.#connection.run(BEGIN, [`${tag}p`], [crawl.made, ...fields])
  }

  /** As partitions tell, where the server lost what was kept of the crawl. */
  async #madeBefore(crawlId: number, partitions: number): Promise<CrawlMade | null> {
    const asked = Array.from({ length: partitions }, (_, at) => `${this.#tag(crawlId, at)}p`)
    const all = await Promise.all(asked.map((key) => this.#fields(key, 'made')))
    return crawlMadeOf(all.flat().find((made) => made !== null))
  }

  /** Null if it is not divided, or not completely. */
  async #kept(crawlId: number): Promise<CrawlMade | null> {
    const [made, whole] = await this.#fields(this.#crawlKey(crawlId, 'crawl'), 'made', 'whole')
    const crawl = whole === null ? null : crawlMadeOf(made)
    if (crawl !== null) this.#made.set(crawlId, crawl)
    return crawl
  }

  async #keep(crawlId: number, { made }: CrawlMade): Promise<void> {
    const key = this.#crawlKey(crawlId, 'crawl')
    await this.#connection.call('HSETNX', key, 'made', made)
    await this.#connection.call('HSETNX', key, 'whole', 1)
  }

  /** `left`: ms for which this owner counts as alive. */
  async #owners(crawlId: number, owner: string, forMs: number) {
    const key = this.#crawlKey(crawlId, 'owners')
    const [now, ...pairs] = textsOf(await this.#connection.run(OWNERS, [key], [owner, forMs]))
    const owners = pairs.filter((_, at) => at % 2 === 0)
    const left = owners.includes(owner) ? Number(pairs[2 * owners.indexOf(owner) + 1]) : 0
    return { now: Number(now), owners: owners.sort(), left }
  }

  async #fields(key: string, ...names: readonly string[]): Promise<readonly (string | null)[]> {
    const answer = await this.#connection.call('HMGET', key, ...names)
    return Array.isArray(answer) ? answer : []
  }

  #partitions(crawl: CrawlMade | null): number[] {
    return Array.from({ length: crawl?.partitions ?? 0 }, (_, partition) => partition)
  }

  #tag(crawlId: number, partition: number): string {
    return partitionTag({ prefix: this.#connection.prefix, crawlId }, partition)
  }

  #crawlKey(crawlId: number, name: 'crawl' | 'owners'): string {
    return crawlKey({ prefix: this.#connection.prefix, crawlId }, name)
  }
}

/**
 * The numbers of messages go on above those that receivers have taken: a server that lost its last moments,
 * and with them what the last owner had sent, would give them to others.
 */
async function* sentRows(own: OwnedPartition, set: RowSet): AsyncGenerator<RowsOfTable> {
  const numbers = await own.takenByOthers()
  for await (const rows of set.rows(keptTable('sent'))) {
    for (const [to, number] of rows) {
      numbers.set(Number(to), Math.max(Number(number), numbers.get(Number(to)) ?? 0))
    }
  }
  const sent = [...numbers].filter(([, number]) => number > 0).sort(([a], [b]) => a - b)
  if (sent.length > 0) yield { table: 'sent', rows: sent }
}

function keyOf({ crawlId, partition }: { crawlId: number; partition: number }): string {
  return `${crawlId}:${partition}`
}

const DAY_MS = 86_400_000
const FENCE = ['owner', 'epoch', 'made', 'batch', 'summary', 'staged'] as const

/**
 * May be interrupted and repeated. The key that stays for a day tells a late owner that the partition was
 * discarded on purpose.
 */
async function discardPartition(
  connection: RedisConnection,
  tag: string,
  partitions: number,
): Promise<void> {
  const key = `${tag}p`
  await connection.call('HSET', key, 'gone', 1)
  await connection.call('HDEL', key, ...FENCE)
  const generations = await connection.call('HMGET', key, 'gen', 'restoring')
  for (const gen of Array.isArray(generations) ? generations : []) {
    if (gen !== null) await new RowSet(connection, tag, Number(gen)).remove()
  }
  const outboxes = Array.from({ length: partitions }, (_, to) => `${tag}o:${to}`)
  await connection.call('UNLINK', `${tag}o`, `${tag}t`, `${tag}s`, ...outboxes)
  await connection.call('HDEL', key, 'gen', 'restoring')
  await connection.call('PEXPIRE', key, DAY_MS)
}
