// One job as it is now, kept current by the server's events: what all views of a job share.
//
//   asked once: overview, history     by events: job, progress, page, notice, removed
//
// Events come many times a second; what they change is gathered and shown a few times a second.
import { batch, type Signal, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { JobLeases } from '../../api/shapes/worker.ts'
import type { JobHistory, JobOverview, JobProgress, JobSummary } from '../../reads/shapes/job.ts'
import type { PageIds, PageRow, PageRows } from '../../reads/shapes/page.ts'
import { type Failure, get } from '../api.ts'
import { EventLink, type LinkState } from '../events.ts'
import { withBusy } from '../job/job-words.ts'
import { extended, finished, type Sample, samplesOf } from './curve.ts'
import { fleet } from './fleet.ts'

/** Pages in the stream of the newest ones. */
const NEWEST_KEPT = 60
const NEWEST_ASKED = 12
const NOTICES_KEPT = 20
const SHOW_EVERY_MS = 250
/** What runs in another program tells no events here: it is asked for. */
const ASK_EVERY_MS = 3000

type JobNotice = { readonly at: number; readonly text: string }

export class LiveJob {
  readonly id: string
  /** Null before the first answer. */
  readonly job: Signal<JobSummary | null> = signal(null)
  readonly overview: Signal<JobOverview | null> = signal(null)
  /** Null unless it runs. */
  readonly progress: Signal<JobProgress | null> = signal(null)
  readonly curve: Signal<readonly Sample[]> = signal([])
  /** Newest first. */
  readonly newest: Signal<readonly PageRow[]> = signal([])
  readonly notices: Signal<readonly JobNotice[]> = signal([])
  /** What is in whose hands; null where the work is not shared, or nothing was told yet. */
  readonly leases: Signal<JobLeases | null> = signal(null)
  readonly failure: Signal<Failure | null> = signal(null)
  readonly removed: Signal<boolean> = signal(false)
  readonly #link: EventLink
  #arrived: PageRow[] = []
  #latest: JobProgress | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #asking = setInterval(() => this.#askAgain(), ASK_EVERY_MS)
  #closed = false
  #toldAt = Date.now()

  constructor(id: string) {
    this.id = id
    const listeners = {
      job: (job: JobSummary) => this.#took(job),
      progress: (progress: JobProgress) => {
        this.#latest = progress
        this.#showSoon()
      },
      page: (page: PageRow) => {
        this.#arrived.push(page)
        if (this.#arrived.length > NEWEST_KEPT) this.#arrived.shift()
        this.#showSoon()
      },
      leases: (leases: JobLeases) => {
        this.leases.value = leases
      },
      notice: (notice: JobNotice) => {
        this.notices.value = [notice, ...this.notices.value].slice(0, NOTICES_KEPT)
      },
      removed: () => {
        this.removed.value = true
      },
    }
    const path = `/crawl/${id}/events`
    this.#link = new EventLink({ path, listeners, onReturn: () => void this.refresh() })
    void this.refresh()
    void this.#askNewest()
  }

  get link(): Signal<LinkState> {
    return this.#link.state
  }

  /** True of a crawl that was removed or never was. */
  get gone(): boolean {
    return this.removed.value || this.failure.value?.status === 404
  }

  /** How long a running job has been running. */
  ranMs(now: number): number {
    return (this.job.value?.ran_ms ?? 0) + Math.max(0, now - this.#toldAt)
  }

  /** Loads everything again. */
  async refresh(): Promise<void> {
    const leasing = fleet.value?.shared ? get<JobLeases>(`/crawl/${this.id}/leases`) : null
    const [overview, history, leases] = await Promise.all([
      get<JobOverview>(`/crawl/${this.id}/overview`),
      get<JobHistory>(`/crawl/${this.id}/history`),
      leasing,
    ])
    if (this.#closed) return
    if (!overview.ok && overview.failure.status === 404) this.#link.close()
    batch(() => {
      this.failure.value = overview.ok ? null : overview.failure
      if (overview.ok) {
        this.overview.value = overview.value
        this.#keep(overview.value.job)
        this.progress.value = overview.value.progress
      }
      if (leases?.ok) this.leases.value = leases.value
      if (history.ok) this.curve.value = this.#whole(samplesOf(history.value))
    })
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    clearInterval(this.#asking)
    this.#link.close()
  }

  #askAgain(): void {
    if (this.job.value?.elsewhere) void this.refresh()
  }

  #whole(curve: readonly Sample[]): readonly Sample[] {
    const job = this.job.value
    return job === null || job.status === 'running' ? curve : finished(curve, job)
  }

  #took(job: JobSummary): void {
    const before = this.job.value
    batch(() => {
      this.#keep(job)
      if (job.status !== 'running') this.progress.value = null
    })
    // Once the job is at rest, the server reports the totals and the end of the curve.
    if (before !== null && before.status !== job.status) void this.refresh()
  }

  /** What was stored before we began to listen. */
  async #askNewest(): Promise<void> {
    const path = `/crawl/${this.id}`
    const order = { sort: 'id', descending: true, limit: NEWEST_ASKED }
    const found = await get<PageIds>(`${path}/page-ids`, order)
    if (!found.ok || found.value.ids.length === 0) return
    const rows = await get<PageRows>(`${path}/pages`, { ids: found.value.ids.join(',') })
    if (!rows.ok || this.#closed) return
    this.#arrived = [...rows.value.pages.toSorted((a, b) => a.id - b.id), ...this.#arrived]
    this.#showSoon()
  }

  #keep(job: JobSummary): void {
    this.job.value = job
    this.#toldAt = Date.now()
  }

  #showSoon(): void {
    if (this.#timer !== undefined || this.#closed) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      batch(() => this.#show())
    }, SHOW_EVERY_MS)
  }

  #show(): void {
    if (this.#arrived.length > 0) {
      const all = new Map([...this.newest.value, ...this.#arrived].map((page) => [page.id, page]))
      const sorted = [...all.values()].sort((a, b) => b.id - a.id)
      this.newest.value = sorted.slice(0, NEWEST_KEPT)
      this.#arrived = []
    }
    const job = this.job.value
    if (this.#latest !== null && job?.status === 'running') {
      this.job.value = withBusy(job, this.#latest.busy)
      this.progress.value = this.#latest
      this.curve.value = extended(this.curve.value, this.#latest)
    }
    this.#latest = null
  }
}

/** The job that the views inside of a job are about. */
export const JobContext = createContext<LiveJob | null>(null)

/** Only inside of a job's frame. */
export function useLiveJob(): LiveJob {
  const live = useContext(JobContext)
  if (live === null) throw new Error('This view belongs inside of a job.')
  return live
}
