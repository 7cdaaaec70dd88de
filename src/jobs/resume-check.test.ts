import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleJob } from '../../test/contract/sample-page.ts'
import type { CrawlSettings, JobRecord } from '../core/job.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import type { NewLimits } from './dispatcher.ts'
import { type JobCounts, resumeCheck } from './resume-check.ts'

type Case = {
  readonly job?: Partial<JobRecord>
  readonly settings?: Partial<CrawlSettings>
  readonly limits?: NewLimits
  readonly counts?: Partial<JobCounts>
}

function why({ job = {}, settings = {}, limits = {}, counts = {} }: Case): string | null {
  const record: JobRecord = {
    ...sampleJob(),
    ...{ id: 1, salt: 1, origin: 'api', startedAt: 0, endedAt: 1, note: '', ranMs: 5000 },
    settings: { ...DEFAULT_SETTINGS, maxPages: 10, ...settings },
    status: 'completed',
    ...job,
  }
  return resumeCheck(record, limits, { stored: 10, hot: 3, queued: 40, ...counts })
}

test('a job that has its pages goes on with more of them, and not without', () => {
  assert.equal(why({}), 'it has its 10 pages; give a max_pages above 10 to go on')
  assert.match(why({ limits: { maxPages: 10 } }) ?? '', /above 10/)
  assert.equal(why({ limits: { maxPages: 11 } }), null)
  assert.match(why({ job: { status: 'paused' }, limits: { maxPages: 5 } }) ?? '', /above 10/)
})

test('a job with nothing left to fetch goes on only if it may go deeper', () => {
  const empty = { queued: 0, stored: 4 }
  assert.equal(why({ counts: empty }), 'it has completed: no URL is left to fetch')
  assert.match(why({ counts: empty, limits: { maxPages: 99 } }) ?? '', /no URL is left/)
  const settings = { maxDepth: 2 }
  assert.match(why({ counts: empty, settings }) ?? '', /give a larger max_depth/)
  assert.equal(why({ counts: empty, settings, limits: { maxDepth: 3 } }), null)
})

test('a job whose time is used up needs more of it, whatever its status', () => {
  const settings = { durationMs: 5000 }
  const said = 'its time is up: it has run for 5 s; give a duration above 5 to go on'
  for (const status of ['stopped', 'paused', 'failed', 'completed'] as const) {
    assert.equal(why({ settings, job: { status } }), said)
  }
  assert.equal(why({ settings, job: { status: 'stopped' }, limits: { durationMs: 6000 } }), null)
  assert.equal(why({ settings, job: { status: 'stopped', ranMs: 4999 } }), null)
  assert.equal(why({ settings, job: { status: 'stopped', origin: 'cli' } }), null)
})

test('a job that had enough goes on when enough is something else', () => {
  const counts = { stored: 4 }
  const hot = { counts, settings: { maxHot: 3 }, job: { note: 'it has its 3 hot pages' } }
  assert.equal(why(hot), 'it has its 3 hot pages; give a max_hot above 3 to go on')
  assert.equal(why({ ...hot, limits: { maxHot: 9 } }), null)
  const poor = { counts, settings: { harvestFloor: 0.5 }, job: { note: 'harvest fell' } }
  assert.match(why(poor) ?? '', /harvest fell; give a smaller harvest_floor to go on$/)
  assert.equal(why({ ...poor, limits: { harvestFloor: 0 } }), null)
  assert.match(why({ counts, job: { note: 'not worth keeping' } }) ?? '', /larger max_pages/)
})

test('what was paused, stopped or failed goes on as it was', () => {
  for (const status of ['paused', 'stopped', 'failed'] as const) {
    assert.equal(why({ job: { status }, counts: { queued: 0 } }), null)
  }
})
