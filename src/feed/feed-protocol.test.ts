import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleFields } from '../../test/contract/sample-page.ts'
import type { PageChange } from '../store/change-feed.ts'
import { decodeMessage, decodeRequest, lineOf } from './feed-protocol.ts'

const ADDED: PageChange = {
  cursor: 17,
  change: 'add',
  crawlId: 3,
  pageId: 12,
  url: sampleFields('a.test/1').url,
  at: 1,
  duplicateOf: null,
  noindex: false,
  reason: '',
}

test('a change is one line, with what applies to it and nothing else', () => {
  assert.equal(
    lineOf(ADDED),
    '{"cursor":17,"change":"add","id":12,"url":"http://a.test/1","crawl":3}\n',
  )
  const marked = { ...ADDED, duplicateOf: 4, noindex: true, reason: 'http 404\n' }
  assert.equal(
    lineOf(marked),
    '{"cursor":17,"change":"add","id":12,"url":"http://a.test/1","crawl":3,' +
      '"duplicate_of":4,"noindex":true,"reason":"http 404\\n"}\n',
  )
  const removed: PageChange = { ...ADDED, change: 'crawl-removed', pageId: null, url: null }
  assert.equal(
    lineOf(removed),
    '{"cursor":17,"change":"crawl-removed","id":null,"url":null,"crawl":3}\n',
  )
})

test('what was told is understood', () => {
  const { cursor, change, pageId: id, url, crawlId: crawl } = ADDED
  assert.deepEqual(decodeMessage(lineOf(ADDED)), { cursor, change, id, url, crawl })
  for (const line of ['', '{}', '[]', '{"cursor":1}', '{"cursor":"1","change":"add","crawl":1}']) {
    assert.equal(decodeMessage(line), null, line)
  }
})

test('a request is a cursor, perhaps with the store it is of; anything else is none', () => {
  assert.deepEqual(decodeRequest('{"after":0}'), { after: 0, store: null })
  assert.deepEqual(decodeRequest(' {"store":"ab","after":7,"more":[]}\r'), {
    after: 7,
    store: 'ab',
  })
  const none = ['', 'null', '7', '[]', '"after"', '{}', '{"after":"7"}', '{"after":-1}', '{"after"']
  none.push('{"after":1.5}', '{"after":1e999}', '{"after":null}', '{"after":1,"store":2}')
  none.push('{"after":9007199254740993}', '\0', '['.repeat(4000))
  for (const line of none) assert.equal(decodeRequest(line), null, line.slice(0, 40))
})
