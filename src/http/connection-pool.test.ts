import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionPool, connectionRoom, type PooledConnection } from './connection-pool.ts'

const AT = '93.184.216.34'

type FakeConnection = PooledConnection & { usable: boolean; discarded: boolean }

function connection(key: string, openedAt = performance.now()): FakeConnection {
  return {
    key,
    leadsTo: (addresses) => addresses.includes(AT),
    openedAt,
    usable: true,
    discarded: false,
    discard() {
      this.discarded = true
    },
  }
}

test('the connection used last comes back first, and each only once', () => {
  const pool = new ConnectionPool<FakeConnection>({ perOrigin: 2, total: 10 })
  const [one, two] = [connection('a'), connection('a')]
  pool.put(one)
  pool.put(two)
  assert.deepEqual(
    [pool.take('a', [AT]), pool.take('a', [AT]), pool.take('a', [AT])],
    [two, one, null],
  )
})

test('connections beyond what an origin or all of them may keep are discarded, the longest idle first', () => {
  const pool = new ConnectionPool<FakeConnection>({ perOrigin: 1, total: 2 })
  const connections = [connection('a'), connection('a'), connection('b'), connection('c')]
  for (const each of connections) pool.put(each)
  assert.deepEqual(
    connections.map(({ discarded }) => discarded),
    [true, true, false, false],
  )
  assert.equal(pool.take('a', [AT]), null)
})

test('a connection that is dead or older than a minute is not given out', () => {
  const pool = new ConnectionPool<FakeConnection>({ perOrigin: 3, total: 10 })
  const connections = [
    connection('a', performance.now() - 60_001),
    connection('a'),
    connection('a'),
  ]
  for (const each of connections) pool.put(each)
  connections[2]!.usable = false
  assert.equal(pool.take('a', [AT]), connections[1])
  assert.equal(pool.take('a', [AT]), null)
  assert.deepEqual(
    connections.map(({ discarded }) => discarded),
    [true, false, true],
  )
})

test('a connection to an address that its host no longer has is not given out', () => {
  const pool = new ConnectionPool<FakeConnection>({ perOrigin: 1, total: 10 })
  const moved = connection('a')
  pool.put(moved)
  assert.equal(pool.take('a', ['93.184.216.35']), null)
  assert.equal(moved.discarded, true)
})

test('a connection whose connection went away is forgotten, but not one in use', () => {
  const pool = new ConnectionPool<FakeConnection>({ perOrigin: 1, total: 10 })
  const [idle, busy] = [connection('a'), connection('b')]
  pool.put(idle)
  pool.drop(idle)
  pool.drop(busy)
  assert.deepEqual([idle.discarded, busy.discarded, pool.take('a', [AT])], [true, false, null])
})

test('a closed pool keeps nothing', () => {
  const pool = new ConnectionPool<FakeConnection>({ perOrigin: 1, total: 10 })
  const connections = [connection('a'), connection('b')]
  pool.put(connections[0]!)
  pool.close()
  pool.put(connections[1]!)
  assert.ok(connections.every(({ discarded }) => discarded))
})

test('connections never take more files than are left, and one there always is', () => {
  const wanted = { concurrency: 500, idle: 4064 }
  const roomAt = (limit: number) => connectionRoom(wanted, { limit, open: 30 })
  assert.deepEqual(roomAt(Number.POSITIVE_INFINITY), wanted)
  assert.deepEqual(roomAt(10_000), wanted)
  assert.deepEqual(roomAt(1046), { concurrency: 500, idle: 500 })
  assert.deepEqual(roomAt(246), { concurrency: 150, idle: 50 })
  assert.deepEqual(roomAt(64), { concurrency: 13, idle: 5 })
  assert.deepEqual(roomAt(20), { concurrency: 1, idle: 0 })
})
