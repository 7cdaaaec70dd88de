import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
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
  // Nobody waits a second time.
  await assert.rejects(
    db.run((sql) => sql`SELECT 1`, 3_600_000),
    isUnreachable,
  )
  line.mend()
  const [row] = await db.run((sql) => sql`SELECT 2 AS two`)
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

/** Stands before the server and takes no settings that it does not know, as poolers do. */
function refuseSettings(near: Socket, serverPort: number): void {
  near.once('data', (first) => {
    if (first.includes('jit')) {
      const words = 'SFATAL\0C08P01\0Munsupported startup parameter: jit\0\0'
      const head = Buffer.from([0x45, 0, 0, 0, words.length + 4])
      near.end(Buffer.concat([head, Buffer.from(words)]))
      return
    }
    const far = connect(serverPort, '127.0.0.1')
    far.write(first)
    near.pipe(far).pipe(near)
    far.on('error', () => near.destroy())
    near.on('error', () => far.destroy())
  })
}

test('where connections cannot have our settings, transactions bring them', async () => {
  const server = createServer((near) =>
    refuseSettings(near, Number(new URL(database.url).port)),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  {
    await using db = await openPostgres({ url: through(port) })
    const still = await db.inTransaction(
      (sql) => sql`SELECT current_setting('idle_in_transaction_session_timeout') AS still`,
    )
    assert.equal(still[0]?.still, '10s')
  }
  server.close()
})
