// What is known of each origin's robots.txt. The text stays on disk; in memory is only whether it
// is known, and until when.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CanonicalUrl } from '../../core/url.ts'
import type { RobotsRecord } from '../frontier.ts'
import type { Origin } from './host.ts'
import type { Hosts } from './hosts.ts'

export class RobotsBook {
  readonly #save: StatementSync
  readonly #read: StatementSync
  readonly #drop: StatementSync
  readonly #unreachable = new Set<Origin>()

  constructor({ db, hosts, ignore }: { db: DatabaseSync; hosts: Hosts; ignore: boolean }) {
    this.#save = db.prepare(`
      INSERT OR REPLACE INTO robots
        (origin, status, body, fetched_at, expires_at, attempts, sitemaps)
      VALUES (?, ?, ?, ?, ?, ?, ?)`)
    this.#read = db.prepare('SELECT * FROM robots WHERE origin = ?')
    this.#drop = db.prepare('DELETE FROM robots WHERE origin = ?')
    // What an earlier, more obedient run has learned must not hold this one up.
    if (ignore) return
    for (const row of db.prepare('SELECT origin, status, expires_at FROM robots').iterate()) {
      const origin = hosts.originNamed(String(row.origin))
      if (origin) this.#note(origin, statusOf(row.status), Number(row.expires_at))
    }
  }

  /** Origins whose robots.txt could not be reached when it was last asked for. */
  get unreachable(): ReadonlySet<Origin> {
    return this.#unreachable
  }

  read(origin: string): RobotsRecord | null {
    const row = this.#read.get(origin)
    if (row === undefined) return null
    return {
      origin,
      status: statusOf(row.status),
      body: String(row.body),
      fetchedAt: Number(row.fetched_at),
      expiresAt: Number(row.expires_at),
      attempts: Number(row.attempts),
      sitemaps: JSON.parse(String(row.sitemaps)) as CanonicalUrl[],
    }
  }

  save(origin: Origin, record: RobotsRecord): void {
    const [fetchedAt, expiresAt] = [Math.floor(record.fetchedAt), Math.ceil(record.expiresAt)]
    this.#save.run(
      ...[origin.name, record.status, record.body, fetchedAt, expiresAt],
      ...[record.attempts, JSON.stringify(record.sitemaps)],
    )
    this.#note(origin, record.status, expiresAt)
  }

  /** Forgets an origin's robots.txt: it will be asked for again. */
  drop(origin: Origin): void {
    this.#drop.run(origin.name)
    this.#unreachable.delete(origin)
    origin.robots = 'unknown'
    origin.robotsUntil = 0
  }

  #note(origin: Origin, status: RobotsRecord['status'], expiresAt: number): void {
    origin.robots = status === 'unreachable' ? 'unreachable' : 'known'
    origin.robotsUntil = expiresAt
    if (status === 'unreachable') this.#unreachable.add(origin)
    else this.#unreachable.delete(origin)
  }
}

function statusOf(value: unknown): RobotsRecord['status'] {
  return value === 'fetched' || value === 'unavailable' ? value : 'unreachable'
}
