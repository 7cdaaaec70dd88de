// What is known of each origin's robots.txt. The text stays on disk; in memory is only whether it
// is known, and until when.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
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
    for (const row of db.prepare('SELECT * FROM robots').iterate()) {
      const origin = hosts.originNamed(String(row.origin))
      if (origin) this.#note(origin, recordOf(row))
    }
  }

  /** Origins whose robots.txt could not be reached when it was last asked for. */
  get unreachable(): ReadonlySet<Origin> {
    return this.#unreachable
  }

  read(origin: string): RobotsRecord | null {
    const row = this.#read.get(origin)
    return row === undefined ? null : recordOf(row)
  }

  save(origin: Origin, record: RobotsRecord): void {
    const [fetchedAt, expiresAt] = [Math.floor(record.fetchedAt), Math.ceil(record.expiresAt)]
    this.#save.run(
      ...[origin.name, record.status, record.body, fetchedAt, expiresAt],
      ...[record.attempts, JSON.stringify(record.sitemaps)],
    )
    this.#note(origin, { ...record, expiresAt })
  }

  /** Forgets an origin's robots.txt: it will be asked for again. */
  drop(origin: Origin): void {
    this.#drop.run(origin.name)
    this.#unreachable.delete(origin)
    origin.robots = 'unknown'
    origin.robotsUntil = 0
  }

  #note(origin: Origin, { status, expiresAt, attempts }: RobotsRecord): void {
    origin.robots = status === 'unreachable' ? 'unreachable' : 'known'
    origin.robotsUntil = expiresAt
    origin.robotsAttempts = attempts
    if (status === 'unreachable') this.#unreachable.add(origin)
    else this.#unreachable.delete(origin)
  }
}

function recordOf(row: Record<string, SQLOutputValue>): RobotsRecord {
  return {
    origin: String(row.origin),
    status: statusOf(row.status),
    body: String(row.body),
    fetchedAt: Number(row.fetched_at),
    expiresAt: Number(row.expires_at),
    attempts: Number(row.attempts),
    sitemaps: JSON.parse(String(row.sitemaps)) as CanonicalUrl[],
  }
}

function statusOf(value: unknown): RobotsRecord['status'] {
  return value === 'fetched' || value === 'unavailable' ? value : 'unreachable'
}
