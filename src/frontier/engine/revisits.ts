// URLs of a finished crawl that are visited again, in queues of their own. Unlike candidates they need no
// admission, no score and no room in the buffer, and they keep their state while they wait.
import { NOT_REFRESHED } from '../../core/visit.ts'
import type { Origin } from './host.ts'
import { HostQueue } from './host-queue.ts'
import type { Hosts } from './hosts.ts'
import type { Retries } from './retries.ts'
import type { Ranked, RevisitRow, RevisitRows } from './rows.ts'
import { STORED } from './states.ts'
import type { UrlTable } from './url-table.ts'

/** URLs in memory per origin: some kilobytes, for origins that have any. */
const HEAD_SIZE = 64

type RevisitsOptions = {
  readonly rows: RevisitRows
  /** The number of the recrawl; 0 if there is none. */
  readonly round: number
  readonly urls: UrlTable
  readonly hosts: Hosts
  readonly retries: Retries
  readonly isHeld: (id: number) => boolean
  /** The number of all leased pages. */
  readonly held: () => number
  /** The latest time of any next try, as of the beginning of this run. */
  readonly latestTry: number
}

export class Revisits {
  readonly #options: RevisitsOptions
  readonly headSize = HEAD_SIZE
  readonly #rows: RevisitRows
  #waiting = 0

  constructor(options: RevisitsOptions) {
    this.#options = options
    this.#rows = options.rows
    this.#load()
  }

  get round(): number {
    return this.#options.round
  }

  /** URLs that are not leased, waiting now or for their next try. */
  get waiting(): number {
    return this.#waiting
  }

  /** Whether this recrawl has still to visit a URL, or is visiting it. */
  has(id: number): boolean {
    return this.#waiting + this.#options.held() > 0 && this.#rows.get(id) !== undefined
  }

  read(id: number): Pick<RevisitRow, 'etag' | 'lastModified' | 'contentHash' | 'tries'> {
    const { etag = '', lastModified = '', contentHash = '', tries = 0 } = this.#rows.get(id) ?? {}
    return { etag, lastModified, contentHash, tries }
  }

  /** For the queues: the best of an origin as [id, priority], best first, without leased ones. */
  headOf(originId: number, limit: number): readonly Ranked[] {
    const { held, isHeld } = this.#options
    const rows = this.#rows.head(originId, limit + held())
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
    if (tries !== undefined) this.#rows.update(id, { tries, nextAt: null })
    this.#queueOf(origin).add(id, this.#priorityOf(id))
    this.#waiting += 1
  }

  /** Delays a URL until `at`. */
  delay(origin: Origin, id: number, { tries, at }: { tries: number; at: number }): void {
    this.#rows.update(id, { tries, nextAt: at })
    this.#options.retries.add({ kind: 'revisit', id, origin }, at)
    this.#waiting += 1
  }

  /** The time of its next try has come. */
  wake(origin: Origin, id: number): void {
    this.#rows.update(id, { nextAt: null })
    this.#queueOf(origin).add(id, this.#priorityOf(id))
  }

  /** A URL that was not leased was visited anyway: it no longer waits. */
  drop(origin: Origin, id: number): void {
    const isDelayed = this.#rows.get(id)?.nextAt !== null
    if (isDelayed) this.#options.retries.drop('revisit', id)
    else origin.revisits?.drop(id)
    this.#waiting -= 1
  }

  /** Its visit has a result. */
  done(id: number): void {
    this.#rows.drop(id)
  }

  /** No URL of an origin can be visited in this recrawl. All keep their state. */
  giveUp(origin: Origin, reason: string): void {
    const { retries, urls } = this.#options
    const kept = { reason: notRefreshed(reason), tries: null, nextAt: null }
    for (const { urlId } of this.#rows.of(origin.id)) {
      if (urls.read(urlId).state === STORED) urls.settle(urlId, STORED, kept)
      this.#rows.drop(urlId)
      this.#waiting -= 1
    }
    origin.revisits = null
    for (const { kind, id } of retries.of(origin)) if (kind === 'revisit') retries.drop(kind, id)
  }

  #priorityOf(id: number): number {
    return this.#rows.get(id)?.priority ?? 0
  }

  #queueOf(origin: Origin): HostQueue {
    const queue = origin.revisits ?? new HostQueue(origin.id, this, 0)
    origin.revisits = queue
    return queue
  }

  #load(): void {
    const { hosts, retries, latestTry } = this.#options
    for (const { originId, urls } of this.#rows.sizes()) {
      const origin = hosts.originWithId(originId)
      if (origin === undefined) continue
      origin.revisits = new HostQueue(origin.id, this, urls)
      this.#waiting += urls
    }
    for (const { urlId, originId, nextAt } of this.#rows.delayed()) {
      const at = Math.min(nextAt ?? 0, latestTry)
      if (at !== nextAt) this.#rows.update(urlId, { nextAt: at })
      const origin = hosts.originWithId(originId)
      if (origin === undefined) continue
      retries.add({ kind: 'revisit', id: urlId, origin }, at)
      this.#waiting += 1
    }
  }
}

/** The reason of a page that stays unchanged because there was no answer. */
export function notRefreshed(reason: string): string {
  return `${NOT_REFRESHED}: ${reason}`
}
