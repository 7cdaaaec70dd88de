// The registry in Redis: one script for every operation, on keys of one hash tag.
import type { RedisConnection } from '../../db/redis.ts'
import {
  byArrival,
  OWNER_LIVES,
  otherProtocol,
  programText,
  readAnnouncements,
  readSnapshot,
  readWorkers,
  WORKER_MS,
  WorkerCache,
} from '../registry-records.ts'
import {
  type Announcement,
  type Heard,
  PROTOCOL,
  type Program,
  type ProgressSnapshot,
  type WorkerRecord,
  type WorkerRegistry,
} from '../worker-registry.ts'

export type RedisWorkerRegistryOptions = {
  readonly connection: Pick<RedisConnection, 'prefix' | 'run'>
  /** Epoch ms; default: the server's time. */
  readonly now?: () => number
  /** How long a worker counts as present without a report. */
  readonly workerMs?: number
}

export function createRedisWorkerRegistry(options: RedisWorkerRegistryOptions): WorkerRegistry {
  return new RedisWorkerRegistry(options)
}

type Said = {
  readonly member: string
  readonly forMs: number
  readonly record: string
  readonly by: Program & { readonly name?: string }
}
/** `kind`: workers, runs, or neither. */
type Wanted = { readonly kind: 'w' | 'r' | ''; readonly crawl?: number }
type Answer = {
  readonly now: number
  readonly snapshot: ProgressSnapshot | null
  readonly records: readonly string[]
}

class RedisWorkerRegistry implements WorkerRegistry {
  readonly #options: RedisWorkerRegistryOptions
  readonly #keys: string[]
  readonly #workerMs: number
  readonly #cache = new WorkerCache()

  constructor(options: RedisWorkerRegistryOptions) {
    this.#options = options
    this.#workerMs = options.workerMs ?? WORKER_MS
    const tag = `{${options.connection.prefix}:workers}`
    this.#keys = ['seen', 'workers', 'runs', 'owners', 'glances'].map((name) => `${tag}:${name}`)
  }

  async report(
    record: WorkerRecord,
    snapshots: ReadonlyMap<number, ProgressSnapshot> = new Map(),
  ): Promise<readonly Announcement[]> {
    const member = `w:${record.id}`
    const said = { member, forMs: this.#workerMs, record: JSON.stringify(record), by: record }
    const { records } = await this.#run({ kind: 'r' }, said, snapshots)
    return readAnnouncements(records)
  }

  async leave(id: string): Promise<void> {
    const by = { machine: '', pid: 0, version: '', protocol: PROTOCOL }
    await this.#run({ kind: 'r' }, { member: `w:${id}`, forMs: 0, record: '', by })
  }

  async announce(announcement: Announcement): Promise<Heard> {
    const { crawl, owner } = announcement
    const record = JSON.stringify(announcement)
    const forMs = OWNER_LIVES * this.#workerMs
    const said = { member: `r:${crawl}`, forMs, record, by: owner }
    const kept = this.#cache.recent(announcement)
    const { records, snapshot } = await this.#run({ kind: kept === null ? 'w' : '', crawl }, said)
    if (kept !== null) return { workers: kept, snapshot }
    const workers = readWorkers(records)
    this.#cache.keep(announcement, workers)
    return { workers, snapshot }
  }

  async workers(): Promise<readonly WorkerRecord[]> {
    const { records } = await this.#run({ kind: 'w' })
    return byArrival(readWorkers(records))
  }

  async announcements(): Promise<readonly Announcement[]> {
    const { records } = await this.#run({ kind: 'r' })
    return readAnnouncements(records).toSorted((a, b) => a.crawl - b.crawl)
  }

  async now(): Promise<number> {
    return (await this.#run({ kind: 'r' })).now
  }

  async #run(
    { kind, crawl }: Wanted,
    said?: Said,
    snapshots: ReadonlyMap<number, ProgressSnapshot> = new Map(),
  ): Promise<Answer> {
    const { connection, now } = this.#options
    const looks = [...snapshots].flatMap(([id, snapshot]) => [id, JSON.stringify(snapshot)])
    const answer = await connection.run('fleet/workers', this.#keys, [
      ...[now?.() ?? '', said?.member ?? '', said?.forMs ?? 0, said?.record ?? ''],
      ...[said?.by.protocol ?? '', said === undefined ? '' : programText(said.by)],
      ...[kind, crawl ?? '', ...looks],
    ])
    const [word, ...rest] = Array.isArray(answer) ? answer.map(String) : []
    if (word === 'refused') throw otherProtocol(rest[0] ?? '', said?.by.version ?? '')
    const [at, snapshot = '', ...records] = rest
    return { now: Number(at), snapshot: readSnapshot(snapshot), records }
  }
}
