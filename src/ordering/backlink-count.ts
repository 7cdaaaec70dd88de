import { type Ordering, SEED_SCORE } from './ordering.ts'

/** What many pages link to goes first: the IB' of Cho, Garcia-Molina and Page. */
export const backlinkCount: Ordering = {
  name: 'backlink-count',
  about: 'most linked-to first',
  rescoreOn: ['inLinks'],
  createScorer: () => ({
    // Seeds wait without links to them, and the user asked for them.
    score: ({ depth, inLinks }) => (depth === 0 ? SEED_SCORE : inLinks),
  }),
}
