import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlView } from '../storage.ts'
import { stepsOf } from './membership.ts'

function viewOf(owners: readonly string[], owned: readonly string[]): CrawlView {
  const partitions = owned.map((owner, partition) => ({
    ...{ partition, owner, epoch: 1, summary: '', messages: 0 },
  }))
  return { now: 0, owners, partitions }
}

test('a program that is alone claims everything', () => {
  assert.deepEqual(stepsOf(viewOf(['a'], ['', '', '']), 'a'), { claim: [0, 1, 2], release: [] })
})

test('a program that others do not see yet claims nothing', () => {
  assert.deepEqual(stepsOf(viewOf(['b'], ['', '']), 'a'), { claim: [], release: [] })
})

test('programs that start together claim different partitions', () => {
  const view = viewOf(['a', 'b', 'c'], Array(8).fill(''))
  const claims = ['a', 'b', 'c'].flatMap((owner) => stepsOf(view, owner).claim)
  assert.deepEqual(claims.toSorted(), [0, 1, 2, 3, 4, 5, 6, 7])
})

test('an owner releases what is above its quota when another joins, and no more', () => {
  const before = viewOf(['a', 'b'], Array(5).fill('a'))
  assert.deepEqual(stepsOf(before, 'a'), { claim: [], release: [3, 4] })
  assert.deepEqual(stepsOf(before, 'b'), { claim: [], release: [] })
  const after = viewOf(['a', 'b'], ['a', 'a', 'a', '', ''])
  assert.deepEqual(stepsOf(after, 'b').claim.toSorted(), [3, 4])
})

test('more programs than partitions leave some without any', () => {
  const view = viewOf(['a', 'b', 'c'], ['', ''])
  const claims = ['a', 'b', 'c'].map((owner) => stepsOf(view, owner).claim.length)
  assert.deepEqual(claims, [1, 1, 0])
})

test('from any beginning, all partitions have an owner with its quota after a few reports', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const owners = Array.from({ length: (seed % 5) + 1 }, (_, at) => `w${at}`)
    const owned = Array.from({ length: (seed * 7) % 17 || 1 }, (_, at) =>
      (seed * 31 + at * 17) % 3 === 0 ? '' : (owners[(seed + at * at) % owners.length] ?? ''),
    )
    for (let report = 0; report < 3; report += 1) {
      for (const owner of owners) {
        const { claim, release } = stepsOf(viewOf(owners, owned), owner)
        for (const partition of claim) owned[partition] = owner
        for (const partition of release) owned[partition] = ''
      }
    }
    const sizes = owners.map((owner) => owned.filter((one) => one === owner).length)
    assert.equal(owned.includes(''), false, `seed ${seed}`)
    assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1, `seed ${seed}: ${sizes}`)
  }
})
