// The edge between rounds, with the pages they look at, and rows.
import { changedBy, intervalMs, unseen } from '../core/change-rate.ts'
import { PAGE_KINDS } from '../core/page.ts'
import type { KnownPage, Recrawl, RecrawlCounts } from './recrawl-store.ts'
import { numberOf, numberOrNull, type Row, textOf, urlOf } from './row-values.ts'

export function roundFrom(row: Row): Recrawl {
  return {
    round: numberOf(row, 'round'),
    due: row.due === 1,
    beganAt: numberOf(row, 'began_at'),
    endedAt: numberOrNull(row, 'ended_at'),
  }
}

/** `pages`: all the crawl has, duplicates among them. */
export function countsFrom(row: Row, pages: number): RecrawlCounts {
  const [added, changed] = [numberOf(row, 'added'), numberOf(row, 'changed')]
  const unchanged = numberOf(row, 'unchanged')
  const kept = Math.max(0, pages - added - changed - unchanged)
  const notDue = Math.min(kept, numberOf(row, 'not_due'))
  return { added, changed, gone: numberOf(row, 'gone'), unchanged, kept, notDue }
}

export function knownFrom(row: Row, now: number): KnownPage {
  const { at, interval } = lookOf(row, '')
  const first = lookOf(row, 'first_')
  // What hides a page may be in the answer's headers: it may be shown again with all else as it was.
  const isHidden = row.noindex === 1
  return {
    id: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    etag: isHidden ? '' : textOf(row, 'etag'),
    lastModified: isHidden ? '' : textOf(row, 'last_modified'),
    contentHash: isHidden ? '' : textOf(row, 'content_hash'),
    likely: changedBy(interval, now - at),
    likelyFirst: row.duplicate_of === null ? null : changedBy(first.interval, now - first.at),
    due: now >= at + interval,
  }
}

/** When a page was looked at last, and how long it is taken to stay as it is. */
function lookOf(row: Row, of: '' | 'first_'): { readonly at: number; readonly interval: number } {
  const kind = PAGE_KINDS.find((known) => known === row[`${of}kind`]) ?? 'other'
  return {
    at: numberOrNull(row, `${of}checked_at`) ?? numberOf(row, `${of}fetched_at`),
    interval: numberOrNull(row, `${of}interval_ms`) ?? intervalMs(unseen(kind)),
  }
}
