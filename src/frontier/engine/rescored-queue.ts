// The candidates of one origin under an ordering that learns. A score may be out of date because the ordering
// has learned since. So the head keeps the candidates themselves, and the best few are scored again before
// the best is taken, or on demand. Candidates on disk keep their first score until they enter the head: they
// were behind then, and what is learned about an origin changes most of its scores alike.
import type { Candidate } from '../../ordering/ordering.ts'
import type { CandidateQueue, QueueSource } from './host-queue.ts'

export interface RescoredSource extends QueueSource {
  /** Grows whenever the ordering learns. */
  readonly learned: number
  /** Grows when the scoring as a whole has changed. */
  readonly renewals: number
  candidate(id: number): Candidate
  /** The score by current knowledge. */
  score(candidate: Candidate): number
}

type Entry = {
  readonly id: number
  score: number
  /** The value of `learned` when it was scored here; -1 if it was not yet. */
  learned: number
  /** Null until it is needed. */
  candidate: Candidate | null
}

/** How many of the best are scored again at a look. */
const LOOKED_AT = 32
/**
 * How many of the others are scored again, in turn. Candidates that rise from further down are found this
 * way.
 */
const ALSO_LOOKED_AT = 16

export class RescoredQueue implements CandidateQueue {
  readonly #originId: number
  readonly #source: RescoredSource
  /** Worst first, so that the best is taken from the end. */
  #head: Entry[] = []
  readonly #entries = new Map<number, Entry>()
  #size: number
  #lookedAt = -1
  #renewals = 0
  #turn = 0

  constructor(originId: number, source: RescoredSource, size: number) {
    this.#originId = originId
    this.#source = source
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  get bestScore(): number {
    this.#fill()
    return this.#head.at(-1)?.score ?? Number.NEGATIVE_INFINITY
  }

  get bestId(): number {
    this.#fill()
    return this.#head.at(-1)?.id ?? 0
  }

  take(): number {
    this.look()
    const best = this.#head.at(-1)
    if (best === undefined) return 0
    this.#head.pop()
    this.#entries.delete(best.id)
    this.#size -= 1
    return best.id
  }

  recount(): void {
    this.#size += 1
  }

  add(id: number, score: number): boolean {
    const isComplete = this.#head.length === this.#size
    this.#size += 1
    const entry = { id, score, learned: -1, candidate: null }
    const worst = this.#head[0]
    if (!isComplete && (worst === undefined || goesAfter(entry, worst))) return false
    insert(this.#head, entry)
    this.#entries.set(id, entry)
    if (this.#head.length > this.#source.headSize) {
      const last = this.#head.shift()
      if (last !== undefined) this.#entries.delete(last.id)
    }
    return true
  }

  drop(id: number): boolean {
    this.#size -= 1
    const entry = this.#entries.get(id)
    if (entry === undefined) return false
    this.#entries.delete(id)
    this.#head.splice(placeOf(this.#head, entry) - 1, 1)
    return true
  }

  move(id: number, score: number): boolean {
    const wasInHead = this.drop(id)
    return this.add(id, score) || wasInHead
  }

  clear(): void {
    this.#head = []
    this.#entries.clear()
    this.#size = 0
  }

  look(): void {
    this.#fill()
    const { learned } = this.#source
    if (this.#lookedAt !== learned) {
      this.#lookedAt = learned
      this.#scoreSome(learned)
      this.#scoreBest(learned)
      this.#scoreAllAfterRenewal(learned)
    }
    // If all of them have fallen behind, the next few are scored, each at most once.
    let best = this.#head.at(-1)
    while (best !== undefined && best.learned !== learned) {
      this.#scoreBest(learned)
      best = this.#head.at(-1)
    }
  }

  #scoreAllAfterRenewal(learned: number): void {
    const { renewals } = this.#source
    if (renewals === this.#renewals) return
    this.#renewals = renewals
    for (const entry of this.#head) this.#score(entry, learned)
    this.#head.sort((a, b) => (goesAfter(a, b) ? -1 : 1))
  }

  #scoreBest(learned: number): void {
    this.#scoreSlice(Math.max(0, this.#head.length - LOOKED_AT), this.#head.length, learned)
  }

  #scoreSome(learned: number): void {
    const others = this.#head.length - LOOKED_AT
    if (others <= 0) return
    if (this.#turn >= others) this.#turn = 0
    const end = Math.min(others, this.#turn + ALSO_LOOKED_AT)
    this.#scoreSlice(this.#turn, end, learned)
    this.#turn = end
  }

  #scoreSlice(from: number, to: number, learned: number): void {
    let inOrder = true
    for (let at = from; at < to; at += 1) {
      const entry = this.#head[at]
      if (entry === undefined) break
      this.#score(entry, learned)
      const below = this.#head[at - 1]
      if (below !== undefined && !goesAfter(below, entry)) inOrder = false
    }
    const [last, above] = [this.#head[to - 1], this.#head[to]]
    if (last !== undefined && above !== undefined && !goesAfter(last, above)) inOrder = false
    if (inOrder) return
    const moved = this.#head.splice(from, to - from).sort((a, b) => (goesAfter(a, b) ? -1 : 1))
    for (const entry of moved) insert(this.#head, entry)
  }

  #score(entry: Entry, learned: number): void {
    if (entry.learned === learned) return
    entry.candidate ??= this.#source.candidate(entry.id)
    entry.score = this.#source.score(entry.candidate)
    entry.learned = learned
  }

  #fill(): void {
    if (this.#head.length > 0 || this.#size === 0) return
    const head = this.#source.headOf(this.#originId, this.#source.headSize)
    this.#head = head.map(([id, score]) => ({ id, score, learned: -1, candidate: null })).reverse()
    for (const entry of this.#head) this.#entries.set(entry.id, entry)
    this.#lookedAt = -1
  }
}

/** Ties are broken by order of discovery. */
function goesAfter(a: Entry, b: Entry): boolean {
  return a.score < b.score || (a.score === b.score && a.id > b.id)
}

function insert(head: Entry[], entry: Entry): void {
  const best = head.at(-1)
  if (best === undefined || goesAfter(best, entry)) {
    head.push(entry)
    return
  }
  head.splice(placeOf(head, entry), 0, entry)
}

/** How many come after an entry, including itself if it is there. */
function placeOf(head: readonly Entry[], entry: Entry): number {
  let low = 0
  let high = head.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = head[middle]
    if (other !== undefined && goesAfter(entry, other)) high = middle
    else low = middle + 1
  }
  return low
}
