import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import { createIdentity } from '../core/url-identity.ts'
import type { Fetched } from '../http/fetched.ts'
import { readHeaders } from '../http/response-headers.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import { judgeVisit } from './visit.ts'

const identity = createIdentity(['tracking', 'session'])

/** Where a redirect from one path to another leads. */
function target(from: string, location: string): string {
  const url = canonicalise(`http://a.test${from}`)
  assert.ok(url !== null)
  const fetched: Exclude<Fetched, { outcome: 'stale' }> = {
    ...{ outcome: 'response', status: 302, body: [], wireBytes: 0, truncated: false },
    ...{ startedAt: 0, tookMs: 0, headers: readHeaders({ location }) },
  }
  const visit = judgeVisit({ kind: 'page', url }, fetched, { hash: createUrlHasher(1), identity })
  assert.equal(visit.outcome, 'redirected')
  return visit.outcome === 'redirected' ? visit.to.url.replace('http://a.test', '') : ''
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
