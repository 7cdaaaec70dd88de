import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStorage } from '../../../test/support/memory-storage.ts'
import { FencedOut, type FrontierStorage, type Ownership, RowsLost } from '../storage.ts'
import type { OwnedPartition } from './owned-partition.ts'
import { OwnedPartitions } from './owned-partitions.ts'

/** Two partitions without rows. */
async function stage(
  change: (storage: FrontierStorage) => void = () => {},
  opening: (ownership: Ownership) => Promise<void> = async () => {},
) {
  const storage = createMemoryStorage()
  await storage.divide({ id: 1, salt: 1 }, 2)
  change(storage)
  const [lost, closed]: [number[], number[]] = [[], []]
  const owned = new OwnedPartitions({
    ...{ storage, crawlId: 1, owner: 'me', leaseMs: 10_000, roundMs: 0 },
    open: async (ownership) => {
      await opening(ownership)
      const { partition: number } = ownership
      const nothing = { saveAll: () => {}, begin: () => {}, takeBatch: () => null, summary: '' }
      const empty = { ...nothing, engine: { unsettled: 0 }, close: () => closed.push(number) }
      return { ...empty, ownership, number } as unknown as OwnedPartition
    },
    ...{ onOpened: () => {}, onLeaving: () => {}, onOthers: () => {} },
    onClosed: ({ number }) => lost.push(number),
  })
  const numbers = () => [...owned.all].map(({ number }) => number).sort()
  return { storage, owned, lost, closed, numbers, [Symbol.dispose]: () => owned.abandon() }
}

test('a partition that is lost while its inbox is read is given up, and the others stay', async () => {
  using at = await stage((storage) => {
    storage.inbox = async (ownership) => {
      if (ownership.partition === 0) throw new FencedOut(ownership)
      return []
    }
  })
  await at.owned.start()
  at.owned.check()
  assert.deepEqual([at.lost, at.numbers()], [[0], [1]])
})

test('a report from before a claim takes nothing away', async () => {
  using at = await stage()
  const before = await at.storage.report(1, 'me', 10_000)
  await at.owned.start()
  assert.deepEqual(at.numbers(), [0, 1])
  at.storage.report = async () => before
  await at.owned.membership.report()
  assert.deepEqual([at.lost, at.numbers()], [[], [0, 1]])
})

test('a partition that a report shows with a later owner is given up', async () => {
  using at = await stage()
  await at.owned.start()
  const { partitions, ...view } = await at.storage.view(1)
  const [first, ...rest] = partitions
  assert.ok(first !== undefined)
  at.storage.report = async () => ({
    ...{ ...view, owners: ['me', 'other'] },
    partitions: [{ ...first, owner: 'other', epoch: first.epoch + 1 }, ...rest],
  })
  await at.owned.membership.report()
  assert.deepEqual([at.lost, at.numbers()], [[0], [1]])
})

test('a claim that the storage forgot is rebuilt', async () => {
  let opened = 0
  using at = await stage(undefined, async (ownership) => {
    opened += 1
    if (opened === 1) throw new RowsLost(ownership)
  })
  await at.owned.start()
  assert.equal(at.owned.size, 1)
  await at.owned.membership.report()
  await at.owned[Symbol.asyncDispose]()
  at.owned.check()
  assert.deepEqual([opened, at.closed.toSorted()], [3, [0, 1]])
})

test('a program that was started again in its old name takes all that has this name, then gives back its surplus', async () => {
  using at = await stage()
  await at.storage.report(1, 'me', 10_000)
  for (const partition of [0, 1]) await at.storage.claim(1, partition, 'me')
  await at.storage.report(1, 'other', 10_000)
  await at.owned.start()
  assert.deepEqual(at.numbers(), [0, 1])
  await at.owned.membership.report()
  await until(async () => (await at.storage.view(1)).partitions[1]?.owner === '')
  at.owned.check()
  assert.deepEqual(at.numbers(), [0])
})

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((done) => setImmediate(done))
}

test('a partition that is loaded when its program has given up is closed', async () => {
  const loading = Promise.withResolvers<void>()
  const at = await stage(undefined, () => loading.promise)
  const starting = at.owned.start()
  await new Promise((done) => setImmediate(done))
  at.owned.abandon()
  loading.resolve()
  await starting
  assert.deepEqual([at.closed, at.owned.size], [[0], 0])
})
