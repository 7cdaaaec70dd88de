import type { Ordering } from './ordering.ts'

/** The links of the page fetched last come first: one branch before the next. */
export const depthFirst: Ordering = {
  name: 'depth-first',
  about: 'links of the newest page first',
  rescoreOn: [],
  createScorer: () => ({ score: (candidate) => candidate.foundAt }),
}
