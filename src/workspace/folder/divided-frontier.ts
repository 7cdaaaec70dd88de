// The frontiers of a folder that several scouters share: a file per partition. Which scouter owns which
// partition is decided as on servers; all of it happens on one machine, so the rows need no copies.
import { existsSync, rmSync } from 'node:fs'
import { CrawlerError } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import { maxPairs, type Pair } from '../../core/pair.ts'
import type { FrontierUpdate } from '../../frontier/frontier.ts'
import { refuseUndivided, whyUndivided } from '../../frontier/partitions/partition-of.ts'
import type { PartitionedFrontier } from '../../frontier/partitions/partitioned-frontier.ts'
import type { NewRecrawl } from '../../frontier/recrawls.ts'
import type { SqliteStorage } from '../../frontier/sqlite/sqlite-storage.ts'
import type { UrlStates } from '../../frontier/url-states.ts'
import type { BegunRun, FrontierNeeds, WaitingResults } from '../workspace.ts'
import { frontierFolder, frontierPath } from './paths.ts'

/** More than scouters, so that later runs with another number of them share them out about equally. */
const PARTITIONS = 16
const PARTITIONS_PER_PAIR = 2
/**
 * A scouter that was silent for so long has lost its partitions to the others. One that died is started again
 * long before, under the same name, and one that hangs is killed; a machine that is only busy must not move
 * partitions.
 */
const LEASE_MS = 60_000
/**
 * Between two rounds of commits; a quiet crawl does not wait. A round is a commit per partition that has
 * changed, so with short rounds nearly every page would pay for one on a slow machine.
 */
const ROUND_MS = 50
const MAX_ROUND_MS = 250
/** Results of pages that share a commit. */
const SETTLED_AT_ONCE = 500

export class DividedFrontier {
  readonly #folder: string
  #storage: SqliteStorage | null = null

  constructor(dataDir: string) {
    this.#folder = dataDir
  }

