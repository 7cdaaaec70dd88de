import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTermReader } from '../../test/support/term-reader.ts'
import { pageText } from '../../test/support/topic-pages.ts'
import { InvalidInput } from '../core/errors.ts'
import { Background } from './background.ts'
import { buildTopic, type TopicSource } from './build-topic.ts'
import { openTopic } from './open-topic.ts'
import type { Topic } from './topic.ts'

const NONE: TopicSource = {
  words: '',
  keywords: [],
  positive: [],
  negative: [],
  model: null,
  language: 'en',
}

function opened(source: Partial<TopicSource>): Topic {
  return openTopic(buildTopic({ ...NONE, ...source }), { hotThreshold: 0.5 })
}

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} instead of ${expected}`)
}

test('strength in a topic of one keyword is as computed by hand', () => {
  const topic = opened({ keywords: ['telescope'] })
  const text = `telescope ${'word '.repeat(64)}telescope`
  // 66 words of text and 30 for a short page; two of them are the keyword, of weight 1: strength √2 / √96.
  // The strength at even odds is 0.06. Evidence also counts the address: a and test.
  const ownOdds = Math.log((Math.sqrt(2 / 96) + 0.01) / 0.06)
  const odds = Math.log((1 / 7 + 0.01) / 0.06)
  const { relevance, evidence, hot, textMentions, titleMentions } = topic.judge(pageText({ text }))
  near(relevance, 1 / (1 + Math.exp(-3 * ownOdds)))
  near(evidence, 0.5 * odds)
  assert.ok(hot)
  assert.deepEqual([textMentions, titleMentions], [2, 0])
})

test('a word that was typed says as much in a longer text as alone', () => {
  const topic = opened({ keywords: ['telescope'] })
  // A word of the mean weight is worth 2, others 0.
  near(topic.evidence('telescope'), 2)
  near(topic.evidence('my new telescope shop'), 2)
  near(topic.evidence(''), 0)
  near(topic.addressEvidence(pageText({ url: 'http://telescope.test/telescope/x' }).url), 4)
})

test('a word or phrase that is repeated in a short text says no more than once', () => {
  const topic = opened({ keywords: ['telescope', 'dark sky'] })
  for (const text of ['telescope', 'dark sky', 'skytelescope']) {
    near(topic.evidence(`${text}, ${text}, ${text} `.slice(0, 60)), topic.evidence(text))
  }
})

test('many typed words in one short text say no more than three', () => {
  const keywords = ['telescope', 'comet', 'nebula', 'quasar', 'galaxy', 'meteor']
  const topic = opened({ keywords })
  near(topic.evidence(keywords.join(' ')), 6)
  const url = `http://${keywords.join('-')}.test/${keywords.join('/')}`
  near(topic.addressEvidence(pageText({ url }).url), 6)
})

test('a topic word inside an ordinary word says nothing, inside a name it does', () => {
  const unrelated = {
    'budidaya ikan hias': ['pendidikan', 'memberikan'],
    'rice farming': ['price', 'prices'],
    internet: ['international', 'internationally', 'interview'],
  }
  for (const [words, others] of Object.entries(unrelated)) {
    const topic = opened({ words, language: '' })
    for (const word of others) near(topic.evidence(word), 0)
  }
  for (const [words, name] of [
    ['astronomy', 'astropy'],
    ['rice farming', 'ricebowl'],
    ['vaksin', 'vaksinasi'],
  ] as const) {
    assert.ok(opened({ words, language: '' }).evidence(name) > 0.5, name)
  }
})

test('words weigh by their rarity, 1 on average', () => {
  const reader = createTermReader('en', new Set())
  const background = new Background(reader, 'en')
  const [rare, common] = ['photometry', 'science'].map((word) =>
    background.rarityOf(reader.termOf(word)),
  )
  const topic = opened({ words: 'photometry, science' })
  near(topic.evidence('photometry') / topic.evidence('science'), rare! / common!)
  near(topic.evidence('photometry') + topic.evidence('science'), 4)
})

test('a phrase counts whole where it stands whole, and little where only its words do', () => {
  const topic = opened({ keywords: ['machine learning'] })
  assert.equal(topic.mentions('machine learning is learning by a machine'), 1)
  assert.ok(topic.evidence('machine learning') >= 2)
  assert.ok(topic.evidence('learning machine') < 1)
  const whole = topic.judge(pageText({ text: 'about machine learning here '.repeat(20) }))
  const parts = topic.judge(pageText({ text: 'about learning machine here '.repeat(20) }))
  assert.ok(whole.relevance > 0.9)
  assert.ok(parts.relevance < whole.relevance)
  assert.equal(whole.textMentions, 20)
})

