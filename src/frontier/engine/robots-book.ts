// The robots.txt of each origin. The text stays on disk; memory only holds whether it is known, and until
// when.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { CanonicalUrl } from '../../core/url.ts'
import type { RobotsRecord } from '../frontier.ts'
import type { Origin } from './host.ts'
import type { Hosts } from './hosts.ts'

type Standing = Pick<RobotsRecord, 'status' | 'expiresAt' | 'attempts'>

export class RobotsBook {
  readonly #save: StatementSync
  readonly #read: StatementSync

  constructor({ db, hosts, ignore }: { db: DatabaseSync; hosts: Hosts; ignore: boolean }) {
    this.#save = db.prepare(`
      INSERT OR REPLACE INTO robots
        (origin, status, body, fetched_at, expires_at, attempts, sitemaps)
      VALUES (?, ?, ?, ?, ?, ?, ?)`)
    this.#read = db.prepare('SELECT * FROM robots WHERE origin = ?')
    // Records of an earlier run that obeyed robots.txt must not delay this one.
    if (ignore) return
    const all = db.prepare('SELECT origin, status, expires_at, attempts FROM robots')
    for (const row of all.iterate()) {
      const origin = hosts.originNamed(String(row.origin))
      if (origin) this.#note(origin, standingOf(row))
    }
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

  #note(origin: Origin, { status, expiresAt, attempts }: Standing): void {
    origin.robots = status === 'unreachable' ? 'unreachable' : 'known'
    origin.robotsUntil = expiresAt
    origin.robotsAttempts = attempts
  }
}

/** For readers of the file: its record of an origin. */
export function readRobots(db: DatabaseSync, origin: string): RobotsRecord | null {
  const row = db.prepare('SELECT * FROM robots WHERE origin = ?').get(origin)
  return row === undefined ? null : recordOf(row)
}

function recordOf(row: Record<string, SQLOutputValue>): RobotsRecord {
  return {
    ...standingOf(row),
    origin: String(row.origin),
    body: String(row.body),
    fetchedAt: Number(row.fetched_at),
    sitemaps: JSON.parse(String(row.sitemaps)) as CanonicalUrl[],
  }
}

function standingOf(row: Record<string, SQLOutputValue>): Standing {
  return {
    status: statusOf(row.status),
    expiresAt: Number(row.expires_at),
    attempts: Number(row.attempts),
  }
}

function statusOf(value: unknown): RobotsRecord['status'] {
  return value === 'fetched' || value === 'unavailable' ? value : 'unreachable'
}
