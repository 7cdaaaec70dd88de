import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  begun,
  isFencedOut,
  LONG_MS,
  loaded,
  rowOf,
  urlRow,
} from '../../../test/contract/frontier-storage/rig.ts'
import { frontierStorageContract } from '../../../test/contract/frontier-storage.contract.ts'
import { openLine } from '../../../test/servers/line.ts'
import { openTestStore } from '../../../test/support/postgres-store.ts'
import { openPostgres, type Postgres } from '../../db/postgres.ts'
import type { Batch, FrontierStorage, Ownership, Row } from '../storage.ts'
import { createPostgresStorage } from './postgres-storage.ts'
import { writeStatement } from './write-statement.ts'

frontierStorageContract('postgres', async () => {
  const test = openTestStore()
  return {
    open: async () =>
      Object.assign(createPostgresStorage(await test.store()), {
        [Symbol.asyncDispose]: async () => {},
      }),
    async pass(ms) {
      await (await test.store()).sql`SELECT pg_sleep(${ms}::float8 / 1000)`
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  }
})

function changesOf(ownership: Ownership, row: Row, message: number): Batch {
  const { partition } = ownership
  return {
    ownership,
    changes: [{ table: 'url', rows: [row], dropped: [] }],
    messages: [{ from: partition, to: 1, number: message, body: Uint8Array.of(message) }],
    taken: new Map(),
    summary: `after ${message}`,
  }
}

async function begunOn(db: Postgres): Promise<{ storage: FrontierStorage; own: Ownership }> {
  const storage = createPostgresStorage(db)
  return { storage, own: await begun(storage) }
}

async function kept(storage: FrontierStorage, own: Ownership) {
  const { partitions } = await storage.report(7, 'a', LONG_MS)
  const rows = (await loaded(storage, own)).get('url') ?? []
  return {
    rows,
    messages: (await storage.inbox({ ...own, partition: 1 }, 100)).map(({ number }) => number),
    summary: partitions[0]?.summary,
  }
}

test('a batch that arrives after a later one changes nothing', async () => {
  await using fixture = openTestStore()
  const db = await fixture.store()
  const { storage, own } = await begunOn(db)
  await storage.write([changesOf(own, urlRow(1, { tries: 1 }), 1)])
  await storage.write([changesOf(own, urlRow(1, { tries: 2 }), 2)])
  const { text, values } = writeStatement([
    { ...changesOf(own, urlRow(1, { tries: 9 }), 9), number: 1, after: 0 },
  ])
  assert.equal((await db.sql.unsafe(text, [...values])).length, 0)
  const rows = [urlRow(1, { tries: 2 })]
  assert.deepEqual(await kept(storage, own), { rows, messages: [1, 2], summary: 'after 2' })
})

test('a server that forgot batches takes no further ones, and its rows are the truth', async () => {
  await using fixture = openTestStore()
  const db = await fixture.store()
  const { storage, own } = await begunOn(db)
  await storage.write([changesOf(own, urlRow(1), 1)])
  const [{ written } = { written: 0 }] = await db.sql`
    SELECT written FROM frontier_partitions WHERE crawl_id = 7 AND partition = 0`
  await storage.write([changesOf(own, urlRow(2), 2)])
  // As a standby that had not got the last batch yet.
  await db.sql`UPDATE frontier_partitions SET written = ${written} WHERE partition = 0`
  await db.sql`DELETE FROM frontier_urls WHERE id = 2`
  await isFencedOut(storage.write([changesOf(own, urlRow(3), 3)]))
  const again = await storage.claim(7, 0, 'a')
  await storage.write([changesOf(again!, urlRow(4), 3)])
  assert.deepEqual((await kept(storage, again!)).rows, [urlRow(1), urlRow(4)])
})

test('a batch whose connection broke while it was written is written once', async () => {
  await using fixture = openTestStore()
  const other = (await fixture.store()).sql
  await using line = await openLine(Number(new URL(await fixture.url()).port))
  const url = new URL(await fixture.url())
  url.port = String(line.port)
  await using db = await openPostgres({ url: url.href, max: 2 })
  const { storage, own } = await begunOn(db)
  const holder = await other.reserve()
  await holder`BEGIN`
  await holder`SELECT FROM frontier_partitions FOR UPDATE`
  const waiting = async (count: number): Promise<void> => {
    const look = () => other`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'
      OR NOT granted AND locktype = 'tuple'`
    while ((await look()).length < count) await pause(5)
  }
  const written = storage.write([changesOf(own, urlRow(1), 1)])
  await waiting(1)
  // The server goes on with what it was given, and the client sends it again.
  line.cut()
  line.mend()
  await waiting(2)
  await holder`COMMIT`
  holder.release()
  await written
  await storage.write([changesOf(own, urlRow(2), 2)])
  const rows = [urlRow(1), urlRow(2)]
  assert.deepEqual(await kept(storage, own), { rows, messages: [1, 2], summary: 'after 2' })
})

test('a server without room is asked again until it has some, or patience ends', async () => {
  await using fixture = openTestStore()
  const { sql } = await fixture.store()
  await using stack = new AsyncDisposableStack()
  const drop = 'DROP FUNCTION IF EXISTS refuse CASCADE; DROP SEQUENCE IF EXISTS tries'
  stack.defer(async () => void (await sql.unsafe(drop).simple()))
  const opened = async (deadlineMs: number) =>
    stack.use(await openPostgres({ url: await fixture.url(), max: 1, deadlineMs }))
  const { storage, own } = await begunOn(await opened(60_000))
  const hasty = createPostgresStorage(await opened(1))
  // What a sequence gave is not taken back.
  const full = `RAISE 'could not extend file' USING ERRCODE = 'disk_full'`
  await sql
    .unsafe(`
      CREATE SEQUENCE tries;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('tries') <= 3 THEN ${full}; END IF; RETURN NEW; END $$;
      CREATE TRIGGER no_room BEFORE INSERT ON frontier_urls FOR EACH ROW EXECUTE FUNCTION refuse()`)
    .simple()
  await assert.rejects(hasty.write([changesOf(own, urlRow(1), 1)]), {
    code: 'disk-full',
    message: /no room left: could not extend file/,
  })
  await storage.write([changesOf(own, urlRow(2), 1)])
  const rows = [urlRow(2)]
  assert.deepEqual(await kept(storage, own), { rows, messages: [1], summary: 'after 1' })
})

test('rows that no database can keep as they are do not stop a crawl', async () => {
  await using fixture = openTestStore()
  const { storage, own } = await begunOn(await fixture.store())
  const key = `/${'é'.repeat(9000)}`
  const changes: Batch['changes'] = [
    { table: 'url', rows: [urlRow(1, { reason: 'http-500: a\u0000b' })], dropped: [] },
    { table: 'robots', rows: [rowOf('robots', { body: 'a\u0000b' })], dropped: [] },
    { table: 'template', rows: [rowOf('template', { key })], dropped: [] },
  ]
  await storage.write([{ ...changesOf(own, urlRow(2), 1), changes }])
  const rows = await loaded(storage, own)
  assert.deepEqual(rows.get('url'), [urlRow(1, { reason: 'http-500: ab' })])
  assert.deepEqual(rows.get('robots'), [rowOf('robots', { body: 'a\u0000b' })])
  assert.deepEqual(rows.get('template'), [rowOf('template', { key })])
  const dropped = [[1, key]]
  const drops: Batch['changes'] = [{ table: 'template', rows: [], dropped }]
  await storage.write([{ ...changesOf(own, urlRow(2), 2), changes: drops }])
  assert.equal((await loaded(storage, own)).get('template'), undefined)
})

test('the views show what was written, the finder by its URL', async () => {
  await using fixture = openTestStore()
  const db = await fixture.store()
  const { storage, own } = await begunOn(db)
  const values = { found_on: 2, state: 1, origin_id: 3, reason: 'x' }
  const changes: Batch['changes'] = [
    {
      table: 'url',
      rows: [urlRow(1), urlRow(2, values), urlRow(3, { found_on: -4 })],
      dropped: [],
    },
    { table: 'host', rows: [rowOf('host', { id: 1, open_https: 3, stored: 2 })], dropped: [] },
    { table: 'sitemap', rows: [rowOf('sitemap', { id: 2 })], dropped: [] },
  ]
  await storage.write([{ ...changesOf(own, urlRow(9), 1), changes }])
  const urls = await db.sql`SELECT url, host, state, found_on FROM urls ORDER BY url`
  assert.deepEqual(
    [...urls],
    [
      { url: 'https://a.test/1', host: 'a.test', state: 'queued', found_on: null },
      { url: 'https://a.test/2', host: 'a.test', state: 'leased', found_on: 'https://a.test/1' },
      {
        url: 'https://a.test/3',
        host: 'a.test',
        state: 'queued',
        found_on: 'http://a.test/sitemap.xml',
      },
    ],
  )
  const [host] = await db.sql`SELECT crawl_id, host, queued, in_flight, stored FROM hosts`
  assert.deepEqual(host, { crawl_id: 7, host: 'a.test', queued: 6, in_flight: 1, stored: 2 })
})
