import type { Ordering } from './ordering.ts'

/** Pages near the seeds first: they tend to be important, and every site gets a fair sample. */
export const breadthFirst: Ordering = {
  name: 'breadth-first',
  about: 'fewest links from a seed first',
  rescoreOn: ['depth'],
  createScorer: () => ({ score: (candidate) => -candidate.depth }),
}
