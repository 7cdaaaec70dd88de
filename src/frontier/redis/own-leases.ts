// The leases of this session, and what its requests do to the clocks of their hosts before the server
// has said so. The rules are those of holds.lua; whatever the server answers replaces what is here.
import type { HostState } from '../../core/host.ts'
import type { HostFeedback, Lease, Settled } from '../frontier.ts'
import type { GivenLease, HostClock } from './reply.ts'

type Own = {
  readonly lease: Lease
  readonly reservedUntil: number
  startedAt: number | null
  landed: boolean
  settled: boolean
}

type LocalClock = { -readonly [Key in keyof HostClock]: HostClock[Key] } & {
  /** The call that will tell the server of the last event here. */
  toldBy: number
}

/** Hosts whose state is remembered for those who look. */
const MAX_HOSTS = 20_000

export class OwnLeases {
  readonly #delayMs: number
  readonly #perHost: number
  readonly #byToken = new Map<number, Own>()
  readonly #byName = new Map<string, Own>()
  readonly #hosts = new Map<string, LocalClock>()
  readonly #untold = new Set<LocalClock>()
  /** Leases that ended here, by the call that tells it. */
  #ended: { readonly toldBy: number; readonly revisit: boolean }[] = []

  constructor({ delayMs, perHost }: { readonly delayMs: number; readonly perHost: number }) {
    this.#delayMs = Math.ceil(delayMs)
    this.#perHost = perHost
  }

  take({ lease, outside }: GivenLease, now: number): void {
    const own: Own = {
      ...{ lease, reservedUntil: now + lease.delayMs, startedAt: null },
      ...{ landed: false, settled: outside },
    }
    this.#byToken.set(lease.token, own)
    if (!outside) this.#byName.set(nameOf(lease), own)
  }

