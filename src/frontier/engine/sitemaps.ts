// The sitemaps of the crawl's sites: named by robots.txt or another sitemap, or guessed. Each is read once,
// as far as its host's budget allows (sitemap-budget.ts).
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Job } from '../../core/job.ts'
import { type CanonicalUrl, canonicalise, hostOf } from '../../core/url.ts'
import type { SitemapSize } from '../../core/visit.ts'
import type { RobotsRecord } from '../frontier.ts'
import {
  type SitemapBudget,
  type SitemapUse,
  SPENT,
  sitemapBudget,
  spentOf,
} from '../sitemap-budget.ts'
import type { Host, Origin } from './host.ts'
import type { Hosts } from './hosts.ts'
import type { Retries } from './retries.ts'
import { DELAYED, QUEUED, REFUSED, STORED, type StateNumber, UNREACHABLE } from './states.ts'

/** Index files of index files of index files. Nobody nests deeper on purpose. */
const MAX_LEVEL = 3
const NOTHING: SitemapSize = { entries: 0, bytes: 0 }

export type SitemapRow = {
  readonly id: number
  readonly url: CanonicalUrl
  readonly level: number
  readonly hops: number
  readonly tries: number
}

/** The result of a sitemap: its size, the URLs to visit in its last part, the sitemaps it named. */
type Came = {
  readonly size?: SitemapSize | undefined
  readonly brought?: number
  readonly named?: number
}

export type SitemapsOptions = {
  readonly db: DatabaseSync
  readonly job: Job
  readonly hosts: Hosts
  readonly retries: Retries
  readonly inScope: (host: string) => boolean
}

export class Sitemaps {
  readonly #wanted: boolean
  readonly #inScope: (host: string) => boolean
  readonly #hosts: Hosts
  readonly #retries: Retries
  readonly #insert: StatementSync
  readonly #read: StatementSync
  readonly #settle: StatementSync
  readonly #note: StatementSync
  readonly #budget: SitemapBudget
  /** URLs to visit in the parts read so far, for each sitemap being read. */
  readonly #brought = new Map<number, number>()
  #waiting = 0

