// A Redis that forgets: its last moments, or everything. And batches that are cut short.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  batchOf,
  claimed,
  divided,
  isFencedOut,
  jobOf,
  LONG_MS,
  loaded,
  loadedIds,
  rowsBatch,
  urlRow,
  write,
} from '../../../test/contract/frontier-storage/rig.ts'
import { startRedis } from '../../../test/servers/redis.ts'
import { openRedis, type RedisConnection } from '../../db/redis.ts'
import { type Message, type Ownership, RowsLost, type RowsOfTable } from '../storage.ts'
import { createRedisStorage, type RedisStorage } from './redis-storage.ts'

const server = await startRedis()
const connection = await openRedis({ url: server.url, deadlineMs: 20_000 })
after(async () => {
  await connection[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function* of(...chunks: RowsOfTable[]): AsyncGenerator<RowsOfTable> {
  yield* chunks
}

async function* urls(first: number, last: number): AsyncGenerator<RowsOfTable> {
  for (let id = first; id <= last; id++) yield { table: 'url', rows: [urlRow(id)] }
}

/** Crawl 7 in two partitions, both owned by `a`. */
async function two(): Promise<[RedisStorage, Ownership, Ownership]> {
  await connection.call('FLUSHALL')
  const storage = createRedisStorage(connection)
  await divided(storage)
  return [storage, await claimed(storage, 0), await claimed(storage, 1)]
}

function message(number: number): Message {
  return { from: 0, to: 1, number, body: Uint8Array.of(number) }
}

async function isLost(work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => error instanceof RowsLost)
}

/** As it was at the last `SAVE`. */
async function rollBack(): Promise<void> {
  await server.stop('SIGKILL')
  await server.start()
}

/** Its server does what it is asked, but the nth answer to a batch never comes. */
function breakingAt(nth: number): RedisConnection {
  let batches = 0
  const run: RedisConnection['run'] = async (script, keys, args) => {
    const answer = await connection.run(script, keys, args)
    if (typeof script === 'object' && script.name === 'frontier/write' && ++batches === nth) {
      throw new Error('no answer')
    }
    return answer
  }
  return new Proxy(connection, {
    get: (target, name) => {
      const value: unknown = name === 'run' ? run : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test('an owner gives a server that was emptied all its rows again', async () => {
  const [storage, first, second] = await two()
  const messages = [message(1), message(2)]
  await write(storage, first, batchOf({ ...rowsBatch('url', [urlRow(1)]), messages, summary: 'S' }))
  await write(storage, second, batchOf({ taken: new Map([[0, 1]]) }))
  await storage.report(7, 'a', LONG_MS)
  await connection.call('FLUSHALL')

  const { partitions } = await storage.report(7, 'a', LONG_MS)
  assert.deepEqual(partitions.map(({ lost }) => lost), [true, true]) // biome-ignore format: one line
  const other = createRedisStorage(connection)
  await other.report(7, 'b', LONG_MS)
  assert.equal(await other.claim(7, 0, 'b'), null)
  const refused = rowsBatch('url', [urlRow(2)])
  await isLost(write(storage, first, refused))

  await storage.restore(first, urls(1, 2))
  await storage.restore(second, of())
  await write(storage, first, refused)
  assert.deepEqual((await storage.inbox(second, 9)).map(({ number }) => number), [2]) // biome-ignore format: one line
  const view = await storage.report(7, 'a', LONG_MS)
  assert.deepEqual(
    view.partitions.map(({ lost, summary, messages: waiting }) => [lost, summary, waiting]),
    [[undefined, 'S', 0], [undefined, '', 1]], // biome-ignore format: one line
  )
  await storage.release(first)
  const next = await claimed(other, 0, 'b')
  assert.ok(next.epoch > first.epoch)
  assert.deepEqual(await loadedIds(other, next), [1, 2])
  assert.equal((await (await other.states(jobOf(7)))?.find(urlRow(2)[2] as never))?.depth, 1)
})

test('an owner notices that the server went back to an earlier moment', async () => {
  const [storage, first] = await two()
  await write(storage, first, batchOf({ ...rowsBatch('url', [urlRow(1)]), messages: [message(1)] }))
  await connection.call('SAVE')
  const rows = [urlRow(1, { state: 2 }), urlRow(2)]
  await write(storage, first, batchOf({ ...rowsBatch('url', rows), messages: [message(2)] }))
  assert.equal((await storage.report(7, 'a', LONG_MS)).partitions[0]?.lost, undefined)
  await rollBack()
  const { partitions } = await storage.report(7, 'a', LONG_MS)
  assert.deepEqual(partitions.map(({ lost, messages }) => [lost, messages]), [[true, 0], [undefined, 1]]) // biome-ignore format: one line
  await isLost(write(storage, first, rowsBatch('url', [urlRow(3)])))
  assert.deepEqual(await storage.inbox(first, 9), [])
  await storage.restore(first, of({ table: 'url', rows: [...rows, urlRow(3)] }))
  assert.deepEqual((await loaded(storage, first)).get('url'), [...rows, urlRow(3)])
  assert.equal((await storage.report(7, 'a', LONG_MS)).partitions[1]?.messages, 2)
})

test('an owner whose claim the server forgot keeps its rows, and its epoch comes never again', async () => {
  const [storage, old] = await two()
  await write(storage, old, rowsBatch('url', [urlRow(1)]))
  await connection.call('SAVE')
  const first = await storage.claim(7, 0, 'a')
  await write(storage, first!, rowsBatch('url', [urlRow(2)]))
  await rollBack()
  await isLost(write(storage, first!, rowsBatch('url', [urlRow(3)])))
  await storage.restore(first!, urls(1, 3))
  await isFencedOut(write(storage, old, batchOf()))
  assert.deepEqual(await loadedIds(storage, first!), [1, 2, 3])
  await storage.release(first!)
  assert.ok((await claimed(storage, 0, 'b')).epoch > first!.epoch)
})

test('numbers that a receiver has taken are not given to other messages', async () => {
  const [storage, first, second] = await two()
  await write(storage, first, batchOf({ ...rowsBatch('sent', [[1, 1]]), messages: [message(1)] }))
  await connection.call('SAVE')
  const more = [message(2), message(3)]
  await write(storage, first, batchOf({ ...rowsBatch('sent', [[1, 3]]), messages: more }))
  await write(storage, second, batchOf({ taken: new Map([[0, 3]]) }))
  await rollBack()
  // The owner of the first partition is gone with the server's last moments.
  await storage.restore(second, of())
  const other = createRedisStorage(connection)
  await other.leave(7, 'a')
  const next = await claimed(other, 0, 'b')
  assert.deepEqual((await loaded(other, next)).get('sent'), [[1, 3]])
})

test('messages that a lost receiver had taken are sent again', async () => {
  const [storage, first, second] = await two()
  await write(storage, second, batchOf())
  await connection.call('SAVE')
  await write(storage, first, batchOf({ messages: [message(1), message(2)] }))
  await write(storage, second, batchOf({ taken: new Map([[0, 2]]) }))
  await storage.report(7, 'a', LONG_MS)
  await rollBack()
  await storage.restore(first, of())
  const other = createRedisStorage(connection)
  await other.leave(7, 'a')
  const next = await claimed(other, 1, 'b')
  const numbers = (await other.inbox(next, 9)).map(({ number }) => number)
  assert.deepEqual(numbers, [1, 2])
})

test('rows that were taken over meanwhile are not restored', async () => {
  const [storage, first] = await two()
  await write(storage, first, rowsBatch('url', [urlRow(1)]))
  const other = createRedisStorage(connection)
  await storage.release(first)
  const next = await claimed(other, 0, 'b')
  await isFencedOut(storage.restore(first, urls(5, 6)))
  await other.discard(7)
  await isFencedOut(write(other, next, batchOf()))
  await isFencedOut(other.restore(next, urls(5, 6)))
  assert.deepEqual(await connection.call('DBSIZE'), 2)
})

test('rows count as restored when the last one is there', async () => {
  const [storage, first] = await two()
  await write(storage, first, rowsBatch('url', [urlRow(1)]))
  const broken = async function* () {
    yield* urls(1, 100)
    throw new Error('killed')
  }
  await assert.rejects(storage.restore(first, broken()), { message: 'killed' })
  const other = createRedisStorage(connection)
  await other.report(7, 'a', LONG_MS)
  const next = await other.claim(7, 0, 'a')
  assert.deepEqual(await loadedIds(other, next!), [1])
  const keys = (await connection.call('KEYS', '*:0}:*:*')) as string[]
  assert.equal(new Set(keys.map((key) => key.split(':')[3])).size, 1)
})

test('a crawl that was discarded half may be begun again, by several programs at once', async () => {
  const [storage, first] = await two()
  const batch = batchOf({ ...rowsBatch('url', [urlRow(1)]), messages: [message(1)] })
  await write(storage, first, batch)
  const key = `{${connection.prefix}:7:0}:p`
  await connection.call('HSET', key, 'gone', 1)
  await connection.call('HDEL', key, 'owner', 'epoch', 'made', 'batch')
  await connection.call('DEL', `{${connection.prefix}:7}:crawl`, `{${connection.prefix}:7:1}:p`)
  const programs = Array.from({ length: 4 }, () => createRedisStorage(connection))
  await Promise.all(programs.map((each) => each.divide(jobOf(7, { salt: 5 }), 2)))
  const [next, other] = [await claimed(programs[0]!, 0, 'b'), await claimed(programs[0]!, 1, 'b')]
  assert.deepEqual(await loadedIds(programs[0]!, next), [])
  assert.deepEqual(await programs[0]!.inbox(other, 9), [])
  assert.deepEqual(await connection.call('KEYS', '*:u:*'), [])
})

test('a batch without an answer is written once, with what came after it', async () => {
  const [, , second] = await two()
  const storage = createRedisStorage(breakingAt(2))
  await storage.report(7, 'a', LONG_MS)
  const first = await storage.claim(7, 0, 'a')
  await write(storage, first!, rowsBatch('url', [urlRow(1)]))
  const one = batchOf({ ...rowsBatch('url', [urlRow(2)]), messages: [message(1)] })
  const behind = write(storage, first!, rowsBatch('url', [urlRow(9)]))
  const failed = write(storage, first!, one)
  await assert.rejects(behind, { message: 'no answer' })
  await assert.rejects(failed, { message: 'no answer' })
  const more = batchOf({
    ...rowsBatch('url', [urlRow(2), urlRow(3)]),
    messages: [message(1), message(2)],
  })
  await write(storage, first!, more)
  assert.deepEqual(await loadedIds(storage, first!), [1, 2, 3, 9])
  const numbers = (await createRedisStorage(connection).inbox(second, 9)).map(
    ({ number }) => number,
  )
  assert.deepEqual(numbers, [1, 2])
})

test('a large batch that is cut short anywhere is there as a whole or not at all', async () => {
  const rows = Array.from({ length: 6500 }, (_, nth) => urlRow(nth + 1))
  const ends = new Set<number>()
  for (let nth = 1; ; nth++) {
    await two()
    const storage = createRedisStorage(breakingAt(nth))
    await storage.report(7, 'a', LONG_MS)
    const own = await storage.claim(7, 0, 'a')
    const batch = batchOf({ ...rowsBatch('url', rows), messages: [message(1)], summary: 'all' })
    const isWritten = await write(storage, own!, batch).then(
      () => true,
      () => false,
    )
    const other = createRedisStorage(connection)
    await other.leave(7, 'a')
    const next = await claimed(other, 0, 'b')
    const count = (await loadedIds(other, next)).length
    ends.add(count)
    const { partitions } = await other.report(7, 'b', LONG_MS)
    const isThere = count === rows.length
    assert.deepEqual([partitions[0]?.summary, partitions[1]?.messages], isThere ? ['all', 1] : ['', 0]) // biome-ignore format: one line
    if (isWritten) break
  }
  assert.deepEqual(ends, new Set([0, rows.length]))
})

test('a server without memory takes nothing of a batch, and all of it later', async () => {
  const [, first] = await two()
  await using hasty = await openRedis({ url: server.url, deadlineMs: 300 })
  const storage = createRedisStorage(hasty)
  const batch = batchOf({ ...rowsBatch('url', [urlRow(1)]), messages: [message(1)], summary: 'S' })
  await storage.report(7, 'a', LONG_MS)
  await connection.call('CONFIG', 'SET', 'maxmemory', 1)
  await assert.rejects(write(storage, first, batch), { code: 'disk-full' })
  await connection.call('CONFIG', 'SET', 'maxmemory', 0)
  assert.deepEqual(await loadedIds(storage, first), [])
  await write(storage, first, batch)
  assert.deepEqual(await loadedIds(storage, first), [1])
})

test('after a server stood still owners are heard before others take what they have', async () => {
  const [storage] = await two()
  const other = createRedisStorage(connection)
  await other.report(7, 'b', LONG_MS)
  const long = String(Date.now() - 60_000)
  const key = `{${connection.prefix}:7:0}:p`
  await connection.call('HSET', key, 'seen', long, 'until', long)
  assert.equal((await other.report(7, 'b', LONG_MS)).partitions[0]?.owner, 'a')
  assert.equal(await other.claim(7, 0, 'b'), null)
  await storage.report(7, 'a', LONG_MS)
  await connection.call('HSET', key, 'until', long)
  assert.ok(await other.claim(7, 0, 'b'))
})

test('a clock that was set back keeps nobody alive', async () => {
  await two()
  const other = createRedisStorage(connection)
  await other.report(7, 'b', LONG_MS)
  const later = String(Date.now() + 3_600_000)
  await connection.call('HSET', `{${connection.prefix}:7:0}:p`, 'until', later, 'for', 0)
  await connection.call('HSET', `{${connection.prefix}:7}:owners`, 'a', `${later} 0`)
  assert.deepEqual((await other.report(7, 'b', LONG_MS)).owners, ['b'])
  assert.ok(await other.claim(7, 0, 'b'))
})

test('the frontier of an earlier version is refused', async () => {
  const [storage] = await two()
  await connection.call('HSET', `{${connection.prefix}:9:0}:meta`, 'layout', 20)
  await assert.rejects(storage.divide(jobOf(9), 2), { code: 'store-older', message: /--rebuild/ })
})

test('the frontier of an earlier version is discarded with all its parts', async () => {
  const [storage] = await two()
  const tags = [0, 1, 2].map((part) => `{${connection.prefix}:9:${part}}:`)
  for (const tag of tags) {
    await connection.call('HSET', `${tag}meta`, 'layout', 1)
    for (let nth = 0; nth < 50; nth += 1) await connection.call('SET', `${tag}u:${nth}`, 'x')
  }
  const beside = `{${connection.prefix}:90:0}:meta`
  await connection.call('HSET', beside, 'layout', 1)
  await storage.discard(9)
  assert.equal(await storage.divide(jobOf(9), 2), 2)
  const left = await connection.call('EXISTS', ...tags.map((tag) => `${tag}u:7`))
  assert.deepEqual([left, await connection.call('EXISTS', beside)], [0, 1])
})