  /** What the server says of a host, as of a call; not when this session has news of its own for it. */
  learn(facts: HostClock, call: number): void {
    const known = this.#hosts.get(facts.name)
    if (known !== undefined) {
      if (this.#untold.has(known) && known.toldBy > call) return
      Object.assign(known, facts)
      return
    }
    if (this.#hosts.size >= MAX_HOSTS) this.#hosts.clear()
    this.#hosts.set(facts.name, { ...facts, toldBy: 0 })
  }

  /** The lease as it was given; undefined when this session has no such one. */
  leaseOf(settled: Settled): Lease | undefined {
    return this.#find(settled)?.lease
  }

  holds(lease: Lease): boolean {
    return this.#byToken.has(lease.token)
  }

  /** False when the server knows already, or never will. */
  started(lease: Lease, now: number, toldBy: number): boolean {
    const own = this.#byToken.get(lease.token)
    if (own === undefined || own.landed || own.startedAt !== null) return false
    own.startedAt = now
    const clock = this.#hosts.get(lease.host)
    if (clock === undefined) return true
    clock.unstarted -= 1
    clock.restsUntil = Math.max(clock.restsUntil, now + this.#delayOf(clock))
    this.#news(clock, toldBy)
    return true
  }

  landed(lease: Lease, note: HostFeedback, at: { now: number; toldBy: number }): boolean {
    const own = this.#byToken.get(lease.token)
    if (own === undefined || own.landed) return false
    own.landed = true
    this.#forget(own, at.toldBy)
    const clock = this.#hosts.get(lease.host)
    if (clock === undefined) return true
    clock.inFlight -= 1
    if (own.startedAt === null) {
      clock.unstarted -= 1
      if (clock.restsUntil === own.reservedUntil) clock.restsUntil = at.now
    }
    if (note.delayMs !== undefined) {
      clock.ownDelayMs = Math.ceil(note.delayMs)
      const from = own.startedAt ?? 0
      clock.restsUntil = Math.max(clock.restsUntil, from + this.#delayOf(clock))
    }
    if (note.restMs !== undefined) {
      clock.restsUntil = Math.max(clock.restsUntil, at.now + Math.ceil(note.restMs))
    }
    this.#news(clock, at.toldBy)
    return true
  }

  settled(settled: Settled): void {
    const own = this.#find(settled)
    if (own === undefined) return
    this.#byName.delete(nameOf(own.lease))
    own.settled = true
    // A request that never went out is over with it.
    if (own.landed || own.startedAt === null) this.#byToken.delete(own.lease.token)
  }

  /** The server has answered a call: it knows all that was told with it. */
  heard(call: number): void {
    for (const clock of this.#untold) if (clock.toldBy <= call) this.#untold.delete(clock)
    this.#ended = this.#ended.filter(({ toldBy }) => toldBy > call)
  }

  /** When one of the hosts the server has not heard of could be visited; Infinity: none. */
  get readyAt(): number {
    let at = Number.POSITIVE_INFINITY
    for (const clock of this.#untold) at = Math.min(at, this.#freeAt(clock))
    return at
  }

  /** Leases that the server still counts as out. */
  get endedUntold(): { readonly all: number; readonly revisits: number } {
    let revisits = 0
    for (const { revisit } of this.#ended) if (revisit) revisits += 1
    return { all: this.#ended.length, revisits }
  }

  /** Drops what has not gone out yet. */
  dropUnstarted(): void {
    for (const [token, { lease, startedAt, landed }] of this.#byToken) {
      if (startedAt !== null || landed) continue
      this.#byToken.delete(token)
      this.#byName.delete(nameOf(lease))
    }
  }

  /** Of all that has not ended both ways. */
  get tokens(): readonly number[] {
    return [...new Set([...this.#byToken.keys(), ...this.#tokensToSettle()])]
  }

  *#tokensToSettle(): Iterable<number> {
    for (const { lease } of this.#byName.values()) yield lease.token
  }

  /** Nothing of what this session held is its own any more. */
  clear(): void {
    this.#byToken.clear()
    this.#byName.clear()
    this.#untold.clear()
    this.#ended = []
  }

  hostStates(): HostState[] {
    return Array.from(this.#hosts.values(), (clock) => ({
      ...{ host: clock.name, site: clock.site, queued: clock.queued, inFlight: clock.inFlight },
      ...{ stored: clock.stored, failures: clock.failures, trouble: clock.trouble },
      ...{ delayMs: this.#delayOf(clock), restsUntil: clock.restsUntil },
    }))
  }

  #find(settled: Settled): Own | undefined {
    const { token, url } = settled
    // Without a token the URL has the last word; receipts of the kind are few.
    if (token === null && url !== undefined) return this.#findByUrl(settled.kind, url)
    const own = this.#byName.get(nameOf(settled))
    return token === null || own?.lease.token === token ? own : undefined
  }

  #findByUrl(kind: Lease['kind'], url: Lease['url']): Own | undefined {
    for (const own of this.#byName.values()) {
      if (own.lease.url === url && own.lease.kind === kind) return own
    }
    return undefined
  }

  #freeAt(clock: LocalClock): number {
    const awaitsStart = clock.unstarted > 0 && this.#delayOf(clock) > 0
    const isBusy = clock.inFlight >= this.#perHost || clock.robotsOut > 0 || awaitsStart
    if (isBusy) return Number.POSITIVE_INFINITY
    return Math.max(clock.restsUntil, clock.awaitedUntil, clock.workAt)
  }

  #delayOf({ ownDelayMs }: LocalClock): number {
    return Math.max(this.#delayMs, ownDelayMs)
  }

  #news(clock: LocalClock, toldBy: number): void {
    clock.toldBy = toldBy
    this.#untold.add(clock)
  }

  #forget(own: Own, toldBy: number): void {
    if (!own.settled || !own.landed) return
    this.#byToken.delete(own.lease.token)
    this.#ended.push({ toldBy, revisit: own.lease.revisit !== undefined })
  }
}

function nameOf({ kind, id }: Settled): string {
  return `${kind} ${id}`
}