  constructor({ db, job, hosts, retries, inScope }: SitemapsOptions) {
    const { sitemaps, maxDepth } = job.settings
    this.#wanted = sitemaps && (maxDepth === null || maxDepth >= 1)
    this.#inScope = inScope
    this.#hosts = hosts
    this.#retries = retries
    this.#insert = db.prepare(`
      INSERT OR IGNORE INTO sitemap (origin_id, url, level, hops, state, reason)
      VALUES (?, ?, ?, ?, 0, '')`)
    this.#read = db.prepare('SELECT id, url, level, hops, tries FROM sitemap WHERE id = ?')
    this.#settle = db.prepare(
      'UPDATE sitemap SET state = ?, reason = ?, tries = ?, next_at = ? WHERE id = ?',
    )
    this.#note = db.prepare('UPDATE sitemap SET entries = ?, bytes = ?, brought = ? WHERE id = ?')
    this.#budget = sitemapBudget(job)
    this.#load(db)
  }

  /** Number of sitemaps to read, now or at their next try. */
  get waiting(): number {
    return this.#waiting
  }

  read(id: number): SitemapRow {
    const row = this.#read.get(id)
    return {
      id,
      url: String(row?.url) as CanonicalUrl,
      level: Number(row?.level),
      hops: Number(row?.hops),
      tries: Number(row?.tries),
    }
  }

  /** Adds the sitemaps that a robots.txt names; the default location if it names none. */
  addFrom(origin: Origin, record: RobotsRecord): void {
    if (!this.#wanted || record.status === 'unreachable') return
    const guess = canonicalise('/sitemap.xml', origin.name)
    const named = record.sitemaps.length > 0 ? record.sitemaps : guess === null ? [] : [guess]
    this.add(named, { level: 1, hops: 0 })
  }

  /** Returns how many were new. */
  add(urls: readonly CanonicalUrl[], { level, hops }: { level: number; hops: number }): number {
    if (!this.#wanted || level > MAX_LEVEL) return 0
    let added = 0
    for (const url of urls) {
      const hostName = hostOf(url)
      if (!this.#inScope(hostName)) continue
      const origin = this.#hosts.originFor(url, hostName)
      if (origin.host.sitemapsKnown >= this.#budget.files) continue
      if (this.#spent(origin.host) !== null) continue
      const { changes, lastInsertRowid } = this.#insert.run(origin.id, url, level, hops)
      if (changes === 0) continue
      origin.host.sitemapsKnown += 1
      this.#waiting += 1
      origin.sitemaps.push(Number(lastInsertRowid))
      // The host may serve another site's sitemap and have no page that would get it scheduled.
      this.#hosts.touch(origin.host)
      added += 1
    }
    return added
  }

  /** Puts a sitemap back: to be read now, or at a given time. */
  putBack(origin: Origin, id: number, options: { tries: number; at: number | null }): void {
    const { tries, at } = options
    this.#settle.run(at === null ? QUEUED : DELAYED, '', tries, at, id)
    if (at === null) origin.sitemaps.unshift(id)
    else this.#retries.add({ kind: 'sitemap', id, origin }, at)
  }

  /** The time of its next try has come. */
  wake(origin: Origin, id: number): void {
    origin.sitemaps.push(id)
  }

  /** A part of it was added, with this many URLs to visit. */
  tookPart(id: number, brought: number): void {
    this.#brought.set(id, (this.#brought.get(id) ?? 0) + brought)
  }

  /** A sitemap was read to its end: charges its host, which decides whether further ones are read. */
  charge(origin: Origin, id: number, came: Came = {}): void {
    const { size = NOTHING, brought = 0, named = 0 } = came
    const all = brought + (this.#brought.get(id) ?? 0)
    this.#brought.delete(id)
    this.#note.run(size.entries, size.bytes, all + named, id)
    addUse(origin.host, size, all + named > 0)
    const reason = this.#spent(origin.host)
    if (reason === null) return
    for (const own of origin.host.origins) this.#end(own, REFUSED, reason)
  }

  settle(id: number, state: StateNumber, options: { reason: string; tries: number }): void {
    this.#settle.run(state, options.reason, options.tries, null, id)
    this.#waiting -= 1
  }

  /** No sitemap of an origin will be read in this run. */
  giveUp(origin: Origin, reason: string): void {
    this.#end(origin, UNREACHABLE, reason)
  }

  #end(origin: Origin, state: StateNumber, reason: string): void {
    for (const { kind, id } of this.#retries.of(origin)) {
      if (kind !== 'sitemap') continue
      this.#retries.drop(kind, id)
      origin.sitemaps.push(id)
    }
    for (const id of origin.sitemaps.splice(0)) {
      this.settle(id, state, { reason, tries: 0 })
    }
  }

  #spent({ sitemapUse }: Host): string | null {
    return sitemapUse === null ? null : spentOf(sitemapUse, this.#budget)
  }

  #load(db: DatabaseSync): void {
    db.exec("UPDATE sitemap SET state = 0, reason = '' WHERE state = 8")
    this.#loadUse(db)
    const all = db.prepare('SELECT id, origin_id, state, reason, next_at FROM sitemap ORDER BY id')
    for (const row of all.iterate()) {
      const origin = this.#hosts.originWithId(Number(row.origin_id))
      if (origin === undefined) continue
      const id = Number(row.id)
      origin.host.sitemapsKnown += 1
      const isLeft = Number(row.state) === REFUSED && String(row.reason).startsWith(SPENT)
      const mayBeRead = isLeft && this.#spent(origin.host) === null
      const state = mayBeRead ? QUEUED : Number(row.state)
      if (state !== QUEUED && state !== DELAYED) continue
      // Not wanted under these settings; a later run may want it.
      if (!this.#wanted || !this.#inScope(origin.host.name)) continue
      this.#waiting += 1
      if (state === QUEUED) origin.sitemaps.push(id)
      else this.#retries.add({ kind: 'sitemap', id, origin }, Number(row.next_at))
    }
  }

  /** From the sitemaps that were read, the newest last, since barren files count in a row. */
  #loadUse(db: DatabaseSync): void {
    const read = db.prepare(
      `SELECT origin_id, entries, bytes, brought FROM sitemap WHERE state = ${STORED} ORDER BY id`,
    )
    for (const { origin_id, entries, bytes, brought } of read.iterate()) {
      const host = this.#hosts.originWithId(Number(origin_id))?.host
      const size = { entries: Number(entries), bytes: Number(bytes) }
      if (host !== undefined) addUse(host, size, Number(brought) > 0)
    }
  }
}

function addUse(host: Host, size: SitemapSize, isNews: boolean): void {
  const use: SitemapUse = host.sitemapUse ?? { entries: 0, bytes: 0, barren: 0 }
  use.entries += size.entries
  use.bytes += size.bytes
  use.barren = isNews ? 0 : use.barren + 1
  host.sitemapUse = use
}
