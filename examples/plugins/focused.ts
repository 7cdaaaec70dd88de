// A focused crawler, derived from breadth-first as textbooks do it. Breadth-first takes URLs from a queue in the
// order of their depth. Two changes make it focused:
//   1. a judge says how relevant each page is: here, what share of the words wanted it has;
//   2. the queue is a priority queue: a link is worth what its page is worth, more if its own words promise
//      something, and less with every page off topic on the way (fish and shark search call it decay).
//   jelajah crawl https://example.com --scope any --plugin ./focused.ts --ordering ./focused.ts
import type { Plugin } from 'jelajah'

const WANTED = (process.env.WANTED ?? 'health food sehat makanan').toLowerCase().split(/\s+/)
const DECAY = 0.5

/** The share of the words wanted that a text has, 0 to 1. */
function share(text: string): number {
  const lower = text.toLowerCase()
  return WANTED.filter((word) => lower.includes(word)).length / WANTED.length
}

const plugin: Plugin = {
  name: 'focused',
  version: '1.0.0',
  judge: ({ title, contentText }) => share(`${title} ${contentText}`),
  ordering: {
    name: 'textbook-focused',
    about: 'links of relevant pages first, and links that promise something',
    rescoreOn: ['signals', 'depth'],
    signals: ['worth'],
    // In the parser, where the words are.
    judge: () => ({
      page: ({ judgement }) => [judgement?.relevance ?? 0],
      link: ({ anchor, context }) => [share(`${anchor} ${context}`)],
    }),
    // In the frontier, where the queue is.
    createScorer: () => ({
      score: ({ depth, signals }) => (signals?.[0] ?? 0) - depth / 1000,
      pass: ({ judged, signals }, link) => {
        const inherited = DECAY * Math.max(judged?.[0] ?? 0, signals?.[0] ?? 0)
        return [Math.max(inherited, judged?.[0] ?? 0, link?.[0] ?? 0)]
      },
      merge: (known, fresh) => [Math.max(known[0] ?? 0, fresh[0] ?? 0)],
    }),
  },
}
export default plugin
