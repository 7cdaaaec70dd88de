import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import type { Revisit } from '../frontier/frontier.ts'
import { cameTo, conditionsOf } from './conditional.ts'
import type { Visit } from './visit.ts'

const known: Revisit = { stored: true, etag: '"a"', lastModified: 'Tue', contentHash: '' }
const urlOf = (text: string): CanonicalUrl => canonicalise(text)!
const HERE = urlOf('http://a.test/1')
const failed = (status: number): Visit => ({
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
    assert.deepEqual(cameTo(HERE, status, failed(status))?.came, { to: 'failed', reason })
  }
  const refused: Visit = { outcome: 'refused', reason: 'type: image/png' }
  assert.deepEqual(cameTo(HERE, 200, refused)?.came, { to: 'refused', reason: 'type: image/png' })
  const to = {
    url: urlOf('http://b.test/'),
    hash: { hi: 1, lo: 2 },
    nofollow: false,
    signals: null,
  }
  assert.deepEqual(cameTo(HERE, 301, { outcome: 'redirected', to }), {
    came: { to: 'redirected', reason: 'http://b.test/' },
    found: [to],
  })
})

test('answers that say nothing for sure', () => {
  for (const status of [204, 401, 403, 407, 408, 425, 429, 500, 503, 520]) {
    assert.equal(cameTo(HERE, status, failed(status)), null)
  }
  const itself = { url: HERE, hash: { hi: 1, lo: 2 }, nofollow: false, signals: null }
  assert.equal(cameTo(HERE, 302, { outcome: 'redirected', to: itself }), null)
})

test('a page that was not modified is as it was', () => {
  assert.deepEqual(cameTo(HERE, 304, failed(304)), { came: { to: 'unchanged' }, found: [] })
})
