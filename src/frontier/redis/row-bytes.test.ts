import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RowValue } from '../storage.ts'
import { RowPacker, unpackRow } from './row-bytes.ts'

const VALUES: readonly RowValue[] = [
  ...[0, 1, 159, 160, 255, 256, 65_535, 2 ** 32, 2 ** 48, Number.MAX_SAFE_INTEGER],
  ...[-1, -159, -256, -(2 ** 32), Number.MIN_SAFE_INTEGER, -0, 0.5, -1 / 3, 1e308, 5e-324],
  ...[
    2 ** 60,
    Number.POSITIVE_INFINITY,
    null,
    '',
    'a',
    'é'.repeat(20),
    'x'.repeat(39),
    'x'.repeat(40),
  ],
  ...[
    'x'.repeat(127),
    'x'.repeat(128),
    '漢'.repeat(50_000),
    'https://www.',
    'https://a.test/',
    'http://a',
  ],
  ...[
    'https:/',
    'http://é.test/',
    new Uint8Array(0),
    Uint8Array.of(0, 255),
    new Uint8Array(70_000).fill(7),
  ],
]

test('every value comes back as it was', () => {
  const packer = new RowPacker()
  for (const value of VALUES) assert.deepEqual(unpackRow(packer.pack([value])), [value])
})

test('rows that share a buffer come back as they were', () => {
  const packer = new RowPacker()
  const rows = VALUES.map((_, at) => [...VALUES.slice(at), ...VALUES.slice(0, at)])
  const packed = rows.map((row) => packer.pack(row, 1))
  for (const [at, row] of rows.entries()) {
    assert.deepEqual(unpackRow(packed[at]!, [row[0]!]), row)
  }
})

test('a URL that waits takes few bytes more than its text', () => {
  const url = 'https://www.h1234.test/section-12/article-1234567.html'
  const row = [1_234_567, 2469, url, 0, '', 3, 0, 1_200_000, 0, 1_234_560, 1, null, -3, 0, null]
  assert.ok(new RowPacker().pack(row, 1).length <= url.length + 12)
})
