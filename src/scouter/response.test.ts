import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CanonicalUrl, canonicalise, createIdentity } from '../core/url.ts'
import type { Revisit } from '../frontier/frontier.ts'
import { type Fetched, readHeaders } from '../http/fetched.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import { classifyResponse, conditionsOf, revisitResult, type VisitResult } from './response.ts'

const known: Revisit = { stored: true, etag: '"a"', lastModified: 'Tue', contentHash: '' }
const urlOf = (text: string): CanonicalUrl => canonicalise(text)!
const HERE = urlOf('http://a.test/1')
const failed = (status: number): VisitResult => ({
  outcome: 'failed',
  reason: `http-${status}`,
  transient: false,
})

test('a stored page is asked for by what is known of it', () => {
  const both = { 'if-none-match': '"a"', 'if-modified-since': 'Tue' }
  assert.deepEqual(conditionsOf({ revisit: known }), { headers: both })
  assert.deepEqual(conditionsOf({ revisit: { ...known, lastModified: '' } }), {
    headers: { 'if-none-match': '"a"' },
  })
  assert.deepEqual(conditionsOf({ revisit: { ...known, etag: '', lastModified: '' } }), {})
  assert.deepEqual(conditionsOf({ revisit: { ...known, stored: false } }), {})
  assert.deepEqual(conditionsOf({}), {})
})

test('what a hostile server called a validator is never sent', () => {
  const hostile = ['*', '"a"\r\nx: y', '"\u0000"', '"é"', `"${'x'.repeat(5000)}"`, ' "a"', '\t']
  for (const etag of hostile) {
    assert.deepEqual(
      conditionsOf({ revisit: { ...known, etag, lastModified: etag } }).headers?.['if-none-match'],
      undefined,
    )
  }
  assert.deepEqual(conditionsOf({ revisit: { ...known, etag: '*', lastModified: '' } }), {})
})

test('answers that say for sure that a page is gone', () => {
  for (const status of [400, 404, 410, 451]) {
    const reason = `http-${status}`
    assert.deepEqual(revisitResult(HERE, status, failed(status))?.came, { to: 'failed', reason })
  }
  const refused: VisitResult = { outcome: 'refused', reason: 'type: image/png' }
  assert.deepEqual(revisitResult(HERE, 200, refused)?.came, {
    to: 'refused',
    reason: 'type: image/png',
  })
  const to = {
    url: urlOf('http://b.test/'),
    hash: { hi: 1, lo: 2 },
    nofollow: false,
    signals: null,
  }
  assert.deepEqual(revisitResult(HERE, 301, { outcome: 'redirected', to }), {
    came: { to: 'redirected', reason: 'http://b.test/' },
    found: [to],
  })
})

test('answers that say nothing for sure', () => {
  for (const status of [204, 401, 403, 407, 408, 425, 429, 500, 503, 520]) {
    assert.equal(revisitResult(HERE, status, failed(status)), null)
  }
  const itself = { url: HERE, hash: { hi: 1, lo: 2 }, nofollow: false, signals: null }
  assert.equal(revisitResult(HERE, 302, { outcome: 'redirected', to: itself }), null)
})

test('a page that was not modified is as it was', () => {
  assert.deepEqual(revisitResult(HERE, 304, failed(304)), { came: { to: 'unchanged' }, found: [] })
})

const identity = createIdentity(['tracking', 'session'])

/** Where a redirect from one path to another leads. */
function target(from: string, location: string): string {
  const url = canonicalise(`http://a.test${from}`)
  assert.ok(url !== null)
  const fetched: Exclude<Fetched, { outcome: 'stale' }> = {
    ...{ outcome: 'response', status: 302, body: [], wireBytes: 0, truncated: false },
    ...{ startedAt: 0, tookMs: 0, headers: readHeaders({ location }) },
  }
  const result = classifyResponse({ kind: 'page', url }, fetched, {
    hash: createUrlHasher(1),
    identity,
  })
  assert.equal(result.outcome, 'redirected')
  return result.outcome === 'redirected' ? result.to.url.replace('http://a.test', '') : ''
}

test('a redirect leads to a URL as its crawl knows it', () => {
  assert.equal(target('/a', '/b?utm_source=x&id=5'), '/b?id=5')
  assert.equal(target('/a', '/b;jsessionid=1F'), '/b')
})

test('a site that wants its session for a page gets it, and no loop', () => {
  assert.equal(target('/a', '/a?PHPSESSID=1f2e'), '/a?PHPSESSID=1f2e')
  assert.equal(target('/a', '/a;jsessionid=1F'), '/a;jsessionid=1F')
  // Asked with one, it sends on to another: that leads back to where it began, which is a loop.
  assert.equal(target('/a?PHPSESSID=1', '/a?PHPSESSID=2'), '/a')
})
