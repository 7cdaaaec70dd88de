// Totals of crawls, read as rarely as possible: those of a crawl that ended some time ago do not change, and
// the others need not be newer than a second.
import type { JobRecord } from '../core/job.ts'
import type { Clock } from '../lib/clock.ts'
import type { WorkspaceReads } from '../reads/reads.ts'
import type { CrawlTotals } from '../reads/totals.ts'
import type { ApiDeps } from './api-deps.ts'

type Known = Pick<JobRecord, 'status' | 'endedAt'> & {
  readonly at: number
  readonly totals: CrawlTotals
}

const FRESH_MS = 1_000
/** After its end a crawl still does some work: its importance is computed, its last notes are written. */
const SETTLED_MS = 60_000
const MAX_KNOWN = 2_000

type TotalsWorld = Pick<ApiDeps, 'clock'> & { readonly reads: Pick<WorkspaceReads, 'totals'> }

export class KnownTotals {
  readonly #deps: TotalsWorld
  readonly #known = new Map<number, Known>()

  constructor(deps: TotalsWorld) {
    this.#deps = deps
  }

  /** Undefined if the crawl was removed meanwhile. */
  async of(job: JobRecord): Promise<CrawlTotals | undefined> {
    const [totals] = await this.ofAll([job])
    return totals
  }

  async ofAll(jobs: readonly JobRecord[]): Promise<readonly (CrawlTotals | undefined)[]> {
    const asked = jobs.filter((job) => !this.#isKnown(job))
    const read = asked.length === 0 ? [] : await this.#deps.reads.totals(asked.map(({ id }) => id))
    const at = this.#deps.clock.now()
    for (const [index, { id, status, endedAt }] of asked.entries()) {
      const totals = read[index]
      if (totals !== undefined) this.#keep(id, { status, endedAt, at, totals })
    }
    return jobs.map(({ id }) => this.#known.get(id)?.totals)
  }

  #isKnown({ id, status, endedAt }: JobRecord): boolean {
    const known = this.#known.get(id)
    // A client that is notified of a change needs the matching figures.
    if (known === undefined || known.status !== status || known.endedAt !== endedAt) return false
    if (endedAt !== null && known.at - endedAt > SETTLED_MS) return true
    return this.#deps.clock.now() - known.at < FRESH_MS
  }

  #keep(id: number, known: Known): void {
    this.#known.delete(id)
    this.#known.set(id, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest)
  }
}

const WINDOW_MS = 2_000

/** CPU use of this process over the last seconds. */
export class CpuMeter {
  readonly #clock: Clock
  readonly #usedMs: () => number
  #since: { readonly at: number; readonly usedMs: number }
  #share = 0

  constructor(clock: Clock, usedMs = ownCpuMs) {
    this.#clock = clock
    this.#usedMs = usedMs
    this.#since = { at: clock.now(), usedMs: usedMs() }
  }

  /** Share of one core over the last seconds; 1 is a core fully used. */
  share(): number {
    const at = this.#clock.now()
    const passedMs = at - this.#since.at
    if (passedMs < WINDOW_MS) return this.#share
    const usedMs = this.#usedMs()
    this.#share = (usedMs - this.#since.usedMs) / passedMs
    this.#since = { at, usedMs }
    return this.#share
  }
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
