// What happens to rows when a run begins: leases that nobody holds are queued again, hosts that were given up
// are tried again, and clocks that stopped with the process, or ran ahead, are put right. Only the few rows
// concerned are read.
import { CrawlerError } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import { MAX_REST_MS } from './leases.ts'
import type { CrawlRow, HostRow, Rows } from './rows.ts'
import { DELAYED, DUPLICATE, LEASED, QUEUED, STORED, UNREACHABLE } from './states.ts'

/** Twice the cap of lib/backoff.ts, as in src/scouter/adaptive-delay.ts for URLs. */
const LONGEST_BACKOFF_MS = 2 * 60 * 60 * 1000
/** A copy of a robots.txt is used for a day at most. */
const ROBOTS_FRESH_MS = 24 * 60 * 60 * 1000

/** The beginning of a run. Its limits apply to all rows that are loaded. */
type Run = {
  /** From 1. */
  readonly number: number
  /** No URL or sitemap waits longer for its next try. */
  readonly latestTry: number
  /** No copy of a robots.txt is used longer. */
  readonly latestExpiry: number
  /** Until when a host rests. */
  readonly restOf: (row: HostRow) => number
}

/** Begins a run. The caller has begun a transaction. */
export function recover(rows: Rows, job: Job, now: number): Run {
  const known = [...rows.crawl.all()][0]
  const crawl = known ?? newCrawl(job)
  if (known === undefined) rows.crawl.put(crawl)
  refuseOthers(rows, job)
  for (const { id } of rows.url.pending(LEASED)) rows.url.update(id, { state: QUEUED })
  const reopened = reopenUnreachable(rows)
  const latestTry = now + Math.ceil(job.settings.delayMs) + LONGEST_BACKOFF_MS
  for (const { id, nextAt } of rows.url.pending(DELAYED)) {
    if ((nextAt ?? 0) > latestTry) rows.url.update(id, { nextAt: latestTry })
  }
  rows.crawl.update(job.id, {
    runs: crawl.runs + 1,
    clean: 0,
    queued: crawl.queued + crawl.leased + reopened,
    leased: 0,
    refused: crawl.refused - reopened,
  })
  const wasClean = crawl.clean !== 0
  return {
    number: crawl.runs + 1,
    latestTry,
    latestExpiry: now + ROBOTS_FRESH_MS,
    restOf: (row) => restOf(row, { now, wasClean, delayMs: job.settings.delayMs }),
  }
}

/** The rows must belong to that crawl. */
export function refuseOthers(rows: Pick<Rows, 'crawl'>, job: Job): void {
  if (rows.crawl.get(job.id)?.salt === job.salt) return
  const message = `the file frontier-${job.id}.db belongs to another crawl: move it away`
  throw new CrawlerError('store-damaged', message)
}

/** A later run tries unreachable URLs again, beginning with their robots.txt. Returns their number. */
function reopenUnreachable(rows: Rows): number {
  const byOrigin = new Map<number, number>()
  const found = rows.url.pending(UNREACHABLE)
  for (const { id, originId } of found) {
    rows.url.update(id, { state: QUEUED, reason: '' })
    byOrigin.set(originId, (byOrigin.get(originId) ?? 0) + 1)
  }
  for (const [originId, urls] of byOrigin) {
    const host = rows.host.get(originId >> 1)
    if (host === undefined) continue
    addOpen(rows, host, originId, urls)
    rows.robots.drop(`${(originId & 1) === 1 ? 'https' : 'http'}://${host.name}`)
  }
  return found.length
}

/**
 * The time of the last requests of a killed run is unknown: then every host rests as if it were now. The
 * clock may have been set back or have run ahead, so no host rests longer than its gap or the rest that it
 * asked for.
 */
function restOf(
  { ownDelayMs, restMs, restsUntil }: HostRow,
  { now, wasClean, delayMs }: { now: number; wasClean: boolean; delayMs: number },
): number {
  const gap = Math.max(ownDelayMs, Math.ceil(delayMs))
  const rests = wasClean ? restsUntil : Math.max(restsUntil, now + gap)
  return Math.min(rests, now + Math.max(gap, Math.min(restMs, MAX_REST_MS)))
}

/**
 * Queues URLs again whose pages turned out to be missing in the store: only those that were stored or
 * duplicates. Nobody has the rows open; the caller has begun a transaction. Returns their number.
 */
export function requeue(rows: Rows, ids: readonly number[]): number {
  const crawl = [...rows.crawl.all()][0]
  let [stored, duplicate] = [0, 0]
  for (const id of ids) {
    const row = rows.url.get(id)
    if (row === undefined || (row.state !== STORED && row.state !== DUPLICATE)) continue
    const wasStored = row.state === STORED ? 1 : 0
    rows.url.update(id, { state: QUEUED, reason: '', tries: 0, nextAt: null })
    rows.revisit.drop(id)
    const host = rows.host.get(row.originId >> 1)
    if (host !== undefined) {
      addOpen(rows, host, row.originId, 1)
      rows.host.update(host.id, { stored: host.stored - wasStored })
    }
    stored += wasStored
    duplicate += 1 - wasStored
  }
  if (crawl === undefined) return 0
  rows.crawl.update(crawl.crawlId, {
    queued: crawl.queued + stored + duplicate,
    stored: crawl.stored - stored,
    duplicate: crawl.duplicate - duplicate,
  })
  return stored + duplicate
}

function addOpen(rows: Pick<Rows, 'host'>, host: HostRow, originId: number, urls: number): void {
  const isHttps = (originId & 1) === 1
  rows.host.update(
    host.id,
    isHttps ? { openHttps: host.openHttps + urls } : { openHttp: host.openHttp + urls },
  )
}

function newCrawl(job: Job): CrawlRow {
  return {
    crawlId: job.id,
    salt: job.salt,
    judgedUpTo: 0,
    rankedAt: 0,
    runs: 0,
    clean: 1,
    ...{ queued: 0, leased: 0, stored: 0, duplicate: 0, redirected: 0, refused: 0, failed: 0 },
    ...{ round: 0, outside: 0 },
  }
}
