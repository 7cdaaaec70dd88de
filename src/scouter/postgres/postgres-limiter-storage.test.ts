import { after } from 'node:test'
import { limiterStorageContract } from '../../../test/contract/limiter-storage.contract.ts'
import { testDatabase } from '../../../test/servers/postgres.ts'
import { openPostgres } from '../../db/postgres.ts'
import { createPostgresLimiterStorage } from './postgres-limiter-storage.ts'

const database = await testDatabase()
const db = await openPostgres({ url: database.url })
after(async () => {
  await db[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

limiterStorageContract('PostgreSQL', async (now) => {
  const storage = createPostgresLimiterStorage(now === undefined ? { db } : { db, now })
  return Object.assign(storage, {
    [Symbol.asyncDispose]: async () => {
      await db.sql`TRUNCATE limiter_members, limiter_hosts`
    },
  })
})
