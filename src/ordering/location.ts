import { locationOf } from '../graph/importance.ts'
import { type Ordering, SEED_SCORE } from './ordering.ts'

/** By the address alone: front pages before pages deep in a site. */
export const location: Ordering = {
  name: 'location',
  about: 'front pages and short paths first',
  rescoreOn: ['depth'],
  options: [
    {
      name: 'distance',
      help: 'taken off a location, which is 0 to 1, for each link away from a seed',
      default: 0,
      min: 0,
      max: 1,
    },
  ],
  createScorer: ({ distance = 0 }) => ({
    score: ({ url, depth }) => (depth === 0 ? SEED_SCORE : locationOf(url) - distance * depth),
  }),
}
