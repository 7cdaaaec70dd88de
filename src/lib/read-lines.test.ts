import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readLines } from './read-lines.ts'

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
