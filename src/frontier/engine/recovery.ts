// Repairs the file before a run begins: leases nobody holds, hosts whose clocks stopped with the process,
// hosts given up because their robots.txt was unreachable. It is plain SQL on the few rows concerned; older
// rows are not read.
import type { DatabaseSync } from 'node:sqlite'
import { CrawlerError } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import { inTransaction } from '../../db/sqlite.ts'
import { MAX_REST_MS } from './leases.ts'

/** Twice the cap of lib/backoff.ts, as in src/scouter/adaptive-delay.ts for URLs. */
const LONGEST_BACKOFF_MS = 2 * 60 * 60 * 1000
/** A copy of a robots.txt is used for a day at most. */
const ROBOTS_FRESH_MS = 24 * 60 * 60 * 1000

/** Returns the number of this run, from 1. */
export function recover(db: DatabaseSync, job: Job, now: number): number {
  return inTransaction(db, () => {
    const found = db.prepare('SELECT runs, clean FROM crawl').get()
    if (found === undefined) {
      db.prepare('INSERT INTO crawl (crawl_id, salt) VALUES (?, ?)').run(job.id, job.salt)
    }
    refuseOthers(db, job)
    freeLeases(db)
    reopenUnreachable(db)
    if (found?.clean === 0) restAll(db, job, now)
    clampClocks(db, job, now)
    db.exec('UPDATE crawl SET runs = runs + 1, clean = 0')
    return Number(found?.runs ?? 0) + 1
  })
}

/** The file must belong to that crawl. */
export function refuseOthers(db: DatabaseSync, job: Job): void {
  const found = db.prepare('SELECT crawl_id, salt FROM crawl').get()
  if (Number(found?.crawl_id) === job.id && Number(found?.salt) === job.salt) return
  const message = `the file frontier-${job.id}.db belongs to another crawl: move it away`
  throw new CrawlerError('store-damaged', message)
}

function freeLeases(db: DatabaseSync): void {
  db.exec(`
    UPDATE url SET state = 0 WHERE state IN (1, 7, 8) AND state = 1;
    UPDATE crawl SET queued = queued + leased, leased = 0;`)
}

/** A later run tries unreachable URLs again, beginning with their robots.txt. */
function reopenUnreachable(db: DatabaseSync): void {
  const given = db.prepare(`
    SELECT origin_id, count(*) AS urls FROM url
    WHERE state IN (1, 7, 8) AND state = 8 GROUP BY origin_id`)
  for (const { origin_id, urls } of given.all()) {
    const [hostId, isHttps] = [Number(origin_id) >> 1, (Number(origin_id) & 1) === 1]
    const open = isHttps ? 'open_https' : 'open_http'
    db.prepare(`UPDATE host SET ${open} = ${open} + ? WHERE id = ?`).run(Number(urls), hostId)
    db.prepare(
      "DELETE FROM robots WHERE origin = (SELECT ? || '://' || name FROM host WHERE id = ?)",
    ).run(isHttps ? 'https' : 'http', hostId)
    db.prepare('UPDATE crawl SET queued = queued + ?1, refused = refused - ?1').run(Number(urls))
  }
  db.exec("UPDATE url SET state = 0, reason = '' WHERE state IN (1, 7, 8) AND state = 8")
}

/**
 * Limits waits, since the clock may have been set back or have run ahead: no host waits longer than its gap
 * or the rest it asked for, and no URL longer than any back-off.
 */
function clampClocks(db: DatabaseSync, job: Job, now: number): void {
  const delayMs = Math.ceil(job.settings.delayMs)
  db.prepare(`
    UPDATE host SET rests_until = ?1 + max(own_delay_ms, ?2, min(rest_ms, ?3))
    WHERE rests_until > ?1 + max(own_delay_ms, ?2, min(rest_ms, ?3))`).run(
    now,
    delayMs,
    MAX_REST_MS,
  )
  const by = now + delayMs + LONGEST_BACKOFF_MS
  db.prepare(`
    UPDATE url SET next_at = ?1
    WHERE state IN (1, 7, 8) AND state = 7 AND next_at > ?1`).run(by)
  db.prepare('UPDATE revisit SET next_at = ?1 WHERE next_at > ?1').run(by)
  db.prepare('UPDATE sitemap SET next_at = ?1 WHERE next_at > ?1').run(by)
  db.prepare('UPDATE robots SET expires_at = ?1 WHERE expires_at > ?1').run(now + ROBOTS_FRESH_MS)
}

/** The time of the last requests is unknown, so every host rests as if it were now. */
function restAll(db: DatabaseSync, job: Job, now: number): void {
  db.prepare('UPDATE host SET rests_until = max(rests_until, ?1 + max(own_delay_ms, ?2))').run(
    now,
    job.settings.delayMs,
  )
}
