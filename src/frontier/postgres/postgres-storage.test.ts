import { frontierStorageContract } from '../../../test/contract/frontier-storage.contract.ts'
import { openTestStore } from '../../../test/support/postgres-store.ts'
import { createPostgresStorage } from './postgres-storage.ts'

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
