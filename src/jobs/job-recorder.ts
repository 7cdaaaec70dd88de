// Records what happens to jobs: saves it first, then notifies listeners.
//
// A status is written in two steps, its event first. After a crash in between, the event is reported again
// later, and none is ever missed.
import { type CrawlSettings, isFinal, type JobRecord, type JobStatus } from '../core/job.ts'
import type { JobEvent, JobJournal, KeptEvent } from '../store/job-journal.ts'
import type { JobStore } from '../store/job-store.ts'
import type { DispatchListener } from './dispatcher.ts'

export class JobRecorder {
  readonly #jobs: JobStore
  readonly #journal: JobJournal
  readonly #listeners = new Set<DispatchListener>()

  constructor({ jobs, journal }: { readonly jobs: JobStore; readonly journal: JobJournal }) {
    this.#jobs = jobs
    this.#journal = journal
  }

  subscribe(listener: DispatchListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Returns the updated job. */
  async setStatus(job: JobRecord, status: JobStatus, note = ''): Promise<JobRecord> {
    const kept = await this.#journal.append(job.id, { type: 'status', status, note })
    await this.#jobs.setStatus(job.id, status, note)
    this.#announce(kept)
    return { ...job, status, note, endedAt: isFinal(status) ? kept.at : null }
  }

  /** The server will continue it, whoever ran it before. */
  async enqueue(id: number, settings: CrawlSettings): Promise<JobRecord> {
    const started = { type: 'status', status: 'started', note: '' } as const
    const kept = await this.#journal.append(id, started)
    const job = await this.#jobs.enqueue(id, settings)
    this.#announce(kept)
    return job
  }

  async tell(id: number, event: JobEvent): Promise<void> {
    this.#announce(await this.#journal.append(id, event))
  }

  moved(id: number): void {
    this.#each(({ onProgress }) => onProgress(id))
  }

  #announce(kept: KeptEvent): void {
    this.#each(({ onEvent }) => onEvent(kept))
  }

  #each(call: (listener: DispatchListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        call(listener)
      } catch {
        // An error of a listener does not affect the job.
      }
    }
  }
}
