// Who may write a partition: division, claims, the fence, and what programs see of each other.
import assert from 'node:assert/strict'
import { FencedOut, type Ownership } from '../../../src/frontier/storage.ts'
import {
  batchOf,
  begun,
  claimed,
  divided,
  isFencedOut,
  jobOf,
  LONG_MS,
  loadedIds,
  type Promise_,
  rowsBatch,
  SHORT_MS,
  urlRow,
  write,
} from './rig.ts'

export function ownershipPromises(promise: Promise_): void {
  division(promise)
  claims(promise)
  fence(promise)
  view(promise)
}

function division(promise: Promise_): void {
  promise('a frontier is divided once, its partitions stay as many', async ({ storage, open }) => {
    assert.equal(await storage.partitionsOf(7), 0)
    assert.equal(await storage.divide(jobOf(7), 3), 3)
    await using other = await open()
    assert.equal(await other.divide(jobOf(7), 5), 3)
    assert.equal(await other.partitionsOf(7), 3)
    assert.equal(await other.partitionsOf(8), 0)
  })

  promise('of many that divide a frontier at once, all get the same', async ({ open }) => {
    await using stack = new AsyncDisposableStack()
    const programs = []
    for (let nth = 0; nth < 6; nth++) programs.push(stack.use(await open()))
    const counts = await Promise.all(
      programs.map((program, nth) => program.divide(jobOf(7), nth + 2)),
    )
    assert.equal(new Set(counts).size, 1, String(counts))
    assert.equal(await programs[0]!.partitionsOf(7), counts[0])
  })

  promise('rows of another crawl with the same number are refused', async ({ storage }) => {
    const own = await begun(storage)
    await write(storage, own, rowsBatch('url', [urlRow(1)]))
    await assert.rejects(storage.divide(jobOf(7, { salt: 1 }), 2), { code: 'store-damaged' })
    assert.deepEqual(await loadedIds(storage, own), [1])
  })

  promise('a discarded frontier is gone, and may be divided anew', async ({ storage }) => {
    const own = await begun(storage)
    await storage.divide(jobOf(8), 2)
    await storage.report(8, 'a', LONG_MS)
    const other = await storage.claim(8, 0, 'a')
    await write(storage, other!, rowsBatch('url', [urlRow(5)]))
    const message = { from: 0, to: 1, number: 1, body: Uint8Array.of(1) }
    const changes = rowsBatch('url', [urlRow(1)]).changes
    await write(storage, own, batchOf({ changes, messages: [message], summary: 'old' }))
    await storage.discard(7)
    assert.equal(await storage.partitionsOf(7), 0)
    assert.equal(await storage.states(jobOf(7)), null)
    await isFencedOut(write(storage, own, rowsBatch('url', [urlRow(2)])))

    assert.equal(await storage.divide(jobOf(7, { salt: 5 }), 3), 3)
    const again = await claimed(storage, 0, 'b')
    assert.equal(again.wasReleased, true)
    assert.deepEqual(await loadedIds(storage, again), [])
    const { owners, partitions } = await storage.report(7, 'b', LONG_MS)
    assert.deepEqual(owners, ['b'])
    assert.deepEqual(
      partitions.map(({ summary, messages }) => [summary, messages]),
      [['', 0], ['', 0], ['', 0]], // biome-ignore format: one line
    )
    assert.deepEqual(await loadedIds(storage, other!), [5])
  })
}