  /** Whether the frontier of that crawl is divided; also if files of it are missing. */
  has(crawlId: number): boolean {
    return existsSync(frontierFolder(this.#folder, crawlId))
  }

  /** Null if it cannot be used: a part of it is missing. */
  async paths(crawlId: number): Promise<readonly string[] | null> {
    const { divisionOf, partitionPaths } = await import('../../frontier/sqlite/sqlite-storage.ts')
    const folder = frontierFolder(this.#folder, crawlId)
    const division = divisionOf(folder)
    if (division === null) return null
    const paths = partitionPaths(folder, division.partitions)
    return paths.every((path) => existsSync(path)) ? paths : null
  }

  /** For a run that begins. No process has the frontier open. */
  async begin(needs: FrontierNeeds, waiting?: WaitingResults): Promise<BegunRun> {
    const { job } = needs
    const wanted = Math.min(job.settings.scouters, maxPairs(job.settings))
    const fewer = fewerThanWanted(job)
    if (!this.has(job.id)) {
      const why = this.#whyOne(needs)
      if (wanted === 1) return { pairs: 1, notices: fewer }
      if (why !== null) {
        return { pairs: 1, notices: [`one scouter works on this crawl, because ${why}`] }
      }
    }
    const partitions = await this.make(needs)
    const pairs = Math.min(wanted, partitions)
    await this.#settle(needs, (await waiting?.()) ?? [])
    await this.#announce(job.id, pairs)
    if (pairs === wanted) return { pairs, notices: fewer }
    const notice = `this crawl has ${partitions} partitions, so ${pairs} scouters work on it`
    return { pairs, notices: [notice] }
  }

  /** Divides the frontier if it is not divided yet. Returns the number of partitions. */
  async make(needs: FrontierNeeds): Promise<number> {
    const { job } = needs
    const storage = await this.#opened()
    const many = Math.max(PARTITIONS, PARTITIONS_PER_PAIR * job.settings.scouters)
    const partitions = await storage.divide(job, many)
    refuseUndivided(needs, partitions)
    return partitions
  }

  async open(needs: FrontierNeeds, pair: Pair): Promise<PartitionedFrontier> {
    const adapter = await import('../../frontier/partitions/partitioned-frontier.ts')
    const place = await this.#place(needs.job, ownerOf(pair))
    const rounds = { roundMs: ROUND_MS, maxRoundMs: MAX_ROUND_MS, busyRoundMs: MAX_ROUND_MS }
    return adapter.openPartitionedFrontier({ ...needs, ...place, ...rounds })
  }

  /** By a process that works alone: with all partitions. */
  async openWhole(needs: FrontierNeeds): Promise<PartitionedFrontier> {
    await this.#announce(needs.job.id, 1)
    return this.open(needs, { nth: 0, of: 1 })
  }

  /** While no scouter works on it. The receipts are delivered once more, and change nothing then. */
  async #settle(needs: FrontierNeeds, results: readonly FrontierUpdate[]): Promise<void> {
    if (results.length === 0) return
    {
      await using frontier = await this.openWhole(needs)
      for (let from = 0; from < results.length; from += SETTLED_AT_ONCE) {
        await frontier.settle(results.slice(from, from + SETTLED_AT_ONCE))
      }
    }
    await (await this.#opened()).flush()
    this[Symbol.dispose]()
  }

  async beginRecrawl(recrawl: NewRecrawl): Promise<void> {
    const adapter = await import('../../frontier/partitions/begin-recrawl.ts')
    await this.#announce(recrawl.job.id, 0)
    await adapter.beginPartitionedRecrawl(await this.#place(recrawl.job, 'recrawl'), recrawl)
    await (await this.#opened()).flush()
    this[Symbol.dispose]()
  }

  async states(job: Job): Promise<UrlStates | null> {
    return (await this.#opened()).states(job)
  }

  discard(crawlId: number): void {
    this[Symbol.dispose]()
    for (const suffix of ['', '.damaged']) {
      rmSync(`${frontierFolder(this.#folder, crawlId)}${suffix}`, { recursive: true, force: true })
    }
  }

  [Symbol.dispose](): void {
    this.#storage?.[Symbol.dispose]()
    this.#storage = null
  }

  /** Null if the frontier of a new crawl can be divided. */
  #whyOne(needs: FrontierNeeds): string | null {
    if (existsSync(frontierPath(this.#folder, needs.job.id))) {
      return 'it began with one; --fresh begins it again with more'
    }
    const why = whyUndivided(needs)
    return why === null ? null : `${why} compares the whole crawl`
  }

  /** These owners are alive from now on, and nobody else: so all know the share of each at once. */
  async #announce(crawlId: number, pairs: number): Promise<void> {
    const storage = await this.#opened()
    const { owners } = await storage.view(crawlId)
    for (const owner of owners) await storage.leave(crawlId, owner)
    for (let nth = 0; nth < pairs; nth += 1) {
      await storage.report(crawlId, ownerOf({ nth, of: pairs }), LEASE_MS)
    }
  }

  async #place(job: Job, owner: string) {
    const storage = await this.#opened()
    const partitions = await storage.partitionsOf(job.id)
    if (partitions === 0) {
      const folder = frontierFolder(this.#folder, job.id)
      throw new CrawlerError('store-damaged', `${folder} has no frontier`)
    }
    return {
      ...{ storage, partitions, owner, leaseMs: LEASE_MS },
      openCopy: storage.openRows.bind(storage),
    }
  }

  async #opened(): Promise<SqliteStorage> {
    const { SqliteStorage } = await import('../../frontier/sqlite/sqlite-storage.ts')
    this.#storage ??= new SqliteStorage({
      folderOf: (crawlId) => frontierFolder(this.#folder, crawlId),
    })
    return this.#storage
  }
}

/** A scouter that is started again has the name of the one that died, and so its partitions. */
function ownerOf({ nth }: Pair): string {
  return `scouter-${nth + 1}`
}

/** A notice if requests at once, of which each scouter needs one, allow fewer scouters than were asked for. */
function fewerThanWanted({ settings }: Job): readonly string[] {
  const { scouters, concurrency, perIp } = settings
  const most = maxPairs(settings)
  if (most >= scouters) return []
  const flag = most === perIp && perIp < concurrency ? 'per-ip' : 'concurrency'
  const work = most === 1 ? 'one scouter works' : `${most} scouters work`
  return [`${work} on this crawl, not ${scouters}, because of --${flag} ${most}`]
}
