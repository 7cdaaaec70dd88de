// The one place where an ordering is asked for a score. Queues and the file can only sort numbers:
// whatever an ordering makes of odd signals or options, a URL it has no number for goes last.
import { type Candidate, type Scorer, SEED_SCORE } from '../ordering/ordering.ts'

export function finiteScore(scorer: Scorer, candidate: Candidate): number {
  const score = scorer.score(candidate)
  return Number.isFinite(score) ? score : -SEED_SCORE
}
