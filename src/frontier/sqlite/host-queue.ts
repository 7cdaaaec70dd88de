// The candidates of one origin, best first. All of them are on disk; in memory is the head: the
// best few, and nothing on disk is better than the worst of them. A candidate that does not belong
// there costs no memory at all.

/** The candidates of one origin that wait. */
export interface CandidateQueue {
  /** How many wait, in memory or not. */
  readonly size: number
  /** Scores the best anew, where scores change with what is learned. */
  look(): void
  /** The best score, as of the last look; -Infinity when it is empty. */
  readonly bestScore: number
  /** The best candidate's id; 0 when it is empty. */
  readonly bestId: number
  /** Takes the best candidate out; 0 when it is empty. */
  take(): number
  /** The one just taken did not wait: as many wait as before. */
  recount(): void
  /** A candidate that is on disk by now, or will be when this transaction ends. */
  add(id: number, score: number): void
  /** Takes one candidate out, wherever it is. */
  drop(id: number): void
  /**
   * One that waits has other facts now, and this score by them. False when that changes nothing
   * about the best ones.
   */
  move(id: number, score: number): boolean
  clear(): void
}

/** What a queue needs from the table below it. */
export interface QueueSource {
  /** The best `limit` candidates of an origin as [id, score], best first; held ones left out. */
  headOf(originId: number, limit: number): readonly (readonly [number, number])[]
  /** How many candidates a head may keep. */
  readonly headSize: number
}

/**
 * Below this a head is copied to its exact size: an array that grows in place takes room for
 * sixteen more, and most hosts of a wide crawl have one or two URLs.
 */
const SMALL_HEAD = 8

export class HostQueue implements CandidateQueue {
  readonly #originId: number
  readonly #source: QueueSource
  /** Worst first, so that the best is taken off the end. */
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

  /** Scores here change only when facts do, and then `move` is told. */
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
