// Creates the queues of origins: plain ones, or ones that score their best again if the ordering learns.
import type { Candidate, Scorer } from '../../ordering/ordering.ts'
import { finiteScore } from '../../ordering/ordering.ts'
import { type CandidateQueue, HostQueue } from './host-queue.ts'
import { RescoredQueue } from './rescored-queue.ts'
import type { Ranked, Rows } from './rows.ts'
import type { UrlTable } from './url-table.ts'

/** Total size of the heads of all hosts: some 10 MB, or some 20 if they keep the candidates themselves. */
const CANDIDATES_IN_MEMORY = 200_000
const WHOLE_CANDIDATES_IN_MEMORY = 50_000
const MIN_HEAD = 4
const MAX_HEAD = 256
/** Candidates on disk keep their first score, so a large site is better kept in memory. */
const MAX_DRIFTING_HEAD = 4096

type QueuesOptions = {
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
      ? new RescoredQueue(originId, this, size)
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

type QueueHeadsOptions = {
  readonly rows: Pick<Rows, 'transaction'>
  readonly urls: UrlTable
  readonly isHeld: (id: number) => boolean
  /** The number of leased URLs whose rows still have the state `queued`. */
  readonly heldUnmarked: () => number
}

/**
 * The best candidates of an origin, from the disk and from the rows whose new facts are only in memory.
 * This writes nothing: the disk returns its best by what it knows, changed rows are sorted in by their new
 * score, and the list is cut where the disk could still have better ones.
 */
export class QueueHeads {
  readonly #options: QueueHeadsOptions

  constructor(options: QueueHeadsOptions) {
    this.#options = options
  }

  /** At most `limit` candidates, best first, without leased ones. Empty only if none waits. */
  of(originId: number, limit: number): readonly Ranked[] {
    const { urls, isHeld, heldUnmarked } = this.#options
    // The row of a leased URL may still have the state `queued`: read that many more and skip them.
    const wanted = limit + heldUnmarked()
    const onDisk = urls.headOf(originId, wanted)
    const last = onDisk.length < wanted ? null : onDisk.at(-1)
    const risen = Array.from(urls.changedOf(originId), ({ id, priority }): Ranked => [id, priority])
    const unchanged = risen.length === 0 ? onDisk : onDisk.filter(([id]) => !urls.isChanged(id))
    const all = risen.length === 0 ? unchanged : [...unchanged, ...risen].sort(byRank)
    const sure = last ? all.filter((ranked) => byRank(ranked, last) <= 0) : all
    const head = sure.filter(([id]) => !isHeld(id)).slice(0, limit)
    return head.length === 0 && last ? this.#afterWriting(originId, limit) : head
  }

  /** Everything that the disk put in front has fallen behind, so only the disk knows what is better now. */
  #afterWriting(originId: number, limit: number): readonly Ranked[] {
    const { rows, urls } = this.#options
    rows.transaction(() => urls.writeBehind({ all: true }))
    return this.of(originId, limit)
  }
}

function byRank([idA, a]: Ranked, [idB, b]: Ranked): number {
  return b - a || idA - idB
}
