import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { CrawlerError } from '../core/errors.ts'
import {
  Connection,
  connectTo,
  FRAME_TYPES,
  FrameReader,
  framesOf,
  sendFrame,
} from './connection.ts'

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

test('frames that were put together read as those that were sent one by one', () => {
  const payloads = [[Buffer.from('one'), Buffer.from('two')], [], [Buffer.from('three')]]
  const frames = framesOf(FRAME_TYPES.receipt, payloads)
  assert.deepEqual(readAll([frames]), ['4:onetwo', '4:', '4:three'])
})

test('what is sent right before the end of a connection arrives', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-wire-'))
  const path = join(folder, 'wire.sock')
  const got: string[] = []
  const over = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    const connection = new Connection(socket, { onFrame: () => {}, onClose: () => {} })
    connection.send(FRAME_TYPES.settled, Buffer.from('last'))
    connection.destroy()
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  await connectTo(path, {
    onFrame: (type, payload) => got.push(`${type}:${Buffer.from(payload)}`),
    onClose: () => over.resolve(),
  })
  await over.promise
  server.close()
  rmSync(folder, { recursive: true })
  assert.deepEqual(got, ['5:last'])
})
