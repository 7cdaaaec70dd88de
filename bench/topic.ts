// What a topic costs: judging a page of 600 words with 60 anchors, a page of 200,000, and what a link
// says, by the kind of topic it is. Time of the processor, as this machine may be shared.
//
//   sh scripts/node bench/topic.ts
import { type CanonicalUrl, canonicalise } from '../src/core/url.ts'
import { seededRandom } from '../src/lib/seeded-random.ts'
import { buildTopic, type TopicSource } from '../src/topic/build-topic.ts'
import { openTopic } from '../src/topic/open-topic.ts'
import type { PageText } from '../src/topic/topic.ts'
import { machine } from './machine.ts'
import { markdownTable } from './table.ts'

const WORDS = 600
const LONG_WORDS = 200_000
const ANCHORS = 60
const PAGES = 200
const VOCABULARY = 20_000
/** Anchors of a site are the same few on all its pages. */
const SITE_ANCHORS = 2_000
const CONTEXT_WORDS = 20
const ROUNDS = 12

const random = seededRandom(7)
const syllables = 'ka ti ro me su la pen da gu ber si no the of and'.split(' ')
const vocabulary = Array.from({ length: VOCABULARY }, () =>
  Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(syllables)).join(''),
)
const anchors = Array.from({ length: SITE_ANCHORS }, () => sentence(1 + Math.floor(random() * 4)))

function pick(list: readonly string[]): string {
  return list[Math.floor(random() * list.length)] ?? ''
}

/** Words as common and as rare as those of a language. */
function sentence(words: number): string {
  return Array.from(
    { length: words },
    () => vocabulary[Math.floor(VOCABULARY ** random()) - 1] ?? '',
  ).join(' ')
}

function urlOf(path: string): CanonicalUrl {
  const url = canonicalise(`http://${pick(syllables)}.test/${path}`)
  if (url === null) throw new Error(`no URL: ${path}`)
  return url
}

function pageOf(words: number): PageText {
  return {
    url: urlOf(sentence(4).replaceAll(' ', '/')),
    title: sentence(6),
    description: sentence(20),
    text: sentence(words),
    anchors: Array.from({ length: ANCHORS }, () => pick(anchors)),
  }
}

/** Microseconds of the processor per call, the best of several rounds. */
function microseconds<T>(inputs: readonly T[], call: (input: T) => unknown): string {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const started = process.cpuUsage()
    for (let turn = 0; turn < 5; turn++) for (const input of inputs) call(input)
    best = Math.min(best, process.cpuUsage(started).user / inputs.length / 5)
  }
  return best.toFixed(best < 10 ? 2 : 0)
}

const pages = Array.from({ length: PAGES }, () => pageOf(WORDS))
const longPages = [pageOf(LONG_WORDS)]
const contexts = pages.map(() => sentence(CONTEXT_WORDS))
const none: TopicSource = {
  words: '',
  keywords: [],
  positive: [],
  negative: [],
  model: null,
  language: 'en',
}
const kinds: Readonly<Record<string, TopicSource>> = {
  'words and keywords': { ...none, words: sentence(6), keywords: [sentence(1), sentence(2)] },
  'pages on topic': { ...none, positive: pages.slice(0, 20) },
  'pages on and off topic': {
    ...none,
    positive: pages.slice(0, 20),
    negative: pages.slice(20, 120),
  },
}

function rowFor([kind, source]: [string, TopicSource]): string[] {
  const began = performance.now()
  const record = buildTopic(source)
  const built = performance.now() - began
  const topic = openTopic(record, { hotThreshold: 0.5 })
  return [
    kind,
    built.toFixed(0),
    (JSON.stringify(record).length / 1000).toFixed(0),
    microseconds(pages, (page) => topic.judge(page)),
    microseconds(longPages, (page) => topic.judge(page)),
    microseconds(anchors, topic.evidence),
    microseconds(contexts, topic.evidence),
    microseconds(pages, ({ url }) => topic.addressEvidence(url)),
  ]
}

console.log(`${machine()}\n`)
const head = ['topic', 'build ms', 'record kB', `page of ${WORDS} words µs`]
head.push(`${LONG_WORDS} words µs`, 'anchor µs', 'context µs', 'address µs')
console.log(markdownTable(head, Object.entries(kinds).map(rowFor)))
