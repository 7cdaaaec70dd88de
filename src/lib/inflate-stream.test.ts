import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { type InflateOptions, inflate } from './inflate-stream.ts'

const TEXT = Buffer.from('one two three '.repeat(20_000))

async function read(body: Uint8Array, given: Partial<InflateOptions> = {}) {
  const chunks: Uint8Array[] = []
  const options = { codings: '', gzipLayers: 2, maxBytes: 64 << 20, ...given }
  const end = await inflate(body, {
    ...{ onChunk: (chunk) => chunks.push(chunk) > 0, ...options },
  })
  return { ...end, bytes: Buffer.concat(chunks), pieces: chunks.length }
}

test('every coding is undone in pieces, and gzip inside of it too', async () => {
  const forms: readonly (readonly [string, Uint8Array])[] = [
    ['', TEXT],
    ['gzip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['zstd', zstdCompressSync(TEXT)],
    ['', gzipSync(gzipSync(TEXT))],
    ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
    ['gzip', gzipSync(gzipSync(TEXT))],
    ['gzip', TEXT],
    ['identity', TEXT],
  ]
  for (const [codings, body] of forms) {
    const { ok, bytes, pieces } = await read(body, { codings })
    assert.ok(ok && bytes.equals(TEXT) && pieces > 1, codings)
  }
})

test('what is cut off or damaged gives what comes before', async () => {
  const few = TEXT.subarray(0, 1000)
  for (const [text, body] of [
    [TEXT, gzipSync(TEXT).subarray(0, -8)],
    [few, gzipSync(few).subarray(0, -8)],
    [few, Buffer.concat([gzipSync(few), Buffer.from('garbage')])],
  ] as const) {
    const { bytes, ok } = await read(body)
    assert.deepEqual([ok, bytes.equals(text)], [true, true])
  }
  const tailed = await read(Buffer.concat([gzipSync(TEXT), Buffer.from('garbage')]))
  assert.ok(tailed.ok && tailed.bytes.length >= TEXT.length - 65_536)
  const cut = await read(gzipSync(TEXT).subarray(0, -8))
  assert.equal(cut.ok && cut.truncated, true)
  assert.equal((await read(Buffer.from([0x1f, 0x8b, 1, 2, 3]))).ok, false)
})

test('a bomb is read up to the limit of bytes and not beyond', async () => {
  const zeros = Buffer.alloc(32 << 20)
  for (const [codings, body] of [
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['gzip, gzip', gzipSync(gzipSync(zeros))],
  ] as const) {
    const { bytes, ...end } = await read(body, { codings, maxBytes: 1 << 20 })
    assert.deepEqual([end.ok && end.truncated, bytes.length], [true, 1 << 20], codings)
  }
})

test('whoever has enough gets no more', async () => {
  let taken = 0
  const onChunk = (): boolean => {
    taken += 1
    return taken < 2
  }
  const end = await read(gzipSync(Buffer.alloc(32 << 20)), { onChunk })
  assert.deepEqual([end.ok && end.truncated, taken], [true, 2])
})

test('codings that nobody knows or that are too many are refused', async () => {
  assert.equal((await read(TEXT, { codings: 'foo' })).ok, false)
  assert.equal((await read(TEXT, { codings: 'gzip, gzip, gzip' })).ok, false)
})
