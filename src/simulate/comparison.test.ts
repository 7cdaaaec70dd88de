import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallWorld } from '../../test/simulate/small-world.ts'
import { openReplayFrontier } from '../experiment/replay-frontier.ts'
import { breadthFirst } from '../ordering/breadth-first.ts'
import type { Ordering } from '../ordering/ordering.ts'
import type { Judgement, Topic } from '../topic/topic.ts'
import {
  type ComparisonOptions,
  compare,
  compareOn,
  type Entrant,
  type Subject,
} from './comparison.ts'
import { read } from './reading.ts'
import type { ReplayWorld } from './replay-world.ts'
import { truthFor } from './truth-file.ts'

// Ten pages below one. Those about tea are the last of their row, and link to each other.
const WORLD = smallWorld(
  {
    'a.test/': ['a.test/1', 'a.test/2', 'a.test/3'],
    'a.test/1': ['a.test/4', 'a.test/5'],
    'a.test/2': ['a.test/6', 'a.test/7'],
    'a.test/3': ['a.test/8', 'a.test/9'],
    'a.test/4': [],
    'a.test/5': [],
    'a.test/6': [],
    'a.test/7': [],
    'a.test/8': [],
    'a.test/9': [],
  },
  { 'a.test/3': 'tea', 'a.test/8': 'tea', 'a.test/9': 'tea' },
)
const TEA = Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1, 1)

/** Knows one word, and counts its calls. */
function wordTopic(word: string): Topic & { asked: number } {
  const has = (text: string) => (text.includes(word) ? 1 : 0)
  return {
    asked: 0,
    judge({ text }): Judgement {
      this.asked++
      const relevance = has(text)
      const hot = relevance > 0
      const counts = { terms: 1, titleMentions: 0, textMentions: relevance }
      return { relevance, hot, similarity: relevance, evidence: relevance, ...counts }
    },
    evidence: has,
    addressEvidence: () => 0,
    similarity: has,
    mentions: has,
  }
}

/** Scores by the words around a link. */
const byContext: Ordering = {
  name: 'by-context',
  about: 'links among words on topic first',
  rescoreOn: ['signals'],
  focused: true,
  judge: ({ topic }) => ({
    page: () => [],
    link: ({ context }) => [topic?.evidence(context) ?? 0],
  }),
  createScorer: () => ({ score: ({ signals }) => signals?.[0] ?? 0 }),
}

function entrant(ordering: Ordering, hostPolicy = 'best'): Entrant {
  return { name: ordering.name, ordering, options: {}, hostPolicy }
}

function subject(name: string, topic: Topic | null, relevant: Uint8Array): Subject {
  const seeds = [0]
  return {
    topic,
    seeds,
    truth: truthFor({ topic: name, world: WORLD, seeds, examples: [], relevant }),
  }
}

function options(more: Partial<ComparisonOptions> = {}): ComparisonOptions {
  return {
    world: WORLD,
    subjects: [subject('tea', wordTopic('tea'), TEA)],
    entrants: [entrant(breadthFirst), entrant(byContext)],
    randomSeeds: [1],
    budget: 0.4,
    politeness: { concurrency: 1, perHost: 1, delayMs: 0 },
    openFrontier: openReplayFrontier,
    ...more,
  }
}

test('every ordering is replayed for every topic and the best comes first', async () => {
  // Four fetches. By the words: 0 3 8 9, harvest 3 of 4. In rows: 0 1 2 3, harvest 1 of 4.
  const summary = await compare(options())
  assert.deepEqual(
    summary.contenders.map(({ name }) => name),
    ['by-context', 'breadth-first'],
  )
  const last = { key: 'harvest', share: 0.4 } as const
  const values = summary.contenders.map(({ mean }) => read(mean, last, summary.grid))
  assert.deepEqual(values, [75, 25])
})

test('a page is judged once for a topic, however many orderings and policies look at it', async () => {
  const topic = wordTopic('tea')
  const other = { ...byContext, name: 'other' }
  const entrants = [byContext, other].flatMap((each) => [entrant(each), entrant(each, 'fair')])
  await compare(options({ subjects: [subject('tea', topic, TEA)], entrants, budget: 1 }))
  assert.equal(topic.asked, WORLD.alive)
})

test('an ordering that looks at no content is replayed once for all topics', async () => {
  let opened = 0
  const openFrontier: ComparisonOptions['openFrontier'] = (setup) => {
    opened++
    return openReplayFrontier(setup)
  }
  const subjects = ['tea', 'milk'].map((name) => subject(name, wordTopic(name), TEA))
  const summary = await compare(options({ subjects, openFrontier }))
  assert.equal(opened, 3)
  assert.equal(summary.topics.length, 2)
})

test('progress grows to what was announced, also when replays run dry', async () => {
  const seen: number[] = []
  let total = 0
  await compare(
    options({
      budget: 1,
      randomSeeds: [1, 2],
      onProgress: (progress) => {
        seen.push(progress.done)
        total = progress.total
      },
    }),
  )
  assert.equal(total, 40)
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  )
  assert.equal(seen.at(-1), total)
})

test('progress goes on from web to web, to one total of all of them', async () => {
  const seen: { done: number; total: number }[] = []
  const one = options({ budget: 1, onProgress: ({ done, total }) => seen.push({ done, total }) })
  await compareOn([one, one], one)
  assert.deepEqual([...new Set(seen.map(({ total }) => total))], [40])
  const dones = seen.map(({ done }) => done)
  assert.deepEqual(
    dones,
    dones.toSorted((a, b) => a - b),
  )
  assert.equal(dones.at(-1), 40)
})

test('the same seed gives the same figures, another one other figures', async () => {
  const lottery: Ordering = {
    name: 'lottery',
    about: 'any',
    rescoreOn: [],
    createScorer: (_options, seed) => ({
      score: ({ url }) => Math.sin(seed * (url.charCodeAt(14) || 1)),
    }),
  }
  const run = async (seed: number) => {
    const { contenders } = await compare(
      options({ entrants: [entrant(lottery)], randomSeeds: [seed] }),
    )
    return contenders[0]?.mean.curves
  }
  assert.deepEqual(await run(5), await run(5))
  assert.notDeepEqual(await run(5), await run(6))
})

test('topics without a relevant page in reach are refused', () => {
  const world: ReplayWorld = WORLD
  const facts = { topic: 'salt', world, seeds: [4], examples: [], relevant: TEA }
  assert.throws(() => truthFor(facts), /salt: no relevant page can be reached/)
  const onlyExamples = { ...facts, seeds: [3], examples: [3, 8, 9] }
  assert.throws(() => truthFor(onlyExamples), /no relevant page/)
})

test('the limited buffer is measured only where the budget lets the crawl go to its end', async () => {
  const heldAt = async (budget: number) => {
    const { contenders, grid } = await compare(options({ budget }))
    return contenders.map(({ mean }) => read(mean, { key: 'bc10Pagerank' }, grid))
  }
  assert.ok((await heldAt(0.4)).every(Number.isNaN))
  assert.ok((await heldAt(1)).every(Number.isFinite))
})
