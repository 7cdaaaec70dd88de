import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { CRAWLER_ERRORS, CrawlerError } from '../core/errors.ts'
import { BadOptions } from '../options/bad-options.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import { endOfError, noteOfError } from './note-of-error.ts'

const FOLDER = { data: '/data', frontier: null }

test('what was wrong with a request is reported in the names of its fields, and addresses stay', () => {
  const message =
    'only 0 of 1 could be had:\n  http://a.test/x--y leads inside; --allow-private helps'
  const error = new BadOptions([{ source: 'file', at: '--examples', message }])
  assert.equal(
    noteOfError(error, FOLDER),
    'examples: only 0 of 1 could be had:\n  http://a.test/x--y leads inside; allow_private helps',
  )
})

test('no path of this machine is reported, and nothing of a bug', () => {
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

const PLACE = { data: 'postgres://ana:x@db:5432/j', frontier: 'redis://:y@cache:6379' }

test('of what servers say nothing is reported: they are named in words nobody can foresee', () => {
  for (const code of CRAWLER_ERRORS.filter((one) => one.startsWith('store-'))) {
    const error = new CrawlerError(code, 'getaddrinfo ENOTFOUND db.internal 10.0.0.7')
    assert.match(noteOfError(error, PLACE), /^(a store|something) .*; the log says more$/, code)
  }
})

test('a lost frontier is reported with its cure, and without the server', () => {
  const missing = openWorkspace(PLACE).frontierMissing(3, 9)
  assert.equal(
    noteOfError(missing, PLACE),
    "its frontier is lost: run 'jelajah doctor --rebuild-frontier', then resume it",
  )
})

test('a process that died is reported without the addresses of servers', () => {
  const message = 'the scouter died: postgres://ana:***@db:5432/j, redis://:***@cache:6379'
  const error = new CrawlerError('process-died', message)
  assert.equal(noteOfError(error, PLACE), 'the scouter died: the database, the frontier')
})

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
