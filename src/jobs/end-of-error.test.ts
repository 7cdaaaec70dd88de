import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CrawlerError } from '../core/errors.ts'
import { endOfError } from './end-of-error.ts'

const AWAY = new CrawlerError('store-unreachable', 'db.internal does not answer')

test('a job whose servers are away goes on with the next start, and tells nobody where they are', () => {
  const end = endOfError(7, AWAY, { data: 'postgres://db.internal/x', frontier: 'redis://cache' })
  assert.equal(end.outcome, 'unreachable')
  assert.doesNotMatch(JSON.stringify(end), /internal/)
})

test('a job whose folder is gone has failed', () => {
  const end = endOfError(7, AWAY, { data: '/data', frontier: null })
  assert.deepEqual([end.outcome, 'status' in end && end.status], ['rested', 'failed'])
})
