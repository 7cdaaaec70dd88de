// Estimates how often a page changes, and so when it is due for another visit.
//
// This is Cho and Garcia-Molina's estimator for pages where a visit only shows whether they changed since
// the last one. With n visits, X of them to a changed page, and a mean interval I, the rate is
//
//   λ = −ln((n − X + 0.5) / (n + 0.5)) / I
//
// Two additions let it learn from the first visit and notice when a page becomes more or less active: a
// page starts as if a typical page of its kind had been visited once, and with every visit older ones weigh
// a tenth less. docs/REFRESH.md has the reasons.
import type { PageKind } from './page.ts'

/** Sums over the visits so far; older visits weigh less. */
export type Looks = {
  readonly seen: number
  readonly seenChanged: number
  /** Time between visits, summed the same way. */
  readonly seenMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
export const MIN_INTERVAL_MS = HOUR_MS
export const MAX_INTERVAL_MS = 30 * DAY_MS

/** Weight of earlier visits at each new one: about the last ten count. */
const REMEMBERED = 0.9
/** The share of pages that have changed after their mean interval: 1 − 1/e. */
const AFTER_ITS_INTERVAL = 1 - Math.exp(-1)

/** Pages that list others change whenever one of those does. */
const USUAL_MS: Readonly<Partial<Record<PageKind, number>>> = {
  'front-page': DAY_MS,
  listing: DAY_MS,
  thread: 2 * DAY_MS,
}
const USUALLY_MS = 7 * DAY_MS

/** The state of a page that was never revisited. */
export function unseen(kind: PageKind): Looks {
  return { seen: 1, seenChanged: AFTER_ITS_INTERVAL, seenMs: USUAL_MS[kind] ?? USUALLY_MS }
}

/** Adds one visit, `afterMs` after the one before. */
export function looked(looks: Looks, { changed, afterMs }: { changed: boolean; afterMs: number }) {
  return {
    seen: REMEMBERED * looks.seen + 1,
    seenChanged: REMEMBERED * looks.seenChanged + (changed ? 1 : 0),
    // The clock was set back: this interval says nothing.
    seenMs: REMEMBERED * looks.seenMs + Math.max(0, afterMs),
  } satisfies Looks
}

/** Mean time between changes, in whole milliseconds, from an hour to 30 days. */
export function intervalMs({ seen, seenChanged, seenMs }: Looks): number {
  const rate = -Math.log((seen - seenChanged + 0.5) / (seen + 0.5)) / (seenMs / seen)
  const interval = Number.isNaN(rate) ? MAX_INTERVAL_MS : 1 / rate
  return Math.round(Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, interval)))
}

/** The probability that the page has changed by now. */
export function changedBy(intervalMs: number, sinceMs: number): number {
  return 1 - Math.exp(-Math.max(0, sinceMs) / intervalMs)
}
