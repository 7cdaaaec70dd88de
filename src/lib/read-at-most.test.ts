import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readAtMost } from './read-at-most.ts'

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
