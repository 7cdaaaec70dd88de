// How often a page changes, from looks at it, and so when it is due to be looked at again.
//
// Cho and Garcia-Molina's estimator for pages of which one only sees whether they changed since the
// last look: with n looks, X of them at a changed page, and I between two looks on average, the rate is
//
//   λ = −ln((n − X + 0.5) / (n + 0.5)) / I
//
// To learn something from the first look, and to notice when a page gets lively or falls asleep, two
// things are added: a page starts as if a usual one of its kind had been looked at once, and with every
// look what is older weighs a tenth less. docs/REFRESH.md has the reasons.
import type { PageKind } from './page.ts'

/** Sums over the looks so far, older ones weighing less. */
export type Looks = {
  readonly seen: number
  readonly seenChanged: number
  /** Time between looks, summed up the same way. */
  readonly seenMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
export const MIN_INTERVAL_MS = HOUR_MS
export const MAX_INTERVAL_MS = 30 * DAY_MS

/** What is left of earlier looks at each new one: the last ten or so count. */
const REMEMBERED = 0.9
/** The share of pages that have changed after their mean interval: 1 − 1/e. */
const AFTER_ITS_INTERVAL = 1 - Math.exp(-1)

/** Pages that gather what is new change when anything below them does. */
const USUAL_MS: Readonly<Partial<Record<PageKind, number>>> = {
  'front-page': DAY_MS,
  listing: DAY_MS,
  thread: 2 * DAY_MS,
}
const USUALLY_MS = 7 * DAY_MS

/** As nobody has looked at a page again yet. */
export function unseen(kind: PageKind): Looks {
  return { seen: 1, seenChanged: AFTER_ITS_INTERVAL, seenMs: USUAL_MS[kind] ?? USUALLY_MS }
}

/** One more look, so long after the one before. */
export function looked(looks: Looks, { changed, afterMs }: { changed: boolean; afterMs: number }) {
  return {
    seen: REMEMBERED * looks.seen + 1,
    seenChanged: REMEMBERED * looks.seenChanged + (changed ? 1 : 0),
    // A clock that was set back has seen nothing.
    seenMs: REMEMBERED * looks.seenMs + Math.max(0, afterMs),
  } satisfies Looks
}

/** How long the page stays as it is on average, in whole milliseconds between an hour and 30 days. */
export function intervalMs({ seen, seenChanged, seenMs }: Looks): number {
  const rate = -Math.log((seen - seenChanged + 0.5) / (seen + 0.5)) / (seenMs / seen)
  const interval = Number.isNaN(rate) ? MAX_INTERVAL_MS : 1 / rate
  return Math.round(Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, interval)))
}

/** How likely it is that a page is another one by now, from 0 to 1. */
export function changedBy(intervalMs: number, sinceMs: number): number {
  return 1 - Math.exp(-Math.max(0, sinceMs) / intervalMs)
}
