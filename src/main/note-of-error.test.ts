import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { CrawlerError } from '../core/errors.ts'
import { BadOptions } from '../request/bad-options.ts'
import { noteOfError } from './note-of-error.ts'

const FOLDER = { data: '/data', frontier: null }

test('what was wrong with a request is told in the names of its fields, and addresses stay', () => {
  const message =
    'only 0 of 1 could be had:\n  http://a.test/x--y leads inside; --allow-private helps'
  const error = new BadOptions([{ source: 'file', at: '--examples', message }])
  assert.equal(
    noteOfError(error, FOLDER),
    'examples: only 0 of 1 could be had:\n  http://a.test/x--y leads inside; allow_private helps',
  )
})

test('no path of this machine is told, and nothing of a bug', () => {
  const broken = (message: string) => new CrawlerError('store-damaged', message)
  assert.equal(
    noteOfError(broken('/data/frontier-1.db is missing'), FOLDER),
    'frontier-1.db is missing',
  )
  assert.equal(
    noteOfError(broken(`no socket at ${tmpdir()}/run/a.sock`), FOLDER),
    'no socket at run/a.sock',
  )
  assert.doesNotMatch(noteOfError(new Error('at /home/me/x.ts'), FOLDER), /home/)
})

test('the addresses of servers are not told either', () => {
  const place = { data: 'postgres://ana:x@db:5432/j', frontier: 'redis://:y@cache:6379' }
  const message = 'postgres://ana:***@db:5432/j is away, and so is redis://:***@cache:6379'
  const error = new CrawlerError('store-unreachable', message)
  assert.equal(noteOfError(error, place), 'the database is away, and so is the frontier')
})
