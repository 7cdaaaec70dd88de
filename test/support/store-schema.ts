// A store in PostgreSQL for one test. Each has a schema of its own in a database that the tests of a file
// share: that is made in a third of the time a database takes, and goes with it at the end.
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import postgres from 'postgres'
import { openPostgres, openPostgresReader, type Postgres } from '../../src/db/postgres.ts'
import { type TestDatabase, testDatabase } from '../servers/postgres.ts'

let shared: Promise<TestDatabase> | null = null

after(async () => {
  await (await shared)?.[Symbol.asyncDispose]()
})

export type StoreSchema = AsyncDisposable & {
  /** Of a place where nothing is. */
  readonly url: string
  /** The store, made if there is none. */
  readonly store: () => Promise<Postgres>
  /** The store for reading; null while there is none. */
  readonly reader: () => Promise<Postgres | null>
}

export async function openStoreSchema(): Promise<StoreSchema> {
  shared ??= testDatabase()
  const url = new URL((await shared).url)
  const name = `test_${randomBytes(8).toString('hex')}`
  await run(url.href, `CREATE SCHEMA ${name}`)
  url.searchParams.set('search_path', name)
  const opened = new AsyncDisposableStack()
  let store: Promise<Postgres> | null = null
  const open = async () => opened.use(await openPostgres({ url: url.href, max: 3 }))
  return {
    url: url.href,
    store: () => (store ??= open()),
    reader: async () => {
      if (store !== null) return store
      const reader = await openPostgresReader({ url: url.href, max: 1 })
      return reader === null ? null : opened.use(reader)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function run(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(statement).finally(() => sql.end())
}
