// The sitemaps of the crawl's sites: named by robots.txt or another sitemap, or guessed. Each is
// read once.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Job } from '../../core/job.ts'
import { type CanonicalUrl, canonicalise, hostOf } from '../../core/url.ts'
import type { RobotsRecord } from '../frontier.ts'
import type { Origin } from './host.ts'
import type { Hosts } from './hosts.ts'
import type { Retries } from './retries.ts'
import { DELAYED, QUEUED, type StateNumber, UNREACHABLE } from './states.ts'

/** Indexes of indexes of indexes: deeper is nobody's intention. */
const MAX_LEVEL = 3
const MAX_PER_HOST = 1000

export type SitemapRow = {
  readonly id: number
  readonly url: CanonicalUrl
  readonly level: number
  readonly hops: number
  readonly tries: number
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
    this.#load(db)
  }

  /** Sitemaps to be read, now or at their next try. */
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

  /** Those a robots.txt names; the usual place when it names none. */
  addFrom(origin: Origin, record: RobotsRecord): void {
    if (!this.#wanted || record.status === 'unreachable') return
    const guess = canonicalise('/sitemap.xml', origin.name)
    const named = record.sitemaps.length > 0 ? record.sitemaps : guess === null ? [] : [guess]
    this.add(named, { level: 1, hops: 0 })
  }

  add(urls: readonly CanonicalUrl[], { level, hops }: { level: number; hops: number }): void {
    if (!this.#wanted || level > MAX_LEVEL) return
    for (const url of urls) {
      const hostName = hostOf(url)
      if (!this.#inScope(hostName)) continue
      const origin = this.#hosts.originFor(url, hostName)
      if (origin.host.sitemapsKnown >= MAX_PER_HOST) continue
      const { changes, lastInsertRowid } = this.#insert.run(origin.id, url, level, hops)
      if (changes === 0) continue
      origin.host.sitemapsKnown += 1
      this.#waiting += 1
      origin.sitemaps.push(Number(lastInsertRowid))
    }
  }

  /** Back to be read again: now, or at a moment. */
  putBack(origin: Origin, id: number, options: { tries: number; at: number | null }): void {
    const { tries, at } = options
    this.#settle.run(at === null ? QUEUED : DELAYED, '', tries, at, id)
    if (at === null) origin.sitemaps.unshift(id)
    else this.#retries.add({ kind: 'sitemap', id, origin }, at)
  }

  /** The moment of its next try has come. */
  wake(origin: Origin, id: number): void {
    origin.sitemaps.push(id)
  }

  settle(id: number, state: StateNumber, options: { reason: string; tries: number }): void {
    this.#settle.run(state, options.reason, options.tries, null, id)
    this.#waiting -= 1
  }

  /** Nothing of an origin's sitemaps will be read in this run. */
  giveUp(origin: Origin, reason: string): void {
    for (const { kind, id } of this.#retries.of(origin)) {
      if (kind !== 'sitemap') continue
      this.#retries.drop(kind, id)
      origin.sitemaps.push(id)
    }
    for (const id of origin.sitemaps.splice(0)) {
      this.settle(id, UNREACHABLE, { reason, tries: 0 })
    }
  }

  #load(db: DatabaseSync): void {
    db.exec("UPDATE sitemap SET state = 0, reason = '' WHERE state = 8")
    const all = db.prepare('SELECT id, origin_id, state, next_at FROM sitemap ORDER BY id')
    for (const row of all.iterate()) {
      const origin = this.#hosts.originWithId(Number(row.origin_id))
      if (origin === undefined) continue
      const [id, state] = [Number(row.id), Number(row.state)]
      origin.host.sitemapsKnown += 1
      if (state !== QUEUED && state !== DELAYED) continue
      // Not by these settings; a later run may want it again.
      if (!this.#wanted || !this.#inScope(origin.host.name)) continue
      this.#waiting += 1
      if (state === QUEUED) origin.sitemaps.push(id)
      else this.#retries.add({ kind: 'sitemap', id, origin }, Number(row.next_at))
    }
  }
}
