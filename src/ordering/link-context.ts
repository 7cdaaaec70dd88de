// Weighs everything known about a link before it is followed: the evidence of its page, its anchor, the words
// around it and its address. If several pages link to a URL, the one with the most promise counts. It learns
// nothing during the crawl.
//
//   score = page + 0.5 · anchor + 0.25 · context + 0.25 · address     (mean log-odds per word each)
import {
  EVIDENCE_OPTIONS,
  EVIDENCE_SIGNALS,
  EvidenceJudge,
  evidenceFor,
  evidenceWeights,
  passEvidence,
} from './evidence-judge.ts'
import { type Ordering, unspokenScore } from './ordering.ts'

export const linkContext: Ordering = {
  name: 'link-context',
  about: 'best page, anchor, words around it and address first',
  rescoreOn: ['signals'],
  focused: true,
  options: EVIDENCE_OPTIONS,
  signals: EVIDENCE_SIGNALS,
  judge: ({ topic }) => new EvidenceJudge(topic),
  createScorer: (options) => {
    const weights = evidenceWeights(options)
    return {
      score: (candidate) => {
        const { depth, signals } = candidate
        if (depth === 0 || signals === null) return unspokenScore(candidate)
        return evidenceFor(signals, weights)
      },
      pass: passEvidence,
    }
  },
}
