import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { decompress } from './decompress.ts'

const CAP = 1 << 20
/** Irregular, and longer than a block of any coding, so that a stream can be cut anywhere. */
const TEXT = Buffer.from(
  Array.from({ length: 40_000 }, (_, i) => `<p>${(i * 7919) % 40_009}</p>`).join(''),
)
const CODINGS: readonly (readonly [string, Buffer])[] = [
  ['gzip', gzipSync(TEXT)],
  ['x-gzip', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['deflate', deflateRawSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['zstd', zstdCompressSync(TEXT)],
]

function decoded(body: Uint8Array, codings: string, maxBytes = CAP) {
  const result = decompress(body, codings, maxBytes)
  assert.ok(result.ok, result.ok ? '' : result.reason)
  return { bytes: Buffer.from(result.bytes), truncated: result.truncated }
}

function isPrefix(bytes: Buffer): boolean {
  return bytes.equals(TEXT.subarray(0, bytes.length))
}

for (const [coding, body] of CODINGS) {
  test(`${coding} is undone`, () => {
    assert.deepEqual(decoded(body, ` ${coding.toUpperCase()} `), { bytes: TEXT, truncated: false })
  })

  test(`${coding} beyond the limit is cut there`, () => {
    assert.deepEqual(decoded(body, coding, 5000), {
      bytes: TEXT.subarray(0, 5000),
      truncated: true,
    })
  })

  test(`${coding} that ends early keeps what came`, () => {
    const { bytes, truncated } = decoded(body.subarray(0, body.length - 5), coding)
    assert.ok(truncated && isPrefix(bytes))
    assert.ok(bytes.length > TEXT.length / 2)
  })

  test(`${coding} that turns to garbage keeps what came before`, () => {
    const broken = Buffer.concat([body.subarray(0, body.length / 2), Buffer.alloc(400, 0xff)])
    assert.ok(isPrefix(decoded(broken, coding).bytes.subarray(0, TEXT.length / 4)))
  })

  test(`a body that only claims to be ${coding} is taken as it is`, () => {
    assert.deepEqual(decoded(TEXT, coding), { bytes: TEXT, truncated: false })
  })

  test(`an empty body in ${coding} is empty`, () => {
    assert.equal(decoded(new Uint8Array(0), coding).bytes.length, 0)
  })
}

test('a wrong checksum does not lose the text', () => {
  const body = gzipSync(TEXT)
  body[body.length - 6] = (body[body.length - 6] ?? 0) ^ 0x55
  const { bytes, truncated } = decoded(body, 'gzip')
  assert.ok(truncated && bytes.equals(TEXT))
})

test('what follows a gzip body does no harm', () => {
  for (const rest of [Buffer.alloc(20), Buffer.from('garbage!')]) {
    assert.ok(decoded(Buffer.concat([gzipSync(TEXT), rest]), 'gzip').bytes.equals(TEXT))
  }
})

test('gzip members are joined, also after a thousand empty ones', () => {
  const members = [...Array(1000).fill(gzipSync('')), gzipSync(TEXT), gzipSync(TEXT)]
  const { bytes } = decoded(Buffer.concat(members), 'gzip')
  assert.ok(bytes.equals(Buffer.concat([TEXT, TEXT])))
})

test('two encodings are undone, last first', () => {
  assert.ok(decoded(gzipSync(brotliCompressSync(TEXT)), 'br, identity, gzip').bytes.equals(TEXT))
})

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['gzip, gzip, gzip', /3 encodings/],
  [Array(5000).fill('gzip').join(', '), /too many encodings/],
  ['foo', /unknown encoding "foo"/],
]

for (const [codings, reason] of REFUSED) {
  test(`${codings.slice(0, 20)} is refused with a reason`, () => {
    const result = decompress(TEXT, codings, CAP)
    assert.ok(!result.ok)
    assert.match(result.reason, reason)
  })
}

test('bombs stop at the limit', () => {
  const zeros = Buffer.alloc(64 << 20)
  const bombs = [
    [gzipSync(zeros), 'gzip'],
    [zstdCompressSync(zeros), 'zstd'],
    [gzipSync(gzipSync(zeros)), 'gzip, gzip'],
  ] as const
  for (const [body, codings] of bombs) {
    const { bytes, truncated } = decoded(body, codings)
    assert.ok(truncated && bytes.length === CAP, codings)
  }
})

test('a brotli bomb whose first word is too much is refused', () => {
  const result = decompress(brotliCompressSync(Buffer.alloc(64 << 20)), 'br', CAP)
  assert.deepEqual(result, { ok: false, reason: 'br data expands beyond all bounds' })
})

test('zstd that asks for a huge window is refused', () => {
  const huge = Buffer.from('28b52ffd00b8010000', 'hex')
  assert.equal(decompress(huge, 'zstd', CAP).ok, false)
})

test('a body without encoding is only cut', () => {
  assert.deepEqual(decoded(TEXT, ''), { bytes: TEXT, truncated: false })
  assert.deepEqual(decoded(TEXT, 'identity', 10), { bytes: TEXT.subarray(0, 10), truncated: true })
})
