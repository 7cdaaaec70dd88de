// The only place that asks an ordering for a score. Queues and the file can sort numbers only, so a URL for
// which the ordering returns no number comes last.
import { type Candidate, type Scorer, SEED_SCORE } from '../ordering/ordering.ts'

export function finiteScore(scorer: Scorer, candidate: Candidate): number {
  const score = scorer.score(candidate)
  return Number.isFinite(score) ? score : -SEED_SCORE
}
