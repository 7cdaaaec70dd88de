// For orderings where a link is worth as much as its page, and the link's own words do not count.
import { type Candidate, type Signals, unspokenScore } from './ordering.ts'

/** Signals of a link: none are needed. */
export const NOTHING: Signals = []

/** The score that its page passed on. */
export function parentScore(candidate: Candidate): number {
  const { depth, signals } = candidate
  if (depth === 0 || signals === null) return unspokenScore(candidate)
  return signals[0] ?? 0
}
