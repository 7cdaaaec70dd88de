// What every storage of frontier rows promises.
import { messagePromises } from './frontier-storage/messages.ts'
import { ownershipPromises } from './frontier-storage/ownership.ts'
import { type OpenFixture, promisesOf } from './frontier-storage/rig.ts'
import { rowPromises } from './frontier-storage/rows.ts'
import { statePromises } from './frontier-storage/states.ts'

export type { StorageFixture } from './frontier-storage/rig.ts'

export function frontierStorageContract(name: string, openFixture: OpenFixture): void {
  const promise = promisesOf(name, openFixture)
  ownershipPromises(promise)
  rowPromises(promise)
  messagePromises(promise)
  statePromises(promise)
}
