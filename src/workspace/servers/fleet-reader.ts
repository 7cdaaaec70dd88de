// Workers and leases as the registry and the frontier of a workspace have them.
import type { CrawlLeases, FleetGlance, Holder } from '../../fleet/fleet.ts'
import type { Announcement, WorkerRecord, WorkerRegistry } from '../../fleet/worker-registry.ts'
import { countLeases, frontierLeases } from '../../frontier/partitions/frontier-leases.ts'
import { markOf, programMark } from '../../frontier/partitions/owner-name.ts'
import type { FrontierStorage } from '../../frontier/storage.ts'
import { CheckedConnection, type CheckedOptions } from './checked-connection.ts'
import { LeasedUrls } from './leased-urls.ts'

/** Leases and hosts of one crawl that are shown. */
const SHOWN = 200
/** Crawls whose leases are counted at each check. */
const CRAWLS_COUNTED = 50

export type FleetServer = {
  readonly storage: Pick<FrontierStorage, 'view' | 'states'>
  readonly registry: Pick<WorkerRegistry, 'workers' | 'announcements'>
  /** Rejects if the server does not answer. */
  readonly ask: () => Promise<unknown>
  /** Prefix of a partition's keys; '' if it has none. */
  readonly keysOf: (crawlId: number, partition: number) => string
}

export class FleetReader<T extends FleetServer> implements AsyncDisposable {
  readonly #checks: CheckedConnection<T>
  /** Reading URLs may take long, and the checks must not wait for it. */
  readonly #reads: CheckedConnection<T>
  readonly #leased: LeasedUrls

  constructor(options: CheckedOptions<T>) {
    this.#checks = new CheckedConnection(options)
    this.#reads = new CheckedConnection(options)
    this.#leased = new LeasedUrls((crawlId) =>
      this.#reads.over(async ({ storage }) => {
        await using states = await storage.states({ id: crawlId })
        return (await states?.list({ after: 0, limit: SHOWN, state: 'leased' })) ?? []
      }),
    )
  }

  async ask(): Promise<void> {
    await this.#checks.over((server) => server.ask())
  }

  look(): Promise<FleetGlance> {
    return this.#checks.over(async ({ registry, storage }) => {
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
    })
  }

  async leases(crawlId: number): Promise<CrawlLeases | null> {
    const { view, keysOf, programs } = await this.#checks.over(async (server) => ({
      view: await server.storage.view(crawlId),
      keysOf: server.keysOf,
      programs: holdersOf(await server.registry.workers(), await server.registry.announcements()),
    }))
    if (view.partitions.length === 0) return null
    const isHeld = [...countLeases(view).values()].some((leases) => leases > 0)
    const leased = isHeld ? await this.#leased.of(crawlId) : []
    const keys = (partition: number): string => keysOf(crawlId, partition)
    const byMark = new Map(programs.map((holder) => [programMark(holder), holder]))
    const holders = view.owners.flatMap((owner) => {
      const holder = byMark.get(markOf(owner))
      return holder === undefined ? [] : [[owner, holder] as const]
    })
    const leases = frontierLeases(view, leased, { limit: SHOWN, keysOf: keys })
    return { ...leases, holders: new Map(holders) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#checks, this.#reads].map((each) => each[Symbol.asyncDispose]()))
  }
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
