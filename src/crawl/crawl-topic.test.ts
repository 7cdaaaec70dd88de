import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { buildTopic } from '../topic/build-topic.ts'
import { openTopic } from '../topic/open-topic.ts'
import { topicLeft } from './crawl-topic.ts'

const WORDS = 'vaksin dan sistem imun'
const TOPIC = buildTopic({
  words: WORDS,
  ...{ keywords: [], positive: [], negative: [], model: null, language: '' },
})
const SETTINGS = { ...DEFAULT_SETTINGS, topic: WORDS }

test('a topic of words that an earlier version kept is built again of the same words', async () => {
  const earlier = { ...TOPIC, version: 1, fingerprint: 'of then', request: 'key' }
  assert.throws(() => openTopic(earlier, { hotThreshold: 0.5 }), /version 1/)
  const topic = await topicLeft({ topic: earlier, settings: SETTINGS })
  assert.deepEqual(topic, { ...TOPIC, request: 'key' })
})

test('any other topic that a crawl was left with is as it was', async () => {
  assert.equal(await topicLeft({ topic: TOPIC, settings: SETTINGS }), TOPIC)
  assert.equal(await topicLeft({ topic: null, settings: SETTINGS }), null)
  const trained = { ...SETTINGS, classifier: 'model.json' }
  const damaged = { ...TOPIC, version: 99 }
  assert.equal(await topicLeft({ topic: damaged, settings: trained }), damaged)
})
