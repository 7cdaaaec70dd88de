// What every storage of frontier rows promises.
import { messagePromises } from './frontier-storage/messages.ts'
import { ownershipPromises } from './frontier-storage/ownership.ts'
import { type OpenPlace, promisesOf } from './frontier-storage/rig.ts'
import { rowPromises } from './frontier-storage/rows.ts'
import { statePromises } from './frontier-storage/states.ts'

export type { StoragePlace } from './frontier-storage/rig.ts'

export function frontierStorageContract(name: string, openPlace: OpenPlace): void {
  const promise = promisesOf(name, openPlace)
  ownershipPromises(promise)
  rowPromises(promise)
  messagePromises(promise)
  statePromises(promise)
}
