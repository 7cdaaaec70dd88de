import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SegmentReader, type SegmentSource } from './segment-reader.ts'
import { PIECE } from './segment-writer.ts'

test('bytes that begin in one piece and end in the next are read once', () => {
  const read: number[] = []
  const source: SegmentSource = {
    piece(_, nth) {
      read.push(nth)
      return new Uint8Array(PIECE).fill(nth)
    },
    blockAt: () => null,
    blocksAfter: () => [],
  }
  const reader = new SegmentReader(source)
  for (const _ of [1, 2]) assert.deepEqual([...reader.read(1, PIECE - 1, 3)], [0, 1, 1])
  assert.deepEqual(read, [0, 1])
})
