// Creates the queues of origins: plain ones, or ones that score their best again if the ordering learns.
import type { Candidate, Scorer } from '../../ordering/ordering.ts'
import { finiteScore } from '../finite-score.ts'
import { DriftingQueue } from './drifting-queue.ts'
import { type CandidateQueue, HostQueue } from './host-queue.ts'
import type { QueueHeads } from './queue-heads.ts'
import type { UrlTable } from './url-table.ts'

/** Total size of the heads of all hosts: some 10 MB, or some 20 if they keep the candidates themselves. */
const CANDIDATES_IN_MEMORY = 200_000
const WHOLE_CANDIDATES_IN_MEMORY = 50_000
const MIN_HEAD = 4
const MAX_HEAD = 256
/** Candidates on disk keep their first score, so a large site is better kept in memory. */
const MAX_DRIFTING_HEAD = 4096

export type QueuesOptions = {
  readonly scorer: Scorer
  readonly urls: UrlTable
  readonly heads: QueueHeads
  /** Candidates in memory per origin; undefined means fewer the more hosts there are. */
  readonly headSize: number | undefined
  readonly hosts: () => number
  readonly learned: () => number
}

export class Queues {
  readonly #options: QueuesOptions

  constructor(options: QueuesOptions) {
    this.#options = options
  }

  /** Creates the queue of an origin with `size` waiting candidates. */
  create(originId: number, size: number): CandidateQueue {
    return this.#options.scorer.drifts
      ? new DriftingQueue(originId, this, size)
      : new HostQueue(originId, this, size)
  }

  get headSize(): number {
    const { headSize, hosts, scorer } = this.#options
    if (headSize !== undefined) return headSize
    const [inMemory, most] = scorer.drifts
      ? [WHOLE_CANDIDATES_IN_MEMORY, MAX_DRIFTING_HEAD]
      : [CANDIDATES_IN_MEMORY, MAX_HEAD]
    const share = Math.floor(inMemory / Math.max(1, hosts()))
    return Math.min(most, Math.max(MIN_HEAD, share))
  }

  get learned(): number {
    return this.#options.learned()
  }

  get renewals(): number {
    return this.#options.scorer.renewals ?? 0
  }

  headOf(originId: number, limit: number): readonly (readonly [number, number])[] {
    return this.#options.heads.of(originId, limit)
  }

  candidate(id: number): Candidate {
    return this.#options.urls.read(id)
  }

  score(candidate: Candidate): number {
    return finiteScore(this.#options.scorer, candidate)
  }
}
