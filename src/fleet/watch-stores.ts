// Reports when a server goes away and comes back. The users of a server wait silently, each for itself, and
// give up by themselves: this code ends nothing.
import { systemClock } from '../lib/clock.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { FleetSource } from './fleet.ts'
import { FleetWatch } from './fleet-watch.ts'

const STORE_TIMEOUT_MS = 60_000
const NOBODY = { workers: [], leases: new Map<string, number>() }

/** Null if there is no server. */
export async function watchStores(
  workspace: Workspace,
  log: (text: string) => void,
): Promise<FleetWatch | null> {
  const source = await workspace.fleet()
  if (source === null) return null
  const patienceMs = workspace.text.storeTimeoutMs ?? STORE_TIMEOUT_MS
  const watch = new FleetWatch({
    ...{ source: withoutWorkers(source), clock: systemClock, patienceMs, log },
    onGivenUp: () => {},
  })
  watch.goOn()
  return watch
}

/** Workers are not read, since many programs may watch. */
function withoutWorkers(source: FleetSource): FleetSource {
  return {
    stores: source.stores,
    registryIn: source.registryIn,
    ask: (store) => source.ask(store),
    look: async () => {
      await source.ask(source.registryIn)
      return NOBODY
    },
    leases: (crawlId) => source.leases(crawlId),
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  }
}
