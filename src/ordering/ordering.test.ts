import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import type { Judgement, PageText, Topic } from '../topic/topic.ts'
import { type Judge, judgePage, type ReadLink } from './ordering.ts'

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
