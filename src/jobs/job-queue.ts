// Waiting jobs, oldest first. A job that was paused and continues keeps its place.
import type { JobRecord } from '../core/job.ts'

export class JobQueue {
  #jobs: JobRecord[] = []

  get length(): number {
    return this.#jobs.length
  }

  get first(): JobRecord | null {
    return this.#jobs[0] ?? null
  }

  add(job: JobRecord): void {
    const place = this.#placeOf(job.id)
    if (this.#jobs[place]?.id !== job.id) this.#jobs.splice(place, 0, job)
  }

  /** Null if it does not wait. */
  take(id: number): JobRecord | null {
    const place = this.#placeOf(id)
    return this.#jobs[place]?.id === id ? (this.#jobs.splice(place, 1)[0] ?? null) : null
  }

  /** The number of jobs before it; null if it does not wait. */
  ahead(id: number): number | null {
    const place = this.#placeOf(id)
    return this.#jobs[place]?.id === id ? place : null
  }

  /** The index of the job of that number, or where it would be inserted. */
  #placeOf(id: number): number {
    let [low, high] = [0, this.#jobs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#jobs[middle]?.id ?? id) < id) low = middle + 1
      else high = middle
    }
    return low
  }
}
