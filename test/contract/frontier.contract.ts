// What every frontier promises. The promises are grouped by subject; an adapter passes all of them.
import { budgetsContract } from './frontier/budgets.ts'
import { knowingContract } from './frontier/knowing.ts'
import { learningContract } from './frontier/learning.ts'
import { ledgerContract } from './frontier/ledger.ts'
import { limitsContract } from './frontier/limits.ts'
import { orderContract } from './frontier/order.ts'
import { pathsContract } from './frontier/paths.ts'
import { patienceContract } from './frontier/patience.ts'
import { politenessContract } from './frontier/politeness.ts'
import { roundsContract } from './frontier/recrawls.ts'
import { restartContract } from './frontier/restart.ts'
import { type FrontierPlace, promisesOf } from './frontier/rig.ts'
import { robotsContract } from './frontier/robots.ts'
import { seedsContract } from './frontier/seeds.ts'
import { settingsContract } from './frontier/settings.ts'
import { sharingContract } from './frontier/sharing.ts'
import { sitemapsContract } from './frontier/sitemaps.ts'
import { steeringContract } from './frontier/steering.ts'
import { trapsContract } from './frontier/traps.ts'

export type { FrontierPlace, FrontierSetup } from './frontier/rig.ts'

export function frontierContract(name: string, openPlace: () => Promise<FrontierPlace>): void {
  const promise = promisesOf(name, openPlace)
  knowingContract(promise)
  politenessContract(promise)
  pathsContract(promise)
  limitsContract(promise)
  trapsContract(promise)
  budgetsContract(promise)
  robotsContract(promise)
  sitemapsContract(promise)
  orderContract(promise)
  steeringContract(promise)
  learningContract(promise)
  patienceContract(promise)
  sharingContract(promise)
  restartContract(promise)
  settingsContract(promise)
  seedsContract(promise)
  ledgerContract(promise)
  roundsContract(promise)
}

/** Those promises that depend most on how rows are kept, for a second adapter of the same frontier. */
export function keptFrontierContract(name: string, openPlace: () => Promise<FrontierPlace>): void {
  const promise = promisesOf(name, openPlace)
  knowingContract(promise)
  limitsContract(promise)
  restartContract(promise)
  ledgerContract(promise)
  roundsContract(promise)
}
