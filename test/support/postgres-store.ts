// A store in PostgreSQL for one test. The tests of a file share its database and its connections, one
// after the other: making tables takes longer than most of what is done with them. So each begins with
// all tables as they were when they were made.
import { after } from 'node:test'
import { openPostgres, openPostgresReader, type Postgres } from '../../src/db/postgres.ts'
import { type TestDatabase, testDatabase } from '../servers/postgres.ts'

export type TestStore = AsyncDisposable & {
  /** The store, made if there is none. */
  readonly store: () => Promise<Postgres>
  /** The store for reading; null while there is none. */
  readonly reader: () => Promise<Postgres | null>
  readonly url: () => Promise<string>
}

type Kept = {
  readonly database: TestDatabase
  readonly db: Postgres
  /** SQL that makes everything as it was. */
  readonly anew: string
}

const free: Kept[] = []

after(async () => {
  for (const kept of free) await end(kept)
})

async function end({ database, db }: Kept): Promise<void> {
  await db[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
}

export function openTestStore(): TestStore {
  let taken: Promise<Kept> | null = null
  const take = (): Promise<Kept> => (taken ??= takeOne())
  return {
    store: async () => (await take()).db,
    reader: async () => (taken === null ? readNothing() : (await taken).db),
    url: async () => (await take()).database.url,
    async [Symbol.asyncDispose]() {
      const kept = await taken?.catch(() => null)
      if (kept != null) free.push(kept)
    },
  }
}

async function takeOne(): Promise<Kept> {
  const known = free.pop()
  if (known === undefined) return makeOne()
  try {
    // Patiently: a test may have cut connections.
    await known.db.inTransaction((sql) => sql.unsafe(known.anew).simple())
    return known
  } catch (error) {
    await end(known)
    throw error
  }
}

/** What a reader says of a database where nobody made a store. */
async function readNothing(): Promise<Postgres | null> {
  await using database = await testDatabase()
  return await openPostgresReader({ url: database.url, max: 1 })
}

async function makeOne(): Promise<Kept> {
  const database = await testDatabase()
  const db = await openPostgres({ url: database.url, max: 3 })
  return { database, db, anew: await sqlToBeginAnew(db) }
}

async function sqlToBeginAnew({ sql }: Postgres): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition AND relname <> 'jelajah_schema'`
  const sequences = await sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S'`
  const statements = [
    ...tables.map(({ name }) => `DELETE FROM ${name}`),
    ...sequences.map(({ name }) => `ALTER SEQUENCE ${name} RESTART`),
  ]
  for (const { name } of tables) {
    const [row] = await sql.unsafe(`SELECT json_agg(t)::text AS rows FROM ${name} t`)
    if (row?.rows === null) continue
    const rows = `'${row?.rows.replaceAll("'", "''")}'`
    statements.push(
      `INSERT INTO ${name} SELECT * FROM json_populate_recordset(null::${name}, ${rows})`,
    )
  }
  // It is told from the one before.
  statements.push(`UPDATE page_log SET mark = substr(md5(random()::text), 1, 16)`)
  return [`SET LOCAL lock_timeout = '10s'`, ...statements].join(';\n')
}
