import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SimulatedTime } from '../../../test/support/simulated-time.ts'
import { type Batch, FencedOut, type Message, type Ownership, RowsLost } from '../storage.ts'
import { PartitionWriter } from './partition-writer.ts'

function ownershipOf(partition: number): Ownership {
  return { crawlId: 1, partition, owner: 'a', epoch: 1, wasReleased: true }
}

/** A partition whose changes are a number, and a storage that notes what it is given. */
function stage(options: { readonly lost?: number; readonly failing?: Error } = {}) {
  const changed = new Map<number, number>()
  const written: string[][] = []
  const lost: number[] = []
  const delivered: Message[] = []
  const gates: (() => void)[] = []
  const partitions = [0, 1].map((partition) => ({
    takeBatch: (): Batch | null => {
      const summary = changed.get(partition)
      changed.delete(partition)
      if (summary === undefined || lost.includes(partition)) return null
      const body = new Uint8Array([summary])
      const messages = [{ from: partition, to: 1 - partition, number: summary, body }]
      const ownership = ownershipOf(partition)
      return { ownership, changes: [], messages, taken: new Map(), summary: `${summary}` }
    },
  }))
  const writer = new PartitionWriter({
    storage: {
      write: async (batches) => {
        await new Promise<void>((done) => gates.push(done))
        if (options.failing !== undefined) throw options.failing
        const fenced = batches.find(({ ownership }) => ownership.partition === options.lost)
        if (fenced !== undefined) throw new FencedOut(fenced.ownership)
        written.push(batches.map((batch) => `${batch.ownership.partition}:${batch.summary}`))
      },
    },
    partitions: () => partitions,
    onLost: ({ ownership }) => lost.push(ownership.partition),
    onWritten: (batches) => delivered.push(...batches.flatMap(({ messages }) => messages)),
    roundMs: 0,
  })
  /** Lets writes that have begun, and those they cause, go through. */
  const release = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) {
      for (const gate of gates.splice(0)) gate()
      await new Promise((done) => setImmediate(done))
    }
  }
  return { changed, written, lost, delivered, writer, release }
}

test('changes that come while a round is on its way share the next one', async () => {
  const { changed, written, writer, release } = stage()
  changed.set(0, 1)
  const first = writer.commit()
  await new Promise((done) => setImmediate(done))
  changed.set(0, 2)
  const second = writer.commit()
  changed.set(1, 3)
  const third = writer.commit()
  await release()
  await Promise.all([first, second, third])
  assert.deepEqual(written, [['0:1'], ['0:2', '1:3']])
})

test('a commit without changes writes nothing', async () => {
  const { written, writer } = stage()
  await writer.commit()
  assert.deepEqual(written, [])
})

test('a partition that is lost takes nothing from the others', async () => {
  const { changed, written, lost, delivered, writer, release } = stage({ lost: 0 })
  changed.set(0, 1).set(1, 2)
  const done = writer.commit()
  await release()
  await done
  assert.deepEqual(written, [['1:2']])
  assert.deepEqual(lost, [0])
  assert.deepEqual(
    delivered.map(({ from }) => from),
    [1],
  )
})

test('after a write that failed, every commit fails', async () => {
  const { changed, writer, release, delivered } = stage({ failing: new Error('no disk') })
  changed.set(0, 1)
  const first = writer.commit()
  const failing = assert.rejects(first, /no disk/)
  await release()
  await failing
  await assert.rejects(writer.commit(), /no disk/)
  assert.deepEqual(delivered, [])
})

test('a storage that lost rows gets all of them, with what has changed meanwhile', async () => {
  const ownership = ownershipOf(0)
  const batchOf = (number: number): Batch => {
    const messages = [{ from: 0, to: 1, number, body: new Uint8Array() }]
    return { ownership, changes: [], messages, taken: new Map(), summary: `${number}` }
  }
  let [changed, times] = [1, 0]
  const written: string[] = []
  const delivered: number[] = []
  const writer = new PartitionWriter({
    storage: {
      write: async () => {
        throw new RowsLost(ownership)
      },
      restore: async (_, rows, last) => {
        for await (const { table } of rows) written.push(table)
        const batches = last?.() ?? []
        // Once more, while they are written.
        if (times++ === 0) throw new RowsLost(ownership)
        written.push(...batches.map(({ summary }) => `${summary}`))
      },
    },
    partitions: () => [
      {
        ownership,
        takeBatch: () => (changed > 3 ? null : batchOf(changed++)),
        async *allRows() {
          yield { table: 'url', rows: [] }
        },
      },
    ],
    onLost: () => assert.fail('not lost'),
    onWritten: (batches) => {
      for (const { messages } of batches) delivered.push(...messages.map(({ number }) => number))
    },
    roundMs: 0,
  })
  await writer.commit()
  assert.deepEqual(written, ['url', 'url', '1', '2', '3'])
  assert.deepEqual(delivered, [1, 2, 3])
  writer.restore(ownership)
  await writer.commit()
  assert.deepEqual(written.slice(5), ['url'])
})

test('a partition that is lost while its rows are written again ends no program', async () => {
  const ownership = ownershipOf(0)
  let isOpen = true
  const owned = {
    ownership,
    takeBatch: () => (isOpen ? null : assert.fail('its rows are closed')),
    async *allRows() {
      yield { table: 'url', rows: [] } as const
      // Another report shows that it has a new owner.
      isOpen = false
      throw new Error('the database is not open')
    },
  }
  const writer = new PartitionWriter({
    storage: {
      write: async () => {},
      restore: async (_, rows) => {
        for await (const { table } of rows) assert.equal(table, 'url')
      },
    },
    partitions: () => (isOpen ? [owned] : []),
    onLost: () => assert.fail('it is known'),
    onWritten: () => assert.fail('nothing was written'),
    roundMs: 0,
  })
  writer.restore(ownership)
  await writer.commit()
  await writer.commit()
})

/** When rounds begin. There is always something to write. */
function rounds(isBusy: () => boolean) {
  const time = new SimulatedTime()
  const beganAt: number[] = []
  const batch = { ownership: ownershipOf(0), changes: [], messages: [], taken: new Map() }
  const writer = new PartitionWriter({
    storage: { write: async () => void beganAt.push(time.steadyMs()) },
    partitions: () => [{ takeBatch: () => ({ ...batch, summary: '' }) }],
    onLost: () => assert.fail('nothing is lost'),
    onWritten: () => {},
    ...{ roundMs: 50, busyRoundMs: 250, isBusy, timers: time },
  })
  return { time, beganAt, writer }
}

test('while a crawl has other work, rounds begin further apart', async () => {
  let isBusy = true
  const { time, beganAt, writer } = rounds(() => isBusy)
  await time.until(writer.commit())
  await time.until(writer.commit())
  const third = writer.commit()
  await time.pass(30)
  isBusy = false
  await time.until(third)
  await time.until(writer.commit())
  await time.until(writer.commit({ isUrgent: true }))
  assert.deepEqual(beganAt, [0, 250, 350, 400, 400])
})

test('a round that others wait for begins at once if somebody is in a hurry', async () => {
  const { time, beganAt, writer } = rounds(() => true)
  await time.until(writer.commit())
  const second = writer.commit()
  await time.pass(30)
  await time.until(writer.commit({ isUrgent: true }))
  await time.until(second)
  await time.until(writer.commit())
  assert.deepEqual(beganAt, [0, 30, 280])
})
