// Best-first (Menczer, Pant and Srinivasan): a link is worth what its page is worth, and a page is
// worth its cosine with the topic. Of several pages that link to a URL the nearest to the topic
// counts. With many requests in flight this is best-N-first.
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
  steer: () => ({
    score: scoreOf,
    pass: ({ judged }) => judged ?? NO_SIMILARITY,
  }),
}

/** What a link says is not asked for here. */
const NOTHING: Signals = []
const NO_SIMILARITY: Signals = [0]

function scoreOf(candidate: Candidate): number {
  const { depth, signals } = candidate
  if (depth === 0 || signals === null) return unspokenScore(candidate)
  return signals[0] ?? 0
}
