// The registry in Redis: one script for every operation, on keys of one hash tag.
import { CrawlerError } from '../../core/errors.ts'
import type { RedisConnection } from '../../db/redis.ts'
import {
  type Announcement,
  type Heard,
  PROTOCOL,
  type Program,
  type ProgressSnapshot,
  type WorkerRecord,
  type WorkerRegistry,
} from '../worker-registry.ts'

/** A worker that is silent for this long is gone: some fifteen reports were missed. */
const WORKER_MS = 15_000
/** In units of a worker's lifetime, during which workers continue: a restarted master is back by then. */
const OWNER_LIVES = 2

/** Up to this number, an owner reads the workers every time; if there are more, the pause grows with them. */
const FEW_WORKERS = 100
const MS_PER_WORKER = 4

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
/** Workers as of the owner's last read. */
type LastHeard = Pick<Announcement, 'phase'> & Pick<Heard, 'workers'> & { readonly at: number }
type Answer = {
  readonly now: number
  readonly glance: ProgressSnapshot | null
  readonly records: readonly unknown[]
}

class RedisWorkerRegistry implements WorkerRegistry {
  readonly #options: RedisWorkerRegistryOptions
  readonly #keys: string[]
  readonly #workerMs: number
  readonly #heard = new Map<number, LastHeard>()

  constructor(options: RedisWorkerRegistryOptions) {
    this.#options = options
    this.#workerMs = options.workerMs ?? WORKER_MS
    const tag = `{${options.connection.prefix}:workers}`
    this.#keys = ['seen', 'workers', 'runs', 'owners', 'glances'].map((name) => `${tag}:${name}`)
  }

  async report(
    record: WorkerRecord,
    glances: ReadonlyMap<number, ProgressSnapshot> = new Map(),
  ): Promise<readonly Announcement[]> {
    const member = `w:${record.id}`
    const said = { member, forMs: this.#workerMs, record: JSON.stringify(record), by: record }
    const { records } = await this.#run({ kind: 'r' }, said, glances)
    return records.filter(isAnnouncement)
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
    const kept = this.#recent(announcement)
    const { records, glance } = await this.#run({ kind: kept === null ? 'w' : '', crawl }, said)
    if (kept !== null) return { workers: kept, glance }
    const workers = records.filter(isWorker)
    const { phase } = announcement
    if (phase === 'over') this.#heard.delete(crawl)
    else this.#heard.set(crawl, { phase, at: performance.now(), workers })
    return { workers, glance }
  }

  /** The workers of a moment ago, if there are many and the crawl just continues. */
  #recent({ crawl, phase }: Announcement): readonly WorkerRecord[] | null {
    const last = this.#heard.get(crawl)
    if (phase !== 'running' || last?.phase !== 'running') return null
    const { workers, at } = last
    if (workers.length <= FEW_WORKERS) return null
    return performance.now() - at < workers.length * MS_PER_WORKER ? workers : null
  }

  async workers(): Promise<readonly WorkerRecord[]> {
    const { records } = await this.#run({ kind: 'w' })
    return records.filter(isWorker).sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1))
  }

  async announcements(): Promise<readonly Announcement[]> {
    const { records } = await this.#run({ kind: 'r' })
    return records.filter(isAnnouncement).sort((a, b) => a.crawl - b.crawl)
  }

  async now(): Promise<number> {
    return (await this.#run({ kind: 'r' })).now
  }

  async #run(
    { kind, crawl }: Wanted,
    said?: Said,
    glances: ReadonlyMap<number, ProgressSnapshot> = new Map(),
  ): Promise<Answer> {
    const { connection, now } = this.#options
    const looks = [...glances].flatMap(([id, glance]) => [id, JSON.stringify(glance)])
    const answer = await connection.run('fleet/workers', this.#keys, [
      ...[now?.() ?? '', said?.member ?? '', said?.forMs ?? 0, said?.record ?? ''],
      ...[said?.by.protocol ?? '', said === undefined ? '' : wordsFor(said.by)],
      ...[kind, crawl ?? '', ...looks],
    ])
    const [word, ...rest] = Array.isArray(answer) ? answer.map(String) : []
    if (word === 'refused') throw strangers(rest[0] ?? '', said?.by.version ?? '')
    const [at, glance = '', ...records] = rest
    return {
      now: Number(at),
      glance: glanceFrom(glance),
      records: records.map((record): unknown => JSON.parse(record)),
    }
  }
}

function wordsFor({ name, machine, pid, version }: Said['by']): string {
  const called = name === undefined || name === machine ? '' : ` (${name})`
  return `Jelajah ${version} on ${machine}${called}, process ${pid}`
}

function strangers(who: string, own: string): CrawlerError {
  const message = `this is Jelajah ${own}, but ${who} is at work here, and the two cannot share crawls`
  return new CrawlerError('store-newer', `${message}. Let all machines run the same version.`)
}

/** Programs of another protocol are never let in, so a check of one field is enough. */
function isAnnouncement(record: unknown): record is Announcement {
  return typeof record === 'object' && record !== null && 'run' in record && 'phase' in record
}

function isWorker(record: unknown): record is WorkerRecord {
  return typeof record === 'object' && record !== null && 'id' in record && 'shares' in record
}

function glanceFrom(text: string): ProgressSnapshot | null {
  const glance: unknown = text === '' ? null : JSON.parse(text)
  return isGlance(glance) ? glance : null
}

function isGlance(glance: unknown): glance is ProgressSnapshot {
  return typeof glance === 'object' && glance !== null && 'counts' in glance && 'hosts' in glance
}
