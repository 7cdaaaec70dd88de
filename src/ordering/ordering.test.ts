import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import type { Judgement, PageText, Topic } from '../topic/topic.ts'
import {
  type Judge,
  joined,
  judgePage,
  keepNumbers,
  keptNumbers,
  parted,
  type ReadLink,
} from './ordering.ts'

const URL = canonicalise('http://a.test/')!
const PAGE: PageText = { url: URL, title: 'Tea', description: '', text: 'tea tea', anchors: [] }
const LINKS: ReadLink[] = [
  { url: canonicalise('http://a.test/1')!, anchor: 'green', context: '' },
  { url: canonicalise('http://a.test/2')!, anchor: 'black tea', context: '' },
]
const JUDGEMENT: Judgement = {
  relevance: 0.75,
  hot: true,
  similarity: 0.5,
  evidence: 1,
  terms: 2,
  titleMentions: 1,
  textMentions: 2,
}
const TOPIC: Topic = {
  judge: () => JUDGEMENT,
  evidence: () => 0,
  addressEvidence: () => 0,
  similarity: () => 0,
  mentions: () => 0,
}

/** Notes the relevance of the page and the length of each link's anchor. */
function lengthJudge(): Judge {
  let relevance = 0
  return {
    page: ({ judgement }) => {
      relevance = judgement?.relevance ?? -1
      return [relevance]
    },
    link: ({ anchor }) => [relevance, anchor.length],
  }
}

test('a judge sees the page with the judgement of its topic, then each link in order', () => {
  const judged = judgePage({ topic: TOPIC, judge: lengthJudge(), page: PAGE, links: LINKS })
  assert.equal(judged.judgement, JUDGEMENT)
  assert.deepEqual(judged.judged, [0.75])
  assert.deepEqual(judged.signals, [
    [0.75, 5],
    [0.75, 9],
  ])
})

test('a judge without a topic still speaks of the links', () => {
  const judged = judgePage({ topic: null, judge: lengthJudge(), page: PAGE, links: LINKS })
  assert.equal(judged.judgement, null)
  assert.deepEqual(judged.judged, [-1])
})

test('a topic without a judge gives the judgement alone', () => {
  const judged = judgePage({ topic: TOPIC, judge: null, page: PAGE, links: LINKS })
  assert.deepEqual(judged, { judgement: JUDGEMENT, judged: null, signals: [] })
})

test('numbers come back exactly, from any place in memory', () => {
  const numbers = [0.1, -1e300, 2 ** 53, 0]
  const bytes = keepNumbers(numbers)
  const moved = new Uint8Array(bytes.length + 3)
  moved.set(bytes, 3)
  assert.deepEqual(keptNumbers(moved.subarray(3), 4), numbers)
})

test('bytes that are not so many finite numbers are null', () => {
  assert.equal(keptNumbers(keepNumbers([1, 2]), 3), null)
  assert.equal(keptNumbers(new Uint8Array(7), 1), null)
  assert.equal(keptNumbers(keepNumbers([Number.NaN]), 1), null)
  assert.equal(keptNumbers(keepNumbers([Number.POSITIVE_INFINITY]), 1), null)
})

test('parts come back as they were, of the same format alone and only whole', () => {
  const parts = [Uint8Array.of(1, 2, 3), new Uint8Array(0), Uint8Array.of(4)]
  const bytes = joined(7, parts)
  assert.deepEqual(
    parted(7, bytes)?.map((part) => [...part]),
    [[1, 2, 3], [], [4]],
  )
  assert.equal(parted(8, bytes), null)
  assert.equal(parted(7, bytes.subarray(0, -1)), null)
  assert.equal(parted(7, bytes.subarray(0, 9)), null)
})
