// The states of hosts for display, the largest first.
import type { HostState } from '../../core/host.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Host } from './host.ts'
import type { Hosts } from './hosts.ts'

/** Up to this number, reading all hosts takes a fraction of a millisecond. */
const FEW_HOSTS = 1000
/**
 * Reading them takes some 0.16 µs per host. With more hosts the result is reused for sixty times as long: a
 * caller that asks all the time costs the crawl less than 2 %, and with 100,000 hosts sees a new one after a
 * second.
 */
const LOOK_LASTS_MS_PER_HOST = 0.01

type Look = {
  readonly hosts: readonly Host[]
  readonly limit: number
  readonly at: number
}

export class LargestHosts {
  readonly #hosts: Hosts
  readonly #clock: Clock
  #look: Look | null = null

  constructor(hosts: Hosts, clock: Clock) {
    this.#hosts = hosts
    this.#clock = clock
  }

  /** The states are always current. In a wide crawl, the choice of hosts may be a moment old. */
  take(limit: number): readonly HostState[] {
    const look = this.#look
    const isGood = look !== null && this.#lasts(look, limit)
    const hosts = largestOf(isGood ? look.hosts : this.#hosts.all(), limit)
    if (!isGood) this.#look = { hosts, limit, at: this.#clock.now() }
    const states = hosts.map((host) => host.stateWith(this.#hosts.delayOf(host)))
    return this.#withParked(states, limit)
  }

  #withParked(states: readonly HostState[], limit: number): readonly HostState[] {
    const byName = new Map<string, HostState>()
    for (const state of this.#hosts.parkedStates(limit)) byName.set(state.host, state)
    if (byName.size === 0) return states
    for (const state of states) byName.set(state.host, state)
    const bySize = [...byName.values()].sort((a, b) => sizeOf(b) - sizeOf(a))
    return bySize.slice(0, limit)
  }

  #lasts({ at, limit }: Look, wanted: number): boolean {
    if (this.#hosts.size <= FEW_HOSTS || limit !== wanted) return false
    // The absolute value, since the clock may be set back.
    return Math.abs(this.#clock.now() - at) < this.#hosts.size * LOOK_LASTS_MS_PER_HOST
  }
}

function sizeOf({ stored, queued, inFlight }: HostState): number {
  return stored + queued + inFlight
}

/** Visits each host once and keeps the largest few. */
function largestOf(hosts: Iterable<Host>, limit: number): readonly Host[] {
  let kept: { readonly host: Host; readonly size: number }[] = []
  for (const host of hosts) {
    kept.push({ host, size: host.stored + host.queued + host.delayed + host.held })
    if (kept.length >= 2 * limit + 64) kept = cut(kept, limit)
  }
  return cut(kept, limit).map(({ host }) => host)
}

function cut<T extends { readonly size: number }>(kept: readonly T[], limit: number): T[] {
  return kept.toSorted((a, b) => b.size - a.size).slice(0, limit)
}