test('keywords of a script without spaces are found inside running text', () => {
  const topic = opened({ keywords: ['数据库'] })
  assert.equal(topic.mentions('关系数据库系统'), 1)
  assert.equal(topic.mentions('数据中心'), 0)
  assert.ok(topic.judge(pageText({ text: '关系数据库系统。'.repeat(20) })).relevance > 0.5)
})

test('mentions in the title and in the text are counted apart', () => {
  const topic = opened({ keywords: ['comet', 'dirty snowball'] })
  const page = pageText({ title: 'A comet', text: 'The comet is a dirty snowball; comets fall.' })
  const { titleMentions, textMentions } = topic.judge(page)
  assert.deepEqual([titleMentions, textMentions], [1, 3])
})

test('terms are the words of the page itself that are no stop words', () => {
  const page = pageText({ title: 'The sky', text: 'It is a dark sky', anchors: ['home', 'about'] })
  assert.equal(opened({ keywords: ['sky'] }).judge(page).terms, 3)
})

test('anchors and address speak for what a page leads to, not for the page itself', () => {
  const topic = opened({ keywords: ['comet'] })
  const text = 'nothing of the kind '.repeat(20)
  const plain = topic.judge(pageText({ text }))
  const around = pageText({ text, url: 'http://comet.test/comet', anchors: ['comet', 'comets'] })
  const { relevance, evidence } = topic.judge(around)
  near(relevance, plain.relevance)
  assert.ok(evidence > plain.evidence + 0.3)
})

test('pages of any size and any characters are judged within bounds', () => {
  const topic = opened({ keywords: ['comet', 'dirty snowball'], words: 'a b comet' })
  const odd = ['', '\0', '\ud800', 'a'.repeat(1e6), 'comet '.repeat(1e6), '星'.repeat(1e6), '%%%']
  for (const text of odd) {
    const page = pageText({ text, title: text, anchors: Array(1000).fill(text.slice(0, 1000)) })
    const { relevance, evidence, similarity, terms, promise } = topic.judge(page)
    for (const number of [relevance, evidence, similarity, terms, promise ?? 0]) {
      assert.ok(Number.isFinite(number))
    }
    assert.ok(relevance >= 0 && relevance <= 1 && similarity >= 0 && similarity <= 1)
    for (const ask of [topic.evidence, topic.similarity, topic.mentions]) {
      assert.ok(Number.isFinite(ask(text)))
    }
  }
})

test('a text that was cut counts as many words as the whole has', () => {
  const text = 'comet '.repeat(10_000)
  assert.equal(opened({ keywords: ['comet'] }).judge(pageText({ text })).terms, 10_002)
})

test('what is no record of this version is refused', () => {
  const record = buildTopic({ ...NONE, keywords: ['comet'] })
  const damaged = [
    { fingerprint: 'x' },
    { ...record, format: 'other' },
    { ...record, version: 99 },
    { ...record, columns: {} },
    { ...record, columns: { ...(record.columns as object), evidence: 'AAAA' } },
    { ...record, keywords: 'comet' },
    { ...record, bias: null },
    { ...record, judge: 'dice' },
  ]
  for (const one of damaged) {
    assert.throws(() => openTopic(one, { hotThreshold: 0.5 }), InvalidInput)
  }
})

test('names of links that hold a typed word speak for the topic, though less than the word itself', () => {
  const topic = opened({ keywords: ['astronomy', 'geographic', 'sql'] })
  for (const name of ['astropy', 'libgeographic-dev', 'geographiclib', 'postgresql']) {
    assert.ok(topic.evidence(name) > 0, name)
    assert.ok(topic.evidence(name) < topic.evidence('astronomy'), name)
  }
  assert.ok(topic.addressEvidence(pageText({ url: 'http://geographiclib.test/' }).url) > 0)
  for (const name of ['asterisk', 'geology', 'squad', 'postgres']) {
    assert.equal(topic.evidence(name), 0, name)
  }
})

test('a page without the words says nothing against its links, and is not hot by names', () => {
  const topic = opened({ keywords: ['astronomy'] })
  const { evidence, hot } = topic.judge(pageText({ text: 'astropy astroplan '.repeat(50) }))
  assert.equal(evidence, 0)
  assert.ok(!hot)
})
