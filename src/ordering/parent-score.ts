// For orderings where a link is worth what its page is worth, and nothing the link itself says counts.
import { type Candidate, type Signals, unspokenScore } from './ordering.ts'

/** What a link says: not asked for. */
export const NOTHING: Signals = []

/** What its page passed on. */
export function parentScore(candidate: Candidate): number {
  const { depth, signals } = candidate
  if (depth === 0 || signals === null) return unspokenScore(candidate)
  return signals[0] ?? 0
}
