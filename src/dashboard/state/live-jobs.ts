// The list of jobs, kept current by the server's events.
import { batch, type Signal, signal } from '@preact/signals'
import type { JobList, JobProgress, JobSummary } from '../../reads/shapes/job.ts'
import { type Failure, get } from '../api.ts'
import { EventLink, type LinkState } from '../events.ts'
import { withBusy } from '../job/job-words.ts'

/** A job in the list. */
export type ListedJob = {
  readonly job: JobSummary
  /** Null unless it runs. */
  readonly pagesPerSecond: number | null
  /** When this was told, for what grows since. */
  readonly toldAt: number
}

/** What a running job's progress says is newer than what its list entry says. */
export function advanced(entry: ListedJob, progress: JobProgress, toldAt: number): ListedJob {
  const { stored, duplicates, refused, failed, queued, bytes, pages_per_second, busy } = progress
  const ranMs = entry.job.ran_ms + Math.max(0, toldAt - entry.toldAt)
  const known = withBusy(entry.job, busy)
  const job = { ...known, stored, duplicates, refused, failed, queued, bytes, ran_ms: ranMs }
  return { job, pagesPerSecond: pages_per_second, toldAt }
}

/** Newest first; a job that is known keeps its place. */
export function withJob(
  jobs: readonly ListedJob[],
  job: JobSummary,
  toldAt: number,
): readonly ListedJob[] {
  const known = jobs.find((entry) => entry.job.id === job.id)
  const running = job.status === 'running'
  const pagesPerSecond = running ? (known?.pagesPerSecond ?? null) : null
  const entry = { job, pagesPerSecond, toldAt }
  if (known === undefined) return [...jobs, entry].sort((a, b) => numberOf(b) - numberOf(a))
  return jobs.map((before) => (before === known ? entry : before))
}

function numberOf({ job }: ListedJob): number {
  return Number(job.id.slice('crawl_'.length))
}

export class LiveJobs {
  /** Null before the first answer. */
  readonly jobs: Signal<readonly ListedJob[] | null> = signal(null)
  readonly failure: Signal<Failure | null> = signal(null)
  /** True when there are older ones than those listed. */
  readonly more: Signal<boolean> = signal(false)
  readonly #link: EventLink
  #next: string | null = null
  #oldest = Number.POSITIVE_INFINITY

  constructor() {
    this.#link = new EventLink({
      path: '/events',
      listeners: {
        job: (job: JobSummary) => this.#took(job),
        progress: (progress: JobProgress & { readonly id: string }) => this.#advance(progress),
        removed: ({ id }: { readonly id: string }) => this.forget(id),
      },
      onReturn: () => void this.refresh(),
    })
    void this.refresh()
  }

  get link(): Signal<LinkState> {
    return this.#link.state
  }

  async refresh(): Promise<void> {
    const answer = await get<JobList>('/crawl', { limit: 50 })
    batch(() => {
      this.failure.value = answer.ok ? null : answer.failure
      if (answer.ok) this.#list([], answer.value)
    })
  }

  async showMore(): Promise<void> {
    if (this.#next === null) return
    const answer = await get<JobList>('/crawl', { limit: 50, after: this.#next })
    batch(() => {
      this.failure.value = answer.ok ? null : answer.failure
      if (answer.ok) this.#list(this.jobs.value ?? [], answer.value)
    })
  }

  forget(id: string): void {
    this.jobs.value = this.jobs.value?.filter(({ job }) => job.id !== id) ?? null
  }

  close(): void {
    this.#link.close()
  }

  #list(before: readonly ListedJob[], { jobs, next }: JobList): void {
    const toldAt = Date.now()
    const all = jobs.reduce((list, job) => withJob(list, job, toldAt), before)
    this.jobs.value = all
    this.#next = next
    this.more.value = next !== null
    const last = all.at(-1)
    this.#oldest = next === null || last === undefined ? 0 : numberOf(last)
  }

  #took(job: JobSummary): void {
    const jobs = this.jobs.value
    // Older ones than those listed come with `showMore`.
    if (jobs === null || Number(job.id.slice('crawl_'.length)) < this.#oldest) return
    this.jobs.value = withJob(jobs, job, Date.now())
  }

  #advance(progress: JobProgress & { readonly id: string }): void {
    const jobs = this.jobs.value
    if (jobs === null) return
    this.jobs.value = jobs.map((entry) =>
      entry.job.id === progress.id && entry.job.status === 'running'
        ? advanced(entry, progress, Date.now())
        : entry,
    )
  }
}
