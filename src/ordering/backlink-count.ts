import { type Ordering, SEED_SCORE } from './ordering.ts'

/** URLs with the most in-links come first: the IB' of Cho, Garcia-Molina and Page. */
export const backlinkCount: Ordering = {
  name: 'backlink-count',
  about: 'most linked-to first',
  rescoreOn: ['inLinks'],
  createScorer: () => ({
    // Seeds have no in-links yet, and the user asked for them.
    score: ({ depth, inLinks }) => (depth === 0 ? SEED_SCORE : inLinks),
  }),
}
