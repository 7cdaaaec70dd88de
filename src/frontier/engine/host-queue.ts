// The candidates of one origin, best first. All of them are on disk. The head is in memory: the best few, and
// nothing on disk is better than the worst of them. A candidate outside the head takes no memory.

/** The waiting candidates of one origin. */
export interface CandidateQueue {
  /** Number of waiting candidates, in memory or on disk. */
  readonly size: number
  /** Scores the best again, if the ordering learns. */
  look(): void
  /** The best score as of the last look; -Infinity if the queue is empty. */
  readonly bestScore: number
  /** The id of the best candidate; 0 if the queue is empty. */
  readonly bestId: number
  /** Removes and returns the best candidate; 0 if the queue is empty. */
  take(): number
  /** Undoes the count of the last `take`: that candidate was not waiting. */
  recount(): void
  /** Adds a candidate that is on disk, or will be when this transaction ends. */
  add(id: number, score: number): void
  /** Removes one candidate, in memory or not. */
  drop(id: number): void
  /**
   * Changes the score of a waiting candidate, because its facts changed. False if the best ones stay the
   * same.
   */
  move(id: number, score: number): boolean
  clear(): void
}

/** The part of the table that a queue uses. */
export interface QueueSource {
  /** The best `limit` candidates of an origin as [id, score], best first, without those that are leased. */
  headOf(originId: number, limit: number): readonly (readonly [number, number])[]
  /** Maximum number of candidates in a head. */
  readonly headSize: number
}

/**
 * Below this size a head is copied to its exact size. An array that grows in place reserves room for sixteen
 * more, and most hosts of a wide crawl have one or two URLs.
 */
const SMALL_HEAD = 8

export class HostQueue implements CandidateQueue {
  readonly #originId: number
  readonly #source: QueueSource
  /** Worst first, so that the best is taken from the end. */
  #ids: number[] = []
  #scores: number[] = []
  #size = 0

  constructor(originId: number, source: QueueSource, size: number) {
    this.#originId = originId
    this.#source = source
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  /** Scores here change only when facts do, and then `move` is called. */
  look(): void {}

  get bestScore(): number {
    this.#fill()
    return this.#scores[this.#scores.length - 1] ?? Number.NEGATIVE_INFINITY
  }

  get bestId(): number {
    this.#fill()
    return this.#ids[this.#ids.length - 1] ?? 0
  }

  take(): number {
    this.#fill()
    this.#scores.pop()
    const id = this.#ids.pop() ?? 0
    if (id !== 0) this.#size -= 1
    return id
  }

  recount(): void {
    this.#size += 1
  }

  add(id: number, score: number): boolean {
    const complete = this.#ids.length === this.#size
    this.#size += 1
    if (!complete && !this.#beatsWorst(id, score)) return false
    this.#insert(id, score)
    if (this.#ids.length > this.#source.headSize) {
      this.#ids.shift()
      this.#scores.shift()
    }
    return true
  }

  drop(id: number): boolean {
    this.#size -= 1
    const at = this.#ids.indexOf(id)
    if (at < 0) return false
    this.#ids.splice(at, 1)
    this.#scores.splice(at, 1)
    return true
  }

  move(id: number, score: number): boolean {
    const wasInHead = this.drop(id)
    return this.add(id, score) || wasInHead
  }

  clear(): void {
    this.#ids.length = 0
    this.#scores.length = 0
    this.#size = 0
  }

  #beatsWorst(id: number, score: number): boolean {
    const [worstId, worstScore] = [this.#ids[0], this.#scores[0]]
    if (worstId === undefined || worstScore === undefined) return false
    return score > worstScore || (score === worstScore && id < worstId)
  }

  #insert(id: number, score: number): void {
    let low = 0
    let high = this.#ids.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#scores[middle] ?? 0
      const better = other > score || (other === score && (this.#ids[middle] ?? 0) < id)
      if (better) high = middle
      else low = middle + 1
    }
    if (this.#ids.length < SMALL_HEAD) {
      this.#ids = this.#ids.toSpliced(low, 0, id)
      this.#scores = this.#scores.toSpliced(low, 0, score)
    } else {
      this.#ids.splice(low, 0, id)
      this.#scores.splice(low, 0, score)
    }
  }

  #fill(): void {
    if (this.#ids.length > 0 || this.#size === 0) return
    const head = this.#source.headOf(this.#originId, this.#source.headSize)
    for (let at = head.length - 1; at >= 0; at -= 1) {
      const [id, score] = head[at] ?? [0, 0]
      this.#ids.push(id)
      this.#scores.push(score)
    }
  }
}
