import { frontierStorageContract } from '../../../test/contract/frontier-storage.contract.ts'
import { ManualClock } from '../../lib/clock.ts'
import { createMemoryStorage, MemoryServer } from './memory-storage.ts'

frontierStorageContract('memory', async () => {
  const clock = new ManualClock()
  const server = new MemoryServer(clock)
  return {
    open: async () =>
      Object.assign(createMemoryStorage(server), { [Symbol.asyncDispose]: async () => {} }),
    pass: async (ms) => clock.advance(ms),
    [Symbol.asyncDispose]: async () => {},
  }
})
