// Best-first (Menczer, Pant and Srinivasan): a link is worth as much as its page, and a page is worth its
// cosine with the topic. If several pages link to a URL, the one nearest to the topic counts. With many
// requests in flight this is best-N-first.
import type { Ordering, Signals } from './ordering.ts'
import { NOTHING, parentScore } from './parent-score.ts'

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
