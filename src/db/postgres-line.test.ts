import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { openLine } from '../../test/servers/line.ts'
import { testDatabase } from '../../test/servers/postgres.ts'
import { CrawlerError } from '../core/errors.ts'
import { openPostgres, Postgres } from './postgres.ts'

const database = await testDatabase()
after(() => database[Symbol.asyncDispose]())

function through(port: number): string {
  const url = new URL(database.url)
  url.port = String(port)
  return url.href
}

function isUnreachable(error: unknown): boolean {
  return error instanceof CrawlerError && error.code === 'store-unreachable'
}

test('on a line that was cut, a question ends when its patience does, and the next finds the line mended', async () => {
  await using line = await openLine(Number(new URL(database.url).port))
  await using db = await openPostgres({ url: through(line.port), deadlineMs: 50 })
  line.cut()
  await assert.rejects(
    db.run((sql) => sql`SELECT 1`),
    isUnreachable,
  )
  line.mend()
  const [row] = await db.run((sql) => sql`SELECT 2 AS two`, 20_000)
  assert.equal(row?.two, 2)
})

test('what takes long is waited for past its patience while the server answers others', async () => {
  await using db = await openPostgres({ url: database.url, deadlineMs: 50 })
  let asked = 0
  const [row] = await db.run((sql) => {
    asked++
    return sql`SELECT pg_sleep(1.5), 3 AS three`
  })
  assert.deepEqual([row?.three, asked], [3, 1])
})

test('a peer that hangs up as soon as it is called is not called without end', async () => {
  let calls = 0
  const server = createServer((socket) => {
    calls++
    socket.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await using db = new Postgres({ url: through(port), deadlineMs: 300 })
  await assert.rejects(
    db.run((sql) => sql`SELECT 1`),
    isUnreachable,
  )
  server.close()
  assert.ok(calls < 20, `called ${calls} times`)
})
