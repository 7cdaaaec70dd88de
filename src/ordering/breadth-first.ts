import type { Ordering } from './ordering.ts'

/** Near pages first: they tend to be the important ones, and every site gets a fair sample. */
export const breadthFirst: Ordering = {
  name: 'breadth-first',
  about: 'fewest links from a seed first',
  rescoreOn: ['depth'],
  createScorer: () => ({ score: (candidate) => -candidate.depth }),
}