function claims(promise: Promise_): void {
  promise('a free partition goes to one of those that claim it at once', async ({ open }) => {
    await using stack = new AsyncDisposableStack()
    const programs = []
    for (let nth = 0; nth < 4; nth++) programs.push(stack.use(await open()))
    await divided(programs[0]!)
    const owners = programs.map((_, nth) => `program ${nth}`)
    for (const [nth, owner] of owners.entries()) await programs[nth]!.report(7, owner, LONG_MS)
    const claims = await Promise.all(
      programs.map((program, nth) => program.claim(7, 0, owners[nth]!)),
    )
    const [won, ...others] = claims.filter((claim) => claim !== null)
    assert.deepEqual(others, [])
    const { owner, epoch, ...rest } = won!
    assert.deepEqual(rest, { crawlId: 7, partition: 0, wasReleased: true })
    assert.ok(epoch >= 1)
    assert.ok(owners.includes(owner))
  })

  promise('who has not reported, or whose report is too old, gets nothing', async (rig) => {
    const { storage } = rig
    await divided(storage)
    assert.equal(await storage.claim(7, 0, 'a'), null)
    await storage.report(7, 'a', SHORT_MS)
    await rig.pass(2 * SHORT_MS)
    assert.equal(await storage.claim(7, 0, 'a'), null)
    await claimed(storage)
  })

  promise('there is nothing to claim beyond the partitions of a crawl', async ({ storage }) => {
    await divided(storage)
    await storage.report(7, 'a', LONG_MS)
    assert.equal(await storage.claim(7, 2, 'a'), null)
    await storage.report(9, 'a', LONG_MS)
    assert.equal(await storage.claim(9, 0, 'a'), null)
  })

  promise('an owner that keeps reporting keeps its partitions', async ({ storage, pass }) => {
    await divided(storage)
    await storage.report(7, 'b', LONG_MS)
    await storage.report(7, 'a', SHORT_MS)
    await claimed(storage)
    await pass(2 * SHORT_MS)
    assert.equal(await storage.claim(7, 0, 'b'), null)
  })

  promise('a partition that nobody renewed goes to the next, with the next epoch', async (rig) => {
    const { storage } = rig
    await divided(storage)
    await storage.report(7, 'b', LONG_MS)
    const own = await claimed(storage)
    await storage.report(7, 'a', SHORT_MS)
    await rig.pass(2 * SHORT_MS)
    const next = await storage.claim(7, 0, 'b')
    assert.ok(next!.epoch > own.epoch)
    assert.equal(next?.wasReleased, false)
  })

  promise('a late owner whose partition nobody took keeps it', async ({ storage, pass }) => {
    await divided(storage)
    const own = await claimed(storage)
    await storage.report(7, 'a', SHORT_MS)
    await pass(2 * SHORT_MS)
    await write(storage, own, rowsBatch('url', [urlRow(1)]))
    await storage.report(7, 'a', LONG_MS)
    await storage.report(7, 'b', LONG_MS)
    assert.equal(await storage.claim(7, 0, 'b'), null)
    await write(storage, own, rowsBatch('url', [urlRow(2)]))
    assert.deepEqual(await loadedIds(storage, own), [1, 2])
  })

  promise('an owner that claims again gets the next epoch', async ({ storage }) => {
    const own = await begun(storage)
    const again = await storage.claim(7, 0, 'a')
    assert.ok(again!.epoch > own.epoch)
    await isFencedOut(write(storage, own, rowsBatch('url', [urlRow(1)])))
    await write(storage, again!, rowsBatch('url', [urlRow(2)]))
    assert.deepEqual(await loadedIds(storage, again!), [2])
  })

  promise('a released partition is free at once, and known to be released', async (rig) => {
    const { storage } = rig
    const own = await begun(storage)
    await write(storage, own, rowsBatch('url', [urlRow(1)]))
    await storage.release(own)
    await isFencedOut(write(storage, own, rowsBatch('url', [urlRow(2)])))
    const next = await claimed(storage, 0, 'b')
    assert.ok(next.epoch > own.epoch)
    assert.equal(next.wasReleased, true)
    assert.deepEqual(await loadedIds(storage, next), [1])
  })

  promise('a release that comes too late takes nothing from the next owner', async (rig) => {
    const { storage } = rig
    const own = await begun(storage)
    await storage.leave(7, 'a')
    const next = await claimed(storage, 0, 'b')
    await storage.release(own)
    await write(storage, next, rowsBatch('url', [urlRow(1)]))
    await storage.report(7, 'c', LONG_MS)
    assert.equal(await storage.claim(7, 0, 'c'), null)
  })

  promise('who leaves gives everything free at once, but not as released', async ({ storage }) => {
    const own = await begun(storage)
    await storage.leave(7, 'a')
    assert.deepEqual((await storage.report(7, 'b', LONG_MS)).owners, ['b'])
    const next = await claimed(storage, 0, 'b')
    assert.equal(next.wasReleased, false)
    assert.ok(next.epoch > own.epoch)
  })
}

