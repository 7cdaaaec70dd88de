import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readAtMost, readLines } from './read-lines.ts'

async function linesOf(chunks: (string | Buffer)[], maxBytes = 100) {
  const lines: string[] = []
  for await (const { number, bytes, cut } of readLines(Readable.from(chunks), maxBytes)) {
    lines.push(`${number}:${bytes}${cut ? '…' : ''}`)
  }
  return lines
}

test('lines come whole wherever the stream was cut', async () => {
  const whole = ['1:one', '2:', '3:three']
  assert.deepEqual(await linesOf(['one\n\nthree']), whole)
  assert.deepEqual(await linesOf(['o', 'ne', '\n', '\nth', 'ree\n']), whole)
  assert.deepEqual(await linesOf(['one\r\n', '\r\nthree\r', '\n']), whole)
})

test('an empty stream has no line', async () => {
  assert.deepEqual(await linesOf([]), [])
  assert.deepEqual(await linesOf(['']), [])
})

test('a line that is too long is cut, and the next one is whole', async () => {
  const long = Array.from({ length: 50 }, () => 'x'.repeat(10))
  assert.deepEqual(await linesOf([...long, '\nshort'], 5), ['1:xxxxx…', '2:short'])
  assert.deepEqual(await linesOf(['12345\n'], 5), ['1:12345'])
})

test('a stream is read whole when it fits', async () => {
  const { bytes, truncated } = await readAtMost(Readable.from(['ab', Buffer.from('cd')]), 4)
  assert.deepEqual([bytes.toString(), truncated], ['abcd', false])
})

test('a stream without an end is cut and closed', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1000, 'x')
    })(),
  )
  const { bytes, truncated } = await readAtMost(endless, 2500)
  assert.deepEqual([bytes.byteLength, truncated, endless.destroyed], [2500, true, true])
})

test('a stream that breaks is an error', async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error('gone'))
    },
  })
  await assert.rejects(readAtMost(broken, 10), /gone/)
})
