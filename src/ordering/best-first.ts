// Best-first (Menczer, Pant and Srinivasan): a link is worth as much as its page, and a page is worth its
// cosine with the topic. If several pages link to a URL, the one nearest to the topic counts. With many
// requests in flight this is best-N-first.
import { type Candidate, type Ordering, type Signals, unspokenScore } from './ordering.ts'

export const bestFirst: Ordering = {
  name: 'best-first',
  about: 'links of the pages nearest to the topic first',
  rescoreOn: ['signals'],
  focused: true,
  signals: ['parent'],
  judge: () => ({
    page: ({ judgement }) => [judgement?.similarity ?? 0],
    link: () => NOTHING,
  }),
  createScorer: () => ({
    score: parentScore,
    pass: ({ judged }) => judged ?? NO_SIMILARITY,
  }),
}

const NO_SIMILARITY: Signals = [0]

/** Signals of a link: none are needed. */
export const NOTHING: Signals = []

/**
 * The score that its page passed on: for orderings where a link is worth as much as its page, and the
 * link's own words do not count.
 */
export function parentScore(candidate: Candidate): number {
  const { depth, signals } = candidate
  if (depth === 0 || signals === null) return unspokenScore(candidate)
  return signals[0] ?? 0
}
