import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CrawlerError } from '../core/errors.ts'
import type { Found } from '../core/link.ts'
import { canonicalise } from '../core/url.ts'
import { decodeControl, encodeControl } from './control.ts'
import { decodeHandover, encodeHandover, type HandoverHead } from './handover.ts'
import {
  decodeFound,
  decodeIds,
  decodeKept,
  decodeReceipt,
  encodeFound,
  encodeIds,
  encodeKept,
  encodeReceipt,
  type ReceiptHead,
} from './receipt.ts'

const url = (text: string) => canonicalise(text)!

const FOUND: readonly Found[] = [
  { url: url('http://a.test/'), hash: { hi: 1, lo: 0xffffffff }, nofollow: false, signals: null },
  {
    url: url('http://a.test/é?q=ü'),
    hash: { hi: 0, lo: 2 },
    nofollow: true,
    barred: 'unanswered',
    signals: [0.5, -1e300],
  },
]

const HEAD: HandoverHead = {
  kind: 'page',
  id: 7,
  token: 3,
  url: url('http://a.test/p'),
  depth: 2,
  status: 200,
  contentType: 'text/html; charset="ütf"',
  contentEncoding: '',
  robotsTag: ['noindex'],
  etag: '"x"',
  lastModified: '',
  fetchedAt: 1_700_000_000_000,
  fetchMs: 12,
  truncated: false,
}

const plain = (found: readonly Found[]) =>
  found.map(({ url, hash, nofollow, signals, barred }) => ({
    ...{ url, hash, nofollow, signals },
    ...(barred && { barred }),
  }))

test('links come back from their block as they went in', () => {
  assert.deepEqual(plain(decodeFound(encodeFound(FOUND))), FOUND)
  assert.deepEqual(decodeFound(encodeFound([])), [])
})

test('a hand-over keeps its head and its body apart', () => {
  const pieces = encodeHandover(HEAD, [Buffer.from('<html>'), Buffer.from('…')])
  const { head, body } = decodeHandover(new Uint8Array(Buffer.concat(pieces)))
  assert.deepEqual(head, HEAD)
  assert.equal(Buffer.from(body).toString(), '<html>…')
})

test('a hand-over that is cut short is an error, not a page', () => {
  assert.throws(() => decodeHandover(new Uint8Array([255, 0, 0, 0, 1])), CrawlerError)
})

test('a receipt carries its links', () => {
  const head: ReceiptHead = {
    kind: 'page',
    id: 7,
    token: null,
    outcome: 'stored',
    reason: '',
    likeness: 0xdeadbeef,
    judged: [0.1, -2, 4_294_967_295, 1e-300],
    sitemaps: [],
  }
  const { found, ...rest } = decodeReceipt(Buffer.concat(encodeReceipt(head, encodeFound(FOUND))))
  assert.deepEqual(rest, head)
  assert.deepEqual(plain(found), FOUND)
})

test('a receipt is kept with what the page says of itself, to the last bit', () => {
  const foundBlock = encodeFound(FOUND)
  for (const judged of [null, [1 / 3], [0, -1e300, 4_294_967_295]]) {
    const kept = encodeKept({ likeness: 0xdeadbeef, judged, foundBlock })
    // A database returns bytes at any offset of a buffer.
    const moved = Buffer.concat([Buffer.from([1, 2, 3]), kept]).subarray(3)
    const again = decodeKept(moved)
    assert.deepEqual([again.likeness, again.judged], [0xdeadbeef, judged])
    assert.deepEqual(plain(decodeFound(again.foundBlock)), FOUND)
  }
})

test('ids beyond 32 bits survive', () => {
  const ids = [1, 2 ** 40, Number.MAX_SAFE_INTEGER]
  assert.deepEqual(decodeIds(encodeIds(ids)), ids)
})

test('a control frame without a type is refused', () => {
  assert.deepEqual(decodeControl(encodeControl({ type: 'drain' })), { type: 'drain' })
  assert.throws(() => decodeControl(Buffer.from('[]')), CrawlerError)
})
