// The rows of the host limiter in memory, for tests of what processes do with them.
import type { Clock } from '../../src/lib/clock.ts'
import type { HostQueue } from '../../src/scouter/host-limiter-rules.ts'
import type { ServerTime } from '../../src/scouter/limiter/membership.ts'
import type {
  HostRow,
  HostWrite,
  KnownMember,
  LimiterStorage,
  Member,
  Reported,
} from '../../src/scouter/limiter/storage.ts'

export class MemoryLimiterStorage implements LimiterStorage {
  readonly members = new Map<string, KnownMember>()
  readonly rows = new Map<string, HostRow>()
  readonly #now: () => number
  /** Calls so far, by name. */
  readonly calls: Record<string, number> = {}
  /** Called before rows are written: another process may be faster. */
  beforeWrite: () => void = () => {}
  /** Rows are written, but the answer says nothing of it. */
  losesAnswers = false

  constructor(now: () => number) {
    this.#now = now
  }

  /** As after a crash of the server. */
  lose(): void {
    this.members.clear()
    this.rows.clear()
  }

  queueOf(host: string): HostQueue | undefined {
    return this.rows.get(host)?.queue
  }

  async report(member: Member, forMs: number): Promise<Reported> {
    this.#count('report')
    const now = this.#now()
    const known = this.members.get(member.name)
    const silentSince = Math.max(member.silentSince, known?.silentSince ?? 0)
    this.members.set(member.name, { ...member, silentSince, at: now, until: now + forMs })
    await Promise.resolve()
    const others = [...this.members.values()].filter(({ crawl }) => crawl !== member.crawl)
    return { now, wasKnown: known !== undefined, others }
  }

  async membersOf(crawl: string): Promise<readonly string[]> {
    const all = [...this.members.values()]
    return all.filter((one) => one.crawl === crawl && !one.isGone).map(({ name }) => name)
  }

  async end(names: readonly string[]): Promise<{ now: number; ended: number }> {
    const now = this.#now()
    const ended = names.flatMap((name) => this.members.get(name) ?? []).filter((m) => !m.isGone)
    for (const member of ended) {
      const silentSince = member.shares ? member.silentSince : now
      this.members.set(member.name, { ...member, isGone: true, until: now, silentSince })
    }
    return { now, ended: ended.length }
  }

  async read(hosts: readonly string[]): Promise<readonly HostRow[]> {
    this.#count('read')
    return structuredClone(hosts.flatMap((host) => this.rows.get(host) ?? []))
  }

  async readRecent(since: number, now: number): Promise<readonly HostRow[]> {
    const all = [...this.rows.values()]
    return structuredClone(all.filter((row) => row.usedAt > since || row.queue.restsUntil > now))
  }

  async write(rows: readonly HostWrite[]): Promise<ReadonlySet<string>> {
    this.#count('write')
    this.beforeWrite()
    const written = rows.filter(({ host, previous }) => {
      const known = this.rows.get(host)
      return known === undefined || known.version === previous
    })
    for (const { previous: _, ...row } of structuredClone(written)) this.rows.set(row.host, row)
    return new Set(this.losesAnswers ? [] : written.map(({ host }) => host))
  }

  async heldBy(names: readonly string[]): Promise<readonly string[]> {
    const all = [...this.rows.values()]
    return all
      .filter(({ queue }) => queue.shares.some(({ holder }) => names.includes(holder)))
      .map(({ host }) => host)
  }

  async purge(before: { readonly hosts: number; readonly members: number }): Promise<void> {
    for (const [name, { until }] of this.members) {
      if (until < before.members) this.members.delete(name)
    }
    for (const [host, { usedAt, queue }] of this.rows) {
      if (usedAt < before.hosts && queue.restsUntil < before.hosts) this.rows.delete(host)
    }
  }

  #count(name: string): void {
    this.calls[name] = (this.calls[name] ?? 0) + 1
  }
}

/** One clock for all processes of a test. */
export function sharedTime(clock: Clock): ServerTime {
  return { earliest: () => clock.now(), latest: () => clock.now(), heard: () => {} }
}
