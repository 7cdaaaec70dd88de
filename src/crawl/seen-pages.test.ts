import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storeCrawl } from '../../test/simulate/stored-crawl.ts'
import { pageText } from '../../test/support/topic-pages.ts'
import { openFocus } from '../parser/open-focus.ts'
import { buildTopic } from '../topic/build-topic.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import { seenPages } from './seen-pages.ts'

const TOPIC = buildTopic({
  words: 'comet, tail, sky',
  ...{ keywords: [], positive: [], negative: [], model: null, language: 'en' },
})
const FILLER = 'plain words that any page of this web may have here and there '.repeat(3)
const PAGES = Array.from({ length: 40 }, (_, at) => ({
  url: `http://a.test/${at}`,
  links: [],
  text: `${at % 4 === 0 ? 'sky comet comet tail tail ' : 'sky kitchen '}${at} ${FILLER}`,
}))

const FOCUS = {
  ...{ topic: TOPIC, ordering: 'adaptive', orderingOptions: {}, hotThreshold: 0.5 },
  ...{ minRelevance: null, minTerms: null, languages: [] },
}

function relevanceOf(focus: ReturnType<typeof openFocus>): number {
  const { url, title, description, text } = pageText({ text: `sky sky ${FILLER}` })
  const page = { url, title, description, contentText: text, language: 'en' }
  return focus.judge(page, { rows: [], found: [] }).relevance ?? 1
}

test('a crawl that goes on judges by what its first pages taught', async () => {
  using crawl = await storeCrawl(PAGES)
  await using workspace = openWorkspace({ data: crawl.dataDir, frontier: null })
  const seen = await seenPages({ id: crawl.crawlId, topic: TOPIC }, () => workspace.pageReader())
  assert.equal(seen.length, PAGES.length)
  assert.ok(relevanceOf(openFocus(FOCUS)) > 0.5)
  assert.ok(relevanceOf(openFocus({ ...FOCUS, seen })) < 0.5)
})

test('nothing is read for a crawl without a topic that learns', async () => {
  const refuse = () => Promise.reject(new Error('not to be opened'))
  assert.deepEqual(await seenPages({ id: 1, topic: null }, refuse), [])
  const other = { ...TOPIC, judge: 'examples' }
  assert.deepEqual(await seenPages({ id: 1, topic: other }, refuse), [])
})
