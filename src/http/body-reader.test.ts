import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BodyReader, BodyRoom, DRAIN_BYTES } from './body-reader.ts'

type Case = readonly [
  what: string,
  wanted: number,
  length: number | null,
  chunks: readonly number[],
  expected: { kept: number; truncated: boolean; overfull: boolean },
]

const CASES: readonly Case[] = [
  ['whole', 10, 10, [4, 6], { kept: 10, truncated: false, overfull: false }],
  ['whole, of unknown length', 10, null, [10], { kept: 10, truncated: false, overfull: false }],
  ['a little too long', 10, 15, [4, 11], { kept: 10, truncated: true, overfull: false }],
  ['far too long', 10, 99_999, [4, 11], { kept: 10, truncated: true, overfull: true }],
  ['far too long, not there yet', 10, 99_999, [4], { kept: 4, truncated: false, overfull: false }],
  ['too long by nobody knows what', 10, null, [11], { kept: 10, truncated: true, overfull: true }],
  ['unwanted and small', 0, 100, [60], { kept: 0, truncated: false, overfull: false }],
  ['unwanted and large', 0, DRAIN_BYTES + 1, [], { kept: 0, truncated: false, overfull: true }],
  ['unwanted, of unknown length', 0, null, [99], { kept: 0, truncated: false, overfull: false }],
  [
    'unwanted and without end',
    0,
    null,
    [DRAIN_BYTES, 1],
    { kept: 0, truncated: false, overfull: true },
  ],
]

for (const [what, wanted, length, chunks, expected] of CASES) {
  test(`a body that is ${what}`, () => {
    const intake = new BodyReader(wanted, length)
    for (const size of chunks) intake.add(new Uint8Array(size))
    const kept = intake.body.reduce((sum, chunk) => sum + chunk.length, 0)
    const { truncated, overfull } = intake
    assert.deepEqual({ kept, truncated, overfull }, expected)
  })
}

const filled = (intake: BodyReader, ...sizes: readonly number[]): number => {
  for (const size of sizes) intake.add(new Uint8Array(size))
  return intake.body.reduce((sum, chunk) => sum + chunk.length, 0)
}

test('a long body takes of the common room, and gives it back', () => {
  const room = new BodyRoom(50)
  const share = { sure: 10, isEnough: true, room }
  const one = new BodyReader(100, null, share)
  assert.deepEqual([filled(one, 8, 30), one.truncated], [38, false])
  const other = new BodyReader(100, null, share)
  assert.deepEqual([filled(other, 9, 40), other.truncated], [10, true])
  one.release()
  const third = new BodyReader(100, null, share)
  assert.deepEqual([filled(third, 60), third.truncated], [60, false])
})

test('a page whose text is there does without the rest, a sitemap does not', () => {
  const room = new BodyRoom()
  for (const isEnough of [true, false]) {
    const intake = new BodyReader(100, null, { sure: 10, isEnough, room })
    filled(intake, 9)
    assert.equal(intake.suffices, false)
    filled(intake, 5)
    assert.equal(intake.suffices, isEnough)
    intake.cutHere()
    assert.equal(intake.truncated, true)
  }
})
