import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStorage } from '../memory/memory-storage.ts'
import { FencedOut } from '../storage.ts'
import type { OwnedPartition } from './owned-partition.ts'
import { OwnedPartitions } from './owned-partitions.ts'

test('a partition that is lost while its inbox is read is given up, and the others stay', async (t) => {
  const storage = createMemoryStorage()
  await storage.divide({ id: 1, salt: 1 }, 2)
  storage.inbox = async (ownership) => {
    if (ownership.partition === 0) throw new FencedOut(ownership)
    return []
  }
  const closed: number[] = []
  const owned = new OwnedPartitions({
    ...{ storage, crawlId: 1, owner: 'me', leaseMs: 10_000, roundMs: 0 },
    open: async (ownership) => {
      const empty = { takeBatch: () => null, close: () => {}, summary: '' }
      return { ...empty, ownership, number: ownership.partition } as unknown as OwnedPartition
    },
    ...{ onOpened: () => {}, onLeaving: () => {}, onOthers: () => {} },
    onClosed: ({ number }) => closed.push(number),
  })
  t.after(() => owned.abandon())
  await owned.start()
  owned.check()
  assert.deepEqual(closed, [0])
  assert.deepEqual(
    [...owned.all].map(({ number }) => number),
    [1],
  )
})
