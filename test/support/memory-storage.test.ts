import { ManualClock } from '../../src/lib/clock.ts'
import { frontierStorageContract } from '../contract/frontier-storage.contract.ts'
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
