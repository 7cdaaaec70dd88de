// Focused crawling after Chakrabarti and others: a link is worth the Naive Bayes score of its page. Soft
// focus orders all links by that. Hard focus follows only links of pages that are more likely on topic than
// not, and ends when there are no more.
//
// Pages are compared by their mean log-odds per word: the probability of a long text is 0 or 1 to many
// digits, and cannot tell which of two pages is better.
import { NOTHING, parentScore } from './best-first.ts'
import type { Ordering } from './ordering.ts'

/** A page below this relevance is off topic. */
const ON_TOPIC = 0.5

export const naiveBayes: Ordering = {
  name: 'naive-bayes',
  about: 'links of the pages most likely on topic first',
  rescoreOn: ['signals'],
  focused: true,
  options: [
    {
      name: 'hard',
      help: '1: links of pages off topic are not followed at all',
      default: 0,
      min: 0,
      max: 1,
      whole: true,
    },
  ],
  signals: ['parent'],
  judge: () => ({
    page: ({ judgement }) => [judgement?.evidence ?? 0, judgement?.relevance ?? 0],
    link: () => NOTHING,
  }),
  createScorer: ({ hard = 0 }) => ({
    score: parentScore,
    pass: ({ judged, depth }) => {
      const [evidence = 0, relevance = 0] = judged ?? NOTHING
      // The user chose the seed: its links are the only way in, even if it is off topic.
      if (hard === 1 && relevance < ON_TOPIC && depth > 0) return null
      return [evidence]
    },
  }),
}
