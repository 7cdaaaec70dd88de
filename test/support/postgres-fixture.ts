// A place in PostgreSQL for one test, with all that is read and written there.
import type { Job } from '../../src/core/job.ts'
import type { Postgres } from '../../src/db/postgres.ts'
import type { JobStore } from '../../src/store/job-store.ts'
import type { PageStore } from '../../src/store/page-store.ts'
import { openPostgresPageStore } from '../../src/store/postgres/postgres-page-store.ts'
import { openTestStore } from './postgres-store.ts'
import { createPostgresJobStore } from './stores.ts'

export type PostgresFixture = AsyncDisposable & {
  jobs(): Promise<JobStore>
  pages(job: Job): Promise<PageStore>
  /** Over the store, made if there is none. */
  over<T>(create: (db: Postgres) => T): Promise<T>
  /** Over the store, where there is one. */
  overKnown<T>(create: (db: Postgres) => T): Promise<T | null>
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
}

export async function openPostgresFixture(): Promise<PostgresFixture> {
  const test = openTestStore()
  const over = async <T>(create: (db: Postgres) => T): Promise<T> => create(await test.store())
  return {
    over,
    jobs: () => over((db) => createPostgresJobStore(db)),
    pages: async (job) => openPostgresPageStore({ db: await test.store(), job }),
    async overKnown(create) {
      const db = await test.reader()
      return db === null ? null : create(db)
    },
    query: async (sql) => (await test.store()).sql.unsafe(sql),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  }
}
