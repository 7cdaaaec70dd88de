// Workers and leases as the registry and the frontier of a workspace have them.
import type { CrawlLeases, FleetSnapshot, Holder } from '../../fleet/fleet.ts'
import type { Announcement, WorkerRecord, WorkerRegistry } from '../../fleet/worker-registry.ts'
import { countLeases, readLeases } from '../../frontier/partitions/frontier-leases.ts'
import { markOf, programMark } from '../../frontier/partitions/membership.ts'
import type { FrontierStorage } from '../../frontier/storage.ts'

/** Leases and hosts of one crawl that are shown. */
const SHOWN = 200
/** Crawls whose leases are counted at each check. */
const CRAWLS_COUNTED = 50

/** The server that has both. */
export type FleetServer = {
  readonly storage: Pick<FrontierStorage, 'view' | 'states'>
  readonly registry: Pick<WorkerRegistry, 'workers' | 'announcements'>
  /** Prefix of a partition's keys; '' if it has none. */
  readonly keysOf: (crawlId: number, partition: number) => string
}

export async function lookAtWorkers({ registry, storage }: FleetServer): Promise<FleetSnapshot> {
  const workers = await registry.workers()
  const announced = (await registry.announcements()).slice(0, CRAWLS_COUNTED)
  const views = await Promise.all(announced.map(({ crawl }) => storage.view(crawl)))
  const byMark = new Map<string, number>()
  for (const [owner, count] of views.flatMap((view) => [...countLeases(view)])) {
    byMark.set(markOf(owner), (byMark.get(markOf(owner)) ?? 0) + count)
  }
  const counts = workers.map((worker) => {
    return [worker.id, byMark.get(programMark(worker)) ?? 0] as const
  })
  return { workers, leases: new Map(counts) }
}

export async function readCrawlLeases(
  { registry, storage, keysOf }: FleetServer,
  crawlId: number,
): Promise<CrawlLeases | null> {
  const view = await storage.view(crawlId)
  if (view.partitions.length === 0) return null
  const leases = await readLeases(view, {
    limit: SHOWN,
    keysOf: (partition) => keysOf(crawlId, partition),
    urlsAt: async (positions) => {
      await using states = await storage.states({ id: crawlId })
      return (await states?.at(positions)) ?? []
    },
  })
  const programs = holdersOf(await registry.workers(), await registry.announcements())
  const byMark = new Map(programs.map((holder) => [programMark(holder), holder]))
  const holders = view.owners.flatMap((owner) => {
    const holder = byMark.get(markOf(owner))
    return holder === undefined ? [] : [[owner, holder] as const]
  })
  return { ...leases, holders: new Map(holders) }
}

/** If two have the same mark, a worker is preferred to the program that runs the crawl. */
function holdersOf(
  workers: readonly WorkerRecord[],
  announced: readonly Announcement[],
): readonly Holder[] {
  return [
    ...announced.map(({ owner: { machine, pid } }) => ({ machine, pid, name: '', worker: null })),
    ...workers.map(({ machine, pid, name, id }) => ({ machine, pid, name, worker: id })),
  ]
}
