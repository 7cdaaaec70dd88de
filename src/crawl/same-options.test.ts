import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlSettings } from '../core/job.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { differencesOf } from './same-options.ts'

test('what a crawl is about and what it keeps must be the same to go on', () => {
  const now: CrawlSettings = {
    ...DEFAULT_SETTINGS,
    scope: 'any',
    ...{ topic: 'kesehatan', orderingOptions: { a: '1' }, keepHtml: true },
    sitemaps: false,
  }
  assert.deepEqual(differencesOf(DEFAULT_SETTINGS, now), [
    '--scope  domain → any',
    '--no-sitemaps  no → yes',
    '--ordering-option  (none) → a=1',
    '--keep-html  no → yes',
    '--topic  (none) → kesehatan',
  ])
})

test('which links are followed and what is one URL must be the same', () => {
  const now: CrawlSettings = { ...DEFAULT_SETTINGS, stripParams: [], followActions: true }
  const flags = differencesOf(DEFAULT_SETTINGS, now).map((line) => line.split(' ')[0])
  assert.deepEqual(flags, ['--strip-params', '--follow-actions'])
})

test('the same options in another order are the same', () => {
  const before: CrawlSettings = {
    ...DEFAULT_SETTINGS,
    ...{ include: ['*/a/*', '*/b/*'], keywords: ['x', 'y'], orderingOptions: { a: '1', b: '2' } },
  }
  const now: CrawlSettings = {
    ...DEFAULT_SETTINGS,
    ...{ include: ['*/b/*', '*/a/*'], keywords: ['y', 'x'], orderingOptions: { b: '2', a: '1' } },
  }
  assert.deepEqual(differencesOf(before, now), [])
  assert.equal(differencesOf(before, { ...now, include: ['*/b/*'] }).length, 1)
})

test('speed, network and limits may differ from run to run', () => {
  const now = {
    ...DEFAULT_SETTINGS,
    ...{ maxPages: 7, maxDepth: 3, delayMs: 5, concurrency: 1, userAgent: 'x', retries: 9 },
    ...{ durationMs: 1, proxies: ['http://p:1'], hostPatienceMs: 1, allowPrivate: true },
  }
  assert.deepEqual(differencesOf(DEFAULT_SETTINGS, now), [])
})