function fence(promise: Promise_): void {
  promise('a late write of an old owner changes nothing at all', async ({ storage, open }) => {
    await using late = await open()
    const old = await begun(late)
    const rows = [urlRow(1), urlRow(2)]
    const messages = [{ from: 1, to: 0, number: 1, body: Uint8Array.of(1) }]
    const other = await claimed(storage, 1, 'b')
    await write(storage, other, batchOf({ messages }))
    await write(late, old, batchOf({ ...rowsBatch('url', rows), summary: 'old' }))

    await late.leave(7, 'a')
    const next = await claimed(storage, 0, 'c')
    const lateBatch = batchOf({
      changes: [
        { table: 'url', rows: [urlRow(1, { state: 6 }), urlRow(3)], dropped: [[2]] },
        { table: 'sent', rows: [[1, 1]], dropped: [] },
      ],
      messages: [{ from: 0, to: 1, number: 1, body: Uint8Array.of(2) }],
      taken: new Map([[1, 1]]),
      summary: 'late',
    })
    await isFencedOut(write(late, old, lateBatch))
    await isFencedOut(write(late, old, batchOf()))

    const tables = [...(await collected(storage.load(next)))]
    assert.deepEqual(tables, [['url', rows]])
    assert.equal((await storage.inbox(next, 10)).length, 1)
    const { partitions } = await storage.report(7, 'c', LONG_MS)
    assert.deepEqual(
      partitions.map(({ summary, messages }) => [summary, messages]),
      [['old', 1], ['', 0]], // biome-ignore format: one line
    )
  })

  promise('batches of several partitions are written in one call', async ({ storage }) => {
    await divided(storage, 3)
    const all: Ownership[] = []
    for (const partition of [0, 1, 2]) all.push(await claimed(storage, partition))
    const batches = all.map((ownership, nth) => ({
      ownership,
      ...rowsBatch('url', [urlRow(1), urlRow(nth + 5)]),
    }))
    await storage.write(batches)
    await storage.write([])
    for (const [nth, own] of all.entries()) {
      assert.deepEqual(await loadedIds(storage, own), [1, nth + 5])
    }
  })

  promise('a partition that was lost takes no other along', async ({ storage }) => {
    const old = await begun(storage)
    const own = await claimed(storage, 1)
    const next = await storage.claim(7, 0, 'a')
    const lost = { ownership: old, ...rowsBatch('url', [urlRow(1)]) }
    const kept = { ownership: own, ...rowsBatch('url', [urlRow(2)]) }
    for (const batches of [
      [kept, lost],
      [lost, kept],
    ]) {
      await assert.rejects(storage.write(batches), (error) => {
        assert.ok(error instanceof FencedOut)
        assert.deepEqual(error.ownership, old)
        return true
      })
    }
    await storage.write([kept])
    assert.deepEqual(await loadedIds(storage, own), [2])
    assert.deepEqual(await loadedIds(storage, next!), [])
  })

  promise('epochs of one partition are those of no other', async ({ storage }) => {
    const first = await begun(storage)
    await storage.claim(7, 0, 'a')
    const second = await claimed(storage, 1)
    await isFencedOut(write(storage, first, batchOf()))
    await write(storage, second, batchOf())
  })
}

function view(promise: Promise_): void {
  promise('a report shows owners, epochs, summaries and the clock', async ({ storage, pass }) => {
    await divided(storage, 3)
    await storage.report(7, 'zoe', LONG_MS)
    const own = await claimed(storage, 1, 'bob')
    await write(storage, own, batchOf({ summary: '{"open":3}' }))
    await write(storage, own, batchOf())
    await storage.report(7, 'ann', SHORT_MS)
    const ann = await storage.claim(7, 2, 'ann')
    await storage.report(8, 'eve', LONG_MS)
    const before = await storage.report(7, 'zoe', LONG_MS)
    await pass(2 * SHORT_MS)
    const after = await storage.report(7, 'zoe', LONG_MS)
    assert.ok(after.now >= before.now + 2 * SHORT_MS)
    assert.deepEqual(after.owners, ['bob', 'zoe'])
    const owned = {
      partition: 1,
      owner: 'bob',
      epoch: own.epoch,
      summary: '{"open":3}',
      messages: 0,
    }
    const free = { owner: '', summary: '', messages: 0 }
    assert.deepEqual(after.partitions, [
      { partition: 0, epoch: 0, ...free },
      owned,
      { partition: 2, epoch: ann?.epoch ?? 0, ...free },
    ])
  })

  promise('a summary stays when its owner is gone', async ({ storage }) => {
    const own = await begun(storage)
    await write(storage, own, batchOf({ summary: 'done' }))
    await storage.release(own)
    await storage.leave(7, 'a')
    const { partitions } = await storage.report(7, 'b', LONG_MS)
    assert.equal(partitions[0]?.summary, 'done')
    assert.equal(partitions[0]?.owner, '')
  })
}

async function collected<T extends { table: string; rows: readonly unknown[] }>(
  chunks: AsyncIterable<T>,
): Promise<Map<string, unknown[]>> {
  const all = new Map<string, unknown[]>()
  for await (const { table, rows } of chunks) all.set(table, [...(all.get(table) ?? []), ...rows])
  return all
}
