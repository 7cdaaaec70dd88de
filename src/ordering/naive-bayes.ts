// Focused crawling as Chakrabarti and others had it: a link is worth what a Naive Bayes classifier
// says of its page. Soft focus orders all links by that; hard focus follows only the links of pages
// that are more likely on topic than not, and ends when there are no more.
//
// Pages are compared by their mean log-odds per word: the probability of a long text is 0 or 1 to
// many digits, and says nothing about which of two is better.
import type { Ordering } from './ordering.ts'
import { NOTHING, parentScore } from './parent-score.ts'

/** Below this relevance a page is taken to be off topic. */
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
      // A seed was chosen by the user: wherever it stands, its links are the only way in.
      if (hard === 1 && relevance < ON_TOPIC && depth > 0) return null
      return [evidence]
    },
  }),
}
