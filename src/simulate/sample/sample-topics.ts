// The topics of the sample web and the truth about them, in the form of the files that people give.
import { seededRandom, shuffledNumbers } from '../../lib/seeded-random.ts'
import type { SampleWeb } from './sample-web.ts'
import { SAMPLE_TOPICS } from './sample-words.ts'

const EXAMPLES = { positive: 10, negative: 40 }

/** As src/simulate/topics-file.ts reads it. */
export function sampleTopics({ pages, topicOf, seed }: SampleWeb, random = 1): string {
  const order = [...shuffledNumbers(pages.length, seededRandom(random))]
  const some = (count: number, fits: (page: number) => boolean) =>
    order
      .filter(fits)
      .slice(0, count)
      .map((page) => pages[page]?.url)
  const topics = SAMPLE_TOPICS.map(({ id, description, words }, topic) => ({
    id,
    description,
    keywords: words.slice(0, 8),
    seeds: [seed],
    examples_pos: some(EXAMPLES.positive, (page) => topicOf[page] === topic),
    examples_neg: some(EXAMPLES.negative, (page) => topicOf[page] !== topic),
  }))
  return JSON.stringify(topics)
}

/** As src/simulate/truth-file.ts reads it. */
export function sampleTruth({ pages, topicOf }: SampleWeb): string {
  const lines = pages.map(({ url }, page) => {
    const topic = SAMPLE_TOPICS[topicOf[page] ?? -1]
    return JSON.stringify({ url, topics: topic === undefined ? [] : [topic.id] })
  })
  return lines.join('\n')
}
