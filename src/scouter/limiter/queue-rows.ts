// Changes rows of hosts that other processes change as well: each change is made on the row as it was read,
// and made again if another process was faster. A row written last is not read again before its next change.
import { emptyLine, type HostQueue, leaveIn } from '../host-limiter-rules.ts'
import type { HostRow, HostWrite, LimiterStorage } from './storage.ts'

const MAX_CACHED = 20_000
/** Rows in one statement. */
const CHUNK = 500
const VERSIONS = 2 ** 52

export type QueueEdit<T> = (queue: HostQueue, host: string, usedAt: number) => T

export class QueueRows {
  readonly #storage: LimiterStorage
  readonly #cache = new Map<string, HostRow>()

  constructor(storage: LimiterStorage) {
    this.#storage = storage
  }

  clear(): void {
    this.#cache.clear()
  }

  /** The result of the edit that was written, for each host. `edit` may be called again with another row. */
  async change<T>(
    hosts: readonly string[],
    now: number,
    edit: QueueEdit<T>,
  ): Promise<Map<string, T>> {
    const results = new Map<string, T>()
    for (let at = 0; at < hosts.length; at += CHUNK) {
      let left = hosts.slice(at, at + CHUNK)
      while (left.length > 0) {
        await this.#readMissing(left)
        const tries = left.map((host) => this.#edited(host, now, edit))
        const written = await this.#write(tries.map(({ write }) => write))
        for (const { write, result } of tries) {
          if (written.has(write.host)) results.set(write.host, result)
        }
        left = left.filter((host) => !written.has(host))
      }
    }
    return results
  }

  #edited<T>(host: string, usedAt: number, edit: QueueEdit<T>): { write: HostWrite; result: T } {
    const row = this.#cache.get(host)
    const queue = structuredClone(row?.queue ?? emptyLine())
    const result = edit(queue, host, row?.usedAt ?? 0)
    const version = 1 + Math.floor(Math.random() * VERSIONS)
    return { write: { host, version, previous: row?.version ?? 0, usedAt, queue }, result }
  }

  /** A row that was written without an answer has the version that was given to it. */
  async #write(writes: readonly HostWrite[]): Promise<ReadonlySet<string>> {
    const written = new Set(await this.#storage.write(writes))
    const refused = writes.filter(({ host }) => !written.has(host)).map(({ host }) => host)
    for (const host of refused) this.#cache.delete(host)
    await this.#readMissing(refused)
    for (const { previous: _, ...row } of writes) {
      if (this.#cache.get(row.host)?.version === row.version) written.add(row.host)
      if (written.has(row.host)) this.#cache.set(row.host, row)
    }
    return written
  }

  async #readMissing(hosts: readonly string[]): Promise<void> {
    const missing = hosts.filter((host) => !this.#cache.has(host))
    if (missing.length === 0) return
    if (this.#cache.size > MAX_CACHED) this.#cache.clear()
    const unknown = hosts.filter((host) => !this.#cache.has(host))
    for (const row of await this.#storage.read(unknown)) this.#cache.set(row.host, row)
  }
}

/**
 * Ends what dead processes left behind, for callers that know that no process of this crawl is alive:
 * others would have to wait.
 */
export async function endMembersOf(storage: LimiterStorage, crawl: string): Promise<void> {
  await endMembers(storage, await storage.membersOf(crawl))
}

/** What these left at hosts ends now; nothing if none of them is known. */
export async function endMembers(storage: LimiterStorage, names: readonly string[]): Promise<void> {
  const { now, ended } = await storage.end(names)
  if (ended === 0) return
  const hosts = await storage.heldBy(names)
  await new QueueRows(storage).change(hosts, now, (queue) => {
    for (const name of names) leaveIn(queue, name, now)
  })
}
