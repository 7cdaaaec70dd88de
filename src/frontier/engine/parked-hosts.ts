// Idle hosts, out of memory: a crawl of a million hosts works on few of them at a time. The state of a host
// beyond its row (its clock to the millisecond, the state of its robots.txt, its costs) is saved as the
// difference from a new host, and restored when one of its URLs is found or settled.
import type { HostState } from '../../core/host.ts'
import { Host, Origin, Site } from './host.ts'
import type { Rows } from './rows.ts'

/** The number of parked hosts that are shown without reading the file. */
const SHOWN = 1000

/** Fields that are not saved: positions in other parts, and fields that are empty in an idle host. */
const LEFT: ReadonlySet<string> = new Set([
  ...['heapAt', 'place', 'line', 'countsAsReady', 'id', 'name', 'site', 'origins', 'dirty'],
  ...['host', 'queue', 'revisits', 'sitemaps'],
])

type Facts = Readonly<Record<string, unknown>>

export type Parked = {
  readonly id: number
  readonly facts: Facts
  readonly origins: readonly { readonly id: number; readonly facts: Facts }[]
}

export class ParkedHosts {
  readonly #rows: Pick<Rows, 'host' | 'parked'>
  /** The largest parked hosts, and some more. */
  #shown = new Map<number, HostState>()
  /** No host smaller than this stayed in `#shown` when it was last cut. */
  #least = 0
  #size = 0

  /** The rows of hosts hold what earlier runs have parked. */
  constructor(rows: Pick<Rows, 'host' | 'parked'>) {
    this.#rows = rows
    rows.parked.clear()
  }

  park(host: Host, state: HostState): void {
    const origins = host.origins.map((origin) => ({ id: origin.id, facts: factsOf(origin) }))
    const facts = JSON.stringify([factsOf(host), origins])
    this.#rows.parked.put({ name: host.name, id: host.id, facts })
    this.#size += 1
    if (state.stored < this.#least) return
    this.#shown.set(host.id, state)
    if (this.#shown.size >= 2 * SHOWN) this.#cut()
  }

  /** Moves a host back into memory; undefined if no host of that name is parked. */
  take(name: string): Parked | undefined {
    const row = this.#size === 0 ? undefined : this.#rows.parked.get(name)
    if (row === undefined) return undefined
    this.#rows.parked.drop(name)
    this.#size -= 1
    this.#shown.delete(row.id)
    const [facts, origins] = JSON.parse(row.facts)
    return { id: row.id, facts, origins }
  }

  /** The name of a host that may be parked. */
  nameOf(id: number): string | undefined {
    return this.#size === 0 ? undefined : this.#rows.host.get(id)?.name
  }

  /** The states for display: the largest hosts, or all of them if more are wanted. */
  states(limit: number): Iterable<HostState> {
    return limit <= SHOWN || this.#shown.size === this.#size ? this.#shown.values() : this.#all()
  }

  *#all(): Iterable<HostState> {
    for (const { id } of this.#rows.parked.all()) {
      const row = this.#rows.host.get(id)
      if (row === undefined) continue
      const { name: host, site, stored, failures, trouble, delayMs, restsUntil } = row
      yield { host, site, queued: 0, inFlight: 0, stored, failures, trouble, delayMs, restsUntil }
    }
  }

  #cut(): void {
    const bySize = [...this.#shown].sort(([, a], [, b]) => b.stored - a.stored)
    this.#shown = new Map(bySize.slice(0, SHOWN))
    this.#least = bySize[SHOWN - 1]?.[1].stored ?? 0
  }
}

/** Copies the saved fields into a new host or origin. */
export function restore(to: Host | Origin, facts: Facts): void {
  Object.assign(to, facts)
}

const NEW_HOST = new Host(0, '', new Site('', false))
const NEW_ORIGIN = new Origin(0, NEW_HOST, {
  ...{ size: 0, bestScore: Number.NEGATIVE_INFINITY, bestId: 0 },
  ...{ look: () => {}, take: () => 0, recount: () => {}, add: () => {}, drop: () => {} },
  ...{ move: () => false, clear: () => {} },
})

const USUAL_OF_HOST = new Map<string, unknown>(Object.entries(NEW_HOST))
const USUAL_OF_ORIGIN = new Map<string, unknown>(Object.entries(NEW_ORIGIN))

function factsOf(of: Host | Origin): Facts {
  const usual = of instanceof Host ? USUAL_OF_HOST : USUAL_OF_ORIGIN
  const facts: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(of)) {
    if (!LEFT.has(name) && usual.get(name) !== value) facts[name] = value
  }
  return facts
}
