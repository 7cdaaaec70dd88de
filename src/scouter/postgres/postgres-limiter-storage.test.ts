import { after } from 'node:test'
import { hostTurnsContract } from '../../../test/contract/host-turns.contract.ts'
import { testDatabase } from '../../../test/servers/postgres.ts'
import { openPostgres } from '../../db/postgres.ts'
import { sharedTime } from '../limiter/server-time.ts'
import { openSharedHostLimiter } from '../limiter/shared-host-limiter.ts'
import type { LimiterStorage } from '../limiter/storage.ts'
import { createPostgresLimiterStorage } from './postgres-limiter-storage.ts'

const database = await testDatabase()
const db = await openPostgres({ url: database.url })
after(async () => {
  await db[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const FOR_EVER_MS = 1e12

hostTurnsContract('PostgreSQL', async () => {
  let busy = 0
  const counted = (storage: LimiterStorage): LimiterStorage => {
    const counting = async <T>(answer: Promise<T>): Promise<T> => {
      busy++
      return answer.finally(() => busy--)
    }
    return {
      report: (...told) => counting(storage.report(...told)),
      membersOf: (crawl) => storage.membersOf(crawl),
      end: (names) => storage.end(names),
      heldBy: (names) => storage.heldBy(names),
      purge: (before) => storage.purge(before),
      read: (hosts) => counting(storage.read(hosts)),
      readRecent: (since, now) => counting(storage.readRecent(since, now)),
      write: (rows) => counting(storage.write(rows)),
    }
  }
  return {
    open: (holder, clock) =>
      openSharedHostLimiter({
        storage: counted(createPostgresLimiterStorage({ db, now: () => clock.now() })),
        ...{ holder, clock, leaseMs: FOR_EVER_MS, time: sharedTime(clock) },
        ...{ beatMs: 5, loneNewsMs: 0 },
      }),
    isBusy: () => busy > 0,
    [Symbol.asyncDispose]: async () => {
      await db.sql`TRUNCATE limiter_members, limiter_hosts`
    },
  }
})
