// The curve of a job over time, in few samples however long it runs: whenever there are too many, every
// second one goes, and from then on they are taken half as often.
import type { Sample } from '../store/job-journal.ts'

export const MAX_SAMPLES = 600
/** Processes give a sign of life as often: a job of a few seconds has a curve, too. */
const FIRST_INTERVAL_MS = 250

export class JobHistory {
  #samples: Sample[]
  #intervalMs: number

  /** Goes on where earlier runs of the job ended. */
  constructor(earlier: readonly Sample[] = []) {
    this.#samples = [...earlier]
    this.#intervalMs = intervalOf(earlier)
    this.#thin()
  }

  get samples(): readonly Sample[] {
    return this.#samples
  }

  /** Whether it is time for another one. */
  isDue(at: number): boolean {
    const last = this.#samples.at(-1)
    return last === undefined || at - last.at >= this.#intervalMs
  }

  add(sample: Sample): void {
    this.#samples.push(sample)
    this.#thin()
  }

  /** The end of a run, due or not. */
  close(sample: Sample): void {
    if (this.#samples.at(-1)?.at === sample.at) this.#samples.pop()
    this.add(sample)
  }

  /** Of an odd number, as it is here, the last one stays. */
  #thin(): void {
    while (this.#samples.length > MAX_SAMPLES) {
      this.#samples = this.#samples.filter((_, nth) => nth % 2 === 0)
      this.#intervalMs *= 2
    }
  }
}

/** Pauses between runs are long and few; most gaps are the interval. */
function intervalOf(samples: readonly Sample[]): number {
  const gaps = samples.slice(1).map(({ at }, nth) => at - (samples[nth]?.at ?? at))
  const median = gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0
  let interval = FIRST_INTERVAL_MS
  // A sample comes a little later than it is due, never earlier.
  while (interval * 2 <= median) interval *= 2
  return interval
}
