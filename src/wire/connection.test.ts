import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { CrawlerError } from '../core/errors.ts'
import { FRAME_TYPES, FrameReader, sendFrame } from './connection.ts'

/** The output of `sendFrame`, as one buffer. */
function framed(...payloads: readonly Uint8Array[]): Buffer {
  const stream = new PassThrough()
  for (const payload of payloads) sendFrame(stream as never, FRAME_TYPES.control, payload)
  return stream.read() as Buffer
}

function readAll(chunks: readonly Uint8Array[]): string[] {
  const seen: string[] = []
  const reader = new FrameReader((type, payload) => seen.push(`${type}:${Buffer.from(payload)}`))
  for (const chunk of chunks) reader.push(chunk)
  return seen
}

test('frames survive any cut of the stream', () => {
  const bytes = framed(Buffer.from('one'), Buffer.from(''), Buffer.from('three'.repeat(50)))
  const whole = readAll([bytes])
  assert.deepEqual(whole, ['1:one', '1:', `1:${'three'.repeat(50)}`])
  for (let size = 1; size < 20; size++) {
    const chunks: Uint8Array[] = []
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
    assert.deepEqual(readAll(chunks), whole, `cut every ${size} bytes`)
  }
})

test('a payload owns its buffer, so that it can be transferred', () => {
  const reader = new FrameReader((_type, payload) => {
    assert.equal(payload.byteOffset, 0)
    assert.equal(payload.buffer.byteLength, payload.byteLength)
  })
  reader.push(framed(Buffer.from('a'), Buffer.from('bc')))
})

test('a length that cannot be right breaks the stream instead of eating memory', () => {
  assert.throws(() => readAll([Buffer.from([0xff, 0xff, 0xff, 0xff, 1])]), CrawlerError)
  assert.throws(() => readAll([Buffer.from([0, 0, 0, 0, 1])]), CrawlerError)
})
