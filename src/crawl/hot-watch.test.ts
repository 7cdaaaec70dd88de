import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleJob } from '../../test/contract/sample-page.ts'
import { decodeImportance } from '../core/importance.ts'
import type { CrawlSettings, JobRecord } from '../core/job.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { hotMeans, maxHotOf } from './hot-watch.ts'

function jobWith(settings: Partial<CrawlSettings>, fingerprint = 'tea'): JobRecord {
  return {
    ...sampleJob({ topic: { fingerprint }, settings: { ...DEFAULT_SETTINGS, ...settings } }),
    ...{ id: 1, salt: 1, status: 'completed', startedAt: 0, endedAt: 1, note: '', ranMs: 0 },
  }
}

test('hot means the same until threshold, topic or weights change', () => {
  const plain = hotMeans(jobWith({}))
  assert.equal(hotMeans(jobWith({ maxHot: 5, maxPages: 7 })), plain)
  assert.equal(hotMeans(jobWith({ importance: decodeImportance('similarity') })), plain)
  assert.notEqual(hotMeans(jobWith({ hotThreshold: 0.9 })), plain)
  assert.notEqual(hotMeans(jobWith({}, 'coffee')), plain)
  assert.notEqual(hotMeans(jobWith({ importance: decodeImportance('pagerank') })), plain)
})

test('pages that were marked under another threshold or topic do not count', () => {
  const last = jobWith({ maxHot: 10 })
  const before = { hot: 10 }
  const max = (job: JobRecord, of: JobRecord | null = last) => maxHotOf({ job, last: of, before })
  assert.equal(max(jobWith({ maxHot: 12 })), 12)
  assert.equal(max(jobWith({ maxHot: 12, hotThreshold: 0.9 })), 22)
  assert.equal(max(jobWith({ maxHot: 12 }, 'coffee')), 22)
  assert.equal(max(jobWith({ maxHot: 12 }), null), 12)
  assert.equal(max(jobWith({ hotThreshold: 0.9 })), null)
})
