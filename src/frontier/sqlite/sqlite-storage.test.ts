// Rows in files of a folder, and a frontier whose engines work on these files directly.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import {
  type FrontierFixture,
  keptFrontierContract,
} from '../../../test/contract/frontier.contract.ts'
import {
  batchOf,
  claimed,
  divided,
  LONG_MS,
  write,
} from '../../../test/contract/frontier-storage/rig.ts'
import { frontierStorageContract } from '../../../test/contract/frontier-storage.contract.ts'
import type { Job } from '../../core/job.ts'
import { ManualClock } from '../../lib/clock.ts'
import type { Scorer } from '../../ordering/ordering.ts'
import { beginPartitionedRecrawl } from '../partitions/begin-recrawl.ts'
import { whyUndivided } from '../partitions/partition-of.ts'
import {
  openPartitionedFrontier,
  type PartitionedFrontier,
} from '../partitions/partitioned-frontier.ts'
import { SqliteStorage } from './sqlite-storage.ts'

frontierStorageContract('sqlite', async () => {
  const clock = new ManualClock()
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-storage-'))
  return {
    open: async () => {
      const storage = new SqliteStorage({
        folderOf: (crawlId) => join(folder, `frontier-${crawlId}`),
        now: () => clock.now(),
      })
      return Object.assign(storage, {
        [Symbol.asyncDispose]: async () => storage[Symbol.dispose](),
      })
    },
    pass: async (ms) => clock.advance(ms),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
  }
})

const OWNER = 'scouter-1'

/** Each opening is another program of the same name. */
async function openFixture(): Promise<FrontierFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-partitions-'))
  const open: (PartitionedFrontier | SqliteStorage)[] = []
  const begin = async (job: Job, scorer: Scorer) => {
    const storage = new SqliteStorage({ folderOf: (id) => join(folder, `frontier-${id}`) })
    open.push(storage)
    const partitions = await storage.divide(job, whyUndivided({ job, scorer }) === null ? 3 : 1)
    const fixture = { storage, partitions, owner: OWNER, leaseMs: 60_000 }
    return { ...fixture, openCopy: storage.openRows.bind(storage) }
  }
  const crash = () => {
    for (const one of open.splice(0)) {
      if (one instanceof SqliteStorage) one[Symbol.dispose]()
      else one.abandon()
    }
  }
  return {
    open: async (setup) => {
      const fixture = await begin(setup.job, setup.scorer)
      const frontier = await openPartitionedFrontier({ ...setup, ...fixture, roundMs: 0 })
      open.unshift(frontier)
      return frontier
    },
    urlStates: async (job) => {
      const states = await new SqliteStorage({
        folderOf: (id) => join(folder, `frontier-${id}`),
      }).states(job)
      if (states === null) throw new Error('nothing is there')
      return states
    },
    divided: true,
    beginRecrawl: async (recrawl) =>
      beginPartitionedRecrawl(await begin(recrawl.job, { score: () => 0 }), recrawl),
    crash: async () => crash(),
    [Symbol.asyncDispose]: async () => {
      crash()
      rmSync(folder, { recursive: true })
    },
  }
}

keptFrontierContract('three files', openFixture)

test('a division that makes no sense is damaged, and what to do is said', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-division-'))
  mkdirSync(join(folder, 'frontier-1'))
  const storage = new SqliteStorage({ folderOf: () => join(folder, 'frontier-1') })
  for (const text of [
    '',
    '{"salt":1}',
    '{"salt":1,"partitions":-3}',
    '{"salt":1,"partitions":1e10}',
  ]) {
    writeFileSync(join(folder, 'frontier-1', 'division.json'), text)
    await assert.rejects(storage.partitionsOf(1), /is damaged: .*--rebuild-frontier/, text)
  }
  rmSync(folder, { recursive: true })
})

test('a message is deleted only when its receiver is on the disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-messages-'))
  const clock = new ManualClock()
  const open = () => new SqliteStorage({ folderOf: () => folder, now: () => clock.now() })
  const storage = open()
  await divided(storage)
  const [sender, receiver] = [await claimed(storage, 0), await claimed(storage, 1)]
  /** The sender looks what it may delete, and writes a batch. Returns how many messages are left. */
  const look = async (by: SqliteStorage, summary: string): Promise<number> => {
    clock.advance(60_000)
    await by.report(7, 'a', LONG_MS).catch(() => {})
    await write(by, sender, batchOf({ summary }))
    using db = new DatabaseSync(join(folder, 'partition-0.db'), { readOnly: true })
    return db.prepare('SELECT 1 FROM outbox').all().length
  }
  const message = { from: 0, to: 1, number: 1, body: Uint8Array.of(1) }
  await write(storage, sender, batchOf({ messages: [message] }))
  assert.equal(await look(storage, 'one'), 1, 'nobody has taken it')
  await write(storage, receiver, batchOf({ taken: new Map([[0, 1]]) }))
  using blind = open()
  await write(blind, sender, batchOf({ summary: 'two' }))
  assert.equal((await blind.view(7)).partitions[1]?.messages, 0)
  const log = join(folder, 'partition-1.db-wal')
  renameSync(log, `${log}.away`)
  // A file that cannot be synced.
  symlinkSync('/dev/null', log)
  assert.equal(await look(blind, 'three'), 1, 'a power cut may take it back')
  rmSync(log)
  renameSync(`${log}.away`, log)
  assert.equal(await look(storage, 'four'), 0)
  storage[Symbol.dispose]()
  rmSync(folder, { recursive: true })
})
