// The made-up webs by name: of different nature, to distinguish an ordering that is good on one kind of web
// from one that is good on all.
import { seededRandom, shuffledNumbers } from '../../lib/seeded-random.ts'
import { makeCampusWeb } from './campus-web.ts'
import type { SampleWeb } from './draft.ts'
import { makeEncyclopediaWeb } from './encyclopedia-web.ts'
import { makeNewsWeb } from './news-web.ts'
import type { SampleName } from './sample-names.ts'
import { makeSitesWeb } from './sites-web.ts'

export const SAMPLE_WEBS: Readonly<Record<SampleName, (seed?: number) => SampleWeb>> = {
  sites: makeSitesWeb,
  encyclopedia: makeEncyclopediaWeb,
  campus: makeCampusWeb,
  news: makeNewsWeb,
}

const EXAMPLES = { positive: 10, negative: 40 }
const KEYWORDS = 8

/**
 * The topics of a made-up web and their truth, in the format of the users' files
 * (src/simulate/topics-file.ts).
 */
export function sampleTopics({ pages, topics, topicOf, seed }: SampleWeb): string {
  const order = [...shuffledNumbers(pages.length, seededRandom(1))]
  const some = (count: number, fits: (page: number) => boolean) =>
    order
      .filter(fits)
      .slice(0, count)
      .map((page) => pages[page]?.url)
  const listed = topics.map(({ id, description, words }, topic) => ({
    id,
    description,
    keywords: words.slice(0, KEYWORDS),
    seeds: [seed],
    examples_pos: some(EXAMPLES.positive, (page) => topicOf[page] === topic),
    examples_neg: some(EXAMPLES.negative, (page) => topicOf[page] !== topic),
  }))
  return JSON.stringify(listed)
}

/** In the format of src/simulate/truth-file.ts. */
export function sampleTruth({ pages, topics, topicOf }: SampleWeb): string {
  const lines = pages.map(({ url }, page) => {
    const topic = topics[topicOf[page] ?? -1]
    return JSON.stringify({ url, topics: topic === undefined ? [] : [topic.id] })
  })
  return lines.join('\n')
}
