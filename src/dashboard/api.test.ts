import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, failureOf } from './api.ts'

test('an address has only the values that were given', () => {
  const query = { text: 'a&b', host: '', hot: false, limit: 5, kind: undefined }
  assert.equal(
    addressOf('/crawl/crawl_1/pages', query),
    './crawl/crawl_1/pages?text=a%26b&hot=false&limit=5',
  )
  assert.equal(addressOf('/options'), './options')
})

test('an error reply is read with all its problems', () => {
  const problems = [{ at: 'max_pages', message: 'needs a whole number' }]
  const error = { code: 'bad-request', message: 'Bad.', problems }
  assert.deepEqual(failureOf(400, { error }), { status: 400, ...error })
})

test('whatever comes instead of an error reply is still a failure', () => {
  const bodies = [
    undefined,
    null,
    'x',
    5,
    [],
    {},
    { error: 'no' },
    { error: { problems: [null, { at: 1 }] } },
  ]
  for (const body of bodies) {
    const failure = failureOf(502, body)
    assert.deepEqual(failure, { status: 502, code: 'unexpected', message: '', problems: [] })
  }
})
