import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlOf } from '../../../test/contract/frontier/rig.ts'
import { ManualClock } from '../../lib/clock.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { Partition } from '../engine/partition.ts'
import { openWorkingCopy } from '../sqlite/sqlite-rows.ts'
import type { Message } from '../storage.ts'
import { encodeMail } from './mail.ts'
import { OwnedPartition, takeChanges } from './owned-partition.ts'
import { UNOPENED } from './summary.ts'

/** A partition with real rows, whose engine only notes which duplicates it is told of. */
function stage() {
  const rows = openWorkingCopy()
  const told: string[] = []
  const settling = { restate: ({ url }: { readonly url: string }) => told.push(url) }
  const clock = new ManualClock()
  const parts = { settling, clock }
  const engine = { isIdle: false, change: (work: () => void) => rows.transaction(work), parts }
  const partition = new OwnedPartition({
    ownership: { crawlId: 1, partition: 0, owner: 'a', epoch: 1, wasReleased: true },
    ...{ rows, partition: engine as unknown as Partition, hashUrl: createUrlHasher(1) },
    onTurn: () => assert.fail('nobody asks for a turn'),
    summarise: () => ({ ...UNOPENED, isIdle: engine.isIdle }),
  })
  return { partition, told, clock, engine, [Symbol.dispose]: () => rows.close() }
}

function message(number: number): Message {
  const moved = [{ url: urlOf(`a.test/${number}`), of: null }]
  return { from: 1, to: 0, number, body: encodeMail({ kind: 'moved', moved }) }
}

test('messages of the inbox are taken over gaps between their numbers, each once', () => {
  using at = stage()
  at.partition.receive([message(1), message(4)], true)
  at.partition.receive([message(1), message(4), message(5)], true)
  assert.deepEqual(at.told, ['http://a.test/1', 'http://a.test/4', 'http://a.test/5'])
  assert.equal(at.partition.takenFrom(1), 5)
})

test('a message that is in the inbox again after it was taken is deleted once more', () => {
  using at = stage()
  at.partition.receive([message(1), message(2)], true)
  assert.deepEqual(at.partition.takeBatch()?.taken, new Map([[1, 2]]))
  // Its sender wrote it again, as it does when another partition of the same write was refused.
  at.partition.receive([message(1)], true)
  const again = at.partition.takeBatch()
  assert.deepEqual([again?.taken, again?.changes], [new Map([[1, 2]]), []])
  assert.equal(at.told.length, 2)
  assert.equal(at.partition.takeBatch(), null)
})

test('a message that did not come from the inbox waits if an earlier one may be there', () => {
  using at = stage()
  at.partition.receive([message(2)], false)
  assert.deepEqual([at.told, at.partition.takenFrom(1)], [[], 0])
  at.partition.receive([message(1), message(2)], true)
  at.partition.receive([message(3)], false)
  assert.deepEqual(at.told, ['http://a.test/1', 'http://a.test/2', 'http://a.test/3'])
})

test('a partition at work has a new summary twice a second, an idle one with every batch', () => {
  using at = stage()
  let number = 0
  const hasSummary = (): boolean => {
    at.partition.receive([message(++number)], true)
    const batch = at.partition.takeBatch()
    assert.ok(batch !== null && batch.changes.length > 0)
    return batch.summary !== null
  }
  assert.deepEqual([hasSummary(), hasSummary(), at.partition.isBehind], [true, false, true])
  at.clock.advance(500)
  assert.deepEqual([hasSummary(), at.partition.isBehind, hasSummary()], [true, false, false])
  at.engine.isIdle = true
  assert.deepEqual([hasSummary(), hasSummary(), at.partition.isBehind], [true, true, false])
  assert.equal(at.partition.takeBatch(), null)
  at.engine.isIdle = false
  assert.deepEqual([hasSummary(), hasSummary()], [true, false])
})

test('rows at hand are part of a batch as they are, and others are read', () => {
  using rows = disposable(openWorkingCopy())
  rows.transaction(() => {
    rows.taken.put({ fromPartition: 1, number: 5 })
    rows.taken.put({ fromPartition: 2, number: 6 })
    rows.taken.update(2, { number: 7 })
    rows.taken.put({ fromPartition: 3, number: 8 })
    rows.taken.drop(3)
  })
  assert.deepEqual(takeChanges(rows), [
    { table: 'taken', rows: [[1, 5], [2, 7]], dropped: [[3]] }, // biome-ignore format: one line
  ])
  assert.deepEqual(takeChanges(rows), [])
})

function disposable<T extends { close(): void }>(rows: T): T & Disposable {
  return Object.assign(rows, { [Symbol.dispose]: () => rows.close() })
}
