import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summed } from './real-measures.ts'

test('memory of all processes is summed moment by moment, though they do not begin together', () => {
  const sample = (atMs: number, rssBytes: number) => ({ atMs, rssBytes, cpuMs: 0, heapBytes: 0 })
  const samples = {
    supervisor: [sample(250, 1e6), sample(500, 2e6), sample(750, 3e6)],
    scouter: [sample(500, 10e6)],
    parser: [sample(500, 100e6), sample(750, 200e6)],
  }
  assert.deepEqual(summed({ samples }), [1, 112, 203])
})
