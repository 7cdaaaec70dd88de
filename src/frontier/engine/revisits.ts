// URLs of a finished crawl that are visited again, in queues of their own. Unlike candidates they need no
// admission, no score and no room in the buffer, and they keep their state while they wait.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { NOT_REFRESHED } from '../../core/visit.ts'
import type { Revisit } from '../frontier.ts'
import { roundOf } from './begin-recrawl.ts'
import type { Origin } from './host.ts'
import { HostQueue } from './host-queue.ts'
import type { Hosts } from './hosts.ts'
import type { Retries } from './retries.ts'
import { STORED } from './states.ts'

/** URLs in memory per origin: some kilobytes, for origins that have any. */
const HEAD_SIZE = 64

export type RevisitsOptions = {
  readonly db: DatabaseSync
  readonly hosts: Hosts
  readonly retries: Retries
  readonly isHeld: (id: number) => boolean
  /** The number of all leased pages. */
  readonly held: () => number
}

export type RevisitRow = Omit<Revisit, 'stored'> & { readonly tries: number }

export class Revisits {
  readonly #options: RevisitsOptions
  /** The number of the recrawl; 0 if there is none. */
  readonly round: number
  readonly headSize = HEAD_SIZE
  readonly #sql: ReturnType<typeof prepare>
  #waiting = 0

  constructor(options: RevisitsOptions) {
    this.#options = options
    this.round = roundOf(options.db)
    this.#sql = prepare(options.db)
    this.#load()
  }

  /** URLs that are not leased, waiting now or for their next try. */
  get waiting(): number {
    return this.#waiting
  }

  /** Whether this recrawl has still to visit a URL, or is visiting it. */
  has(id: number): boolean {
    return this.#waiting + this.#options.held() > 0 && this.#sql.has.get(id) !== undefined
  }

  read(id: number): RevisitRow {
    const row = this.#sql.read.get(id)
    return {
      etag: String(row?.etag ?? ''),
      lastModified: String(row?.last_modified ?? ''),
      contentHash: String(row?.content_hash ?? ''),
      tries: Number(row?.tries ?? 0),
    }
  }

  /** For the queues: the best of an origin as [id, priority], best first, without leased ones. */
  headOf(originId: number, limit: number): readonly (readonly [number, number])[] {
    const { held, isHeld } = this.#options
    const rows = this.#sql.head.all(originId, limit + held()) as unknown as [number, number][]
    return rows.filter(([id]) => !isHeld(id)).slice(0, limit)
  }

  /** Removes and returns the best of an origin; 0 if it has none. */
  take({ revisits }: Origin): number {
    const id = revisits?.take() ?? 0
    if (id !== 0) this.#waiting -= 1
    return id
  }

  /** Returns a URL to its queue as if never taken. `tries` is set if a try failed. */
  putBack(origin: Origin, id: number, tries?: number): void {
    if (tries !== undefined) this.#sql.delay.run(tries, null, id)
    this.#queueOf(origin).add(id, this.#priorityOf(id))
    this.#waiting += 1
  }

  /** Delays a URL until `at`. */
  delay(origin: Origin, id: number, { tries, at }: { tries: number; at: number }): void {
    this.#sql.delay.run(tries, at, id)
    this.#options.retries.add({ kind: 'revisit', id, origin }, at)
    this.#waiting += 1
  }

  /** The time of its next try has come. */
  wake(origin: Origin, id: number): void {
    this.#sql.wake.run(id)
    this.#queueOf(origin).add(id, this.#priorityOf(id))
  }

  /** A URL that was not leased was visited anyway: it no longer waits. */
  drop(origin: Origin, id: number): void {
    const isDelayed = this.#sql.has.get(id)?.next_at !== null
    if (isDelayed) this.#options.retries.drop('revisit', id)
    else origin.revisits?.drop(id)
    this.#waiting -= 1
  }

  /** Its visit has a result. */
  done(id: number): void {
    this.#sql.done.run(id)
  }

  /** No URL of an origin can be visited in this recrawl. All keep their state. */
  giveUp(origin: Origin, reason: string): void {
    const { retries } = this.#options
    this.#sql.keep.run(notRefreshed(reason), origin.id)
    this.#waiting -= Number(this.#sql.giveUp.run(origin.id).changes)
    origin.revisits = null
    for (const { kind, id } of retries.of(origin)) if (kind === 'revisit') retries.drop(kind, id)
  }

  #priorityOf(id: number): number {
    return Number(this.#sql.read.get(id)?.priority ?? 0)
  }

  #queueOf(origin: Origin): HostQueue {
    const queue = origin.revisits ?? new HostQueue(origin.id, this, 0)
    origin.revisits = queue
    return queue
  }

  #load(): void {
    const { hosts, retries } = this.#options
    for (const { origin_id, urls } of this.#sql.sizes.all()) {
      const origin = hosts.originWithId(Number(origin_id))
      if (origin === undefined) continue
      origin.revisits = new HostQueue(origin.id, this, Number(urls))
      this.#waiting += Number(urls)
    }
    for (const { url_id, origin_id, next_at } of this.#sql.delayed.iterate()) {
      const origin = hosts.originWithId(Number(origin_id))
      if (origin === undefined) continue
      retries.add({ kind: 'revisit', id: Number(url_id), origin }, Number(next_at))
      this.#waiting += 1
    }
  }
}

/** The reason of a page that stays unchanged because there was no answer. */
export function notRefreshed(reason: string): string {
  return `${NOT_REFRESHED}: ${reason}`
}

function prepare(db: DatabaseSync) {
  const head = db.prepare(`
    SELECT url_id, priority FROM revisit
    WHERE origin_id = ? AND next_at IS NULL ORDER BY priority DESC, url_id LIMIT ?`)
  head.setReturnArrays(true)
  return {
    head,
    sizes: db.prepare(
      'SELECT origin_id, count(*) AS urls FROM revisit WHERE next_at IS NULL GROUP BY origin_id',
    ),
    delayed: db.prepare('SELECT url_id, origin_id, next_at FROM revisit WHERE next_at NOT NULL'),
    has: db.prepare('SELECT next_at FROM revisit WHERE url_id = ?'),
    read: db.prepare('SELECT * FROM revisit WHERE url_id = ?'),
    delay: db.prepare('UPDATE revisit SET tries = ?, next_at = ? WHERE url_id = ?'),
    wake: db.prepare('UPDATE revisit SET next_at = NULL WHERE url_id = ?'),
    done: db.prepare('DELETE FROM revisit WHERE url_id = ?'),
    keep: db.prepare(`
      UPDATE url SET reason = ?
      WHERE state = ${STORED} AND id IN (SELECT url_id FROM revisit WHERE origin_id = ?)`),
    giveUp: db.prepare('DELETE FROM revisit WHERE origin_id = ?'),
  } as const satisfies Record<string, StatementSync>
}
