// Idle hosts, out of memory: a crawl of a million hosts works on few of them at a time. The state of a host
// beyond its row (its clock to the millisecond, the state of its robots.txt, its costs) is saved as the
// difference from a new host, and restored when one of its URLs is found or settled.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { HostState } from '../../core/host.ts'
import { Host, Origin, Site } from './host.ts'

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
  readonly #sql: ReturnType<typeof prepare>
  /** The largest parked hosts, and some more. */
  #shown = new Map<number, HostState>()
  /** No host smaller than this stayed in `#shown` when it was last cut. */
  #least = 0
  #size = 0

  /** The rows of hosts hold what earlier runs have parked. */
  constructor(db: DatabaseSync) {
    db.exec('DELETE FROM parked')
    this.#sql = prepare(db)
  }

  get size(): number {
    return this.#size
  }

  park(host: Host, state: HostState): void {
    const origins = host.origins.map((origin) => ({ id: origin.id, facts: factsOf(origin) }))
    this.#sql.insert.run(host.name, host.id, JSON.stringify([factsOf(host), origins]))
    this.#size += 1
    if (state.stored < this.#least) return
    this.#shown.set(host.id, state)
    if (this.#shown.size >= 2 * SHOWN) this.#cut()
  }

  /** Moves a host back into memory; undefined if no host of that name is parked. */
  take(name: string): Parked | undefined {
    const row = this.#size === 0 ? undefined : this.#sql.find.get(name)
    if (row === undefined) return undefined
    const id = Number(row.id)
    this.#sql.remove.run(name)
    this.#size -= 1
    this.#shown.delete(id)
    const [facts, origins] = JSON.parse(String(row.facts))
    return { id, facts, origins }
  }

  /** The name of a host that may be parked. */
  nameOf(id: number): string | undefined {
    const row = this.#size === 0 ? undefined : this.#sql.name.get(id)
    return row === undefined ? undefined : String(row.name)
  }

  /** The states for display: the largest hosts, or all of them if more are wanted. */
  states(limit: number): Iterable<HostState> {
    return limit <= SHOWN || this.#shown.size === this.#size ? this.#shown.values() : this.#all()
  }

  *#all(): Iterable<HostState> {
    for (const row of this.#sql.all.iterate()) {
      yield {
        ...{ host: String(row.name), site: String(row.site), queued: 0, inFlight: 0 },
        ...{ stored: Number(row.stored), failures: Number(row.failures) },
        ...{ trouble: String(row.trouble), delayMs: Number(row.delay_ms) },
        restsUntil: Number(row.rests_until),
      }
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

function prepare(db: DatabaseSync) {
  return {
    insert: db.prepare('INSERT OR REPLACE INTO parked (name, id, facts) VALUES (?, ?, ?)'),
    find: db.prepare('SELECT id, facts FROM parked WHERE name = ?'),
    remove: db.prepare('DELETE FROM parked WHERE name = ?'),
    name: db.prepare('SELECT name FROM host WHERE id = ?'),
    all: db.prepare('SELECT h.* FROM parked p JOIN host h ON h.id = p.id'),
  } as const satisfies Record<string, StatementSync>
}
