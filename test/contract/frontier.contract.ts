// What every frontier promises. The promises are grouped by subject; an adapter passes all of them.
import { budgetsContract } from './frontier/budgets.ts'
import { knowingContract } from './frontier/knowing.ts'
import { learningContract } from './frontier/learning.ts'
import { limitsContract } from './frontier/limits.ts'
import { orderContract } from './frontier/order.ts'
import { orderingContract } from './frontier/ordering.ts'
import { pathsContract } from './frontier/paths.ts'
import { patienceContract } from './frontier/patience.ts'
import { politenessContract } from './frontier/politeness.ts'
import { roundsContract } from './frontier/recrawls.ts'
import { restartContract } from './frontier/restart.ts'
import { type FrontierFixture, promisesOf } from './frontier/rig.ts'
import { robotsContract } from './frontier/robots.ts'
import { seedsContract } from './frontier/seeds.ts'
import { settingsContract } from './frontier/settings.ts'
import { sharingContract } from './frontier/sharing.ts'
import { sitemapsContract } from './frontier/sitemaps.ts'
import { trapsContract } from './frontier/traps.ts'
import { urlStatesContract } from './frontier/url-states.ts'

export type { FrontierFixture, FrontierSetup } from './frontier/rig.ts'

export function frontierContract(name: string, openFixture: () => Promise<FrontierFixture>): void {
  const promise = promisesOf(name, openFixture)
  knowingContract(promise)
  politenessContract(promise)
  pathsContract(promise)
  limitsContract(promise)
  trapsContract(promise)
  budgetsContract(promise)
  robotsContract(promise)
  sitemapsContract(promise)
  orderContract(promise)
  orderingContract(promise)
  learningContract(promise)
  patienceContract(promise)
  sharingContract(promise)
  restartContract(promise)
  settingsContract(promise)
  seedsContract(promise)
  urlStatesContract(promise)
  roundsContract(promise)
}

/** Those promises that depend most on how rows are kept, for a second adapter of the same frontier. */
export function keptFrontierContract(
  name: string,
  openFixture: () => Promise<FrontierFixture>,
): void {
  const promise = promisesOf(name, openFixture)
  knowingContract(promise)
  limitsContract(promise)
  restartContract(promise)
  urlStatesContract(promise)
  roundsContract(promise)
}
