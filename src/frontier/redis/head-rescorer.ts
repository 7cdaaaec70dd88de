// Under an ordering that learns, what it learned since a candidate was scored may have changed its
// score. So before a lease the best few of the hosts that may have their turn are scored again, and a
// few of those behind them in turn; the rules are those of drifting-queue.ts of the SQLite frontier.
//
// Candidates are kept here, since their facts seldom change. What this session changes it forgets. When
// another does, their score in the queue changes with most of them: one that stands there with another
// score than it was left with is read again.
import type { Candidate, Scorer } from '../../ordering/ordering.ts'
import { finiteScore } from '../finite-score.ts'
import type { Calls, Word } from './calls.ts'
import { decodeStaleRow, listOf } from './reply.ts'

/** So many of the best are scored again at a look, and so many of the others in turn. */
const BEST = 32
const OTHERS = 16
/** So many of the best when the way of scoring has changed as a whole. */
const BEST_AFTER_RENEWAL = 512
/** And then so many hosts in turn, whatever they do, a few at each look. */
const HOSTS_AFTER_RENEWAL = 256
const HOSTS_IN_TURN = 16
/** Hosts beside those asked for: whoever falls behind makes room for the next. */
const SPARE_HOSTS = 4
const MOST_HOSTS = 48
/** Looks before one lease: each only when those on top turned out not to belong there. */
const MAX_LOOKS = 8
/** Some 20 MB. */
const CANDIDATES_KEPT = 50_000

type Entry = { readonly candidate: Candidate; score: number }
/** The head of one origin's queue: ids and scores, best first. */
type Head = readonly (readonly [id: number, score: number])[]

export class HeadRescorer {
  readonly #calls: Calls
  readonly #scorer: Scorer
  readonly #entries = new Map<number, Entry>()
  #hosts = new Set<number>()
  #turn = 0
  #hostTurn = 0
  #toLookAt = 0
  #renewals = 0

  constructor(calls: Calls, scorer: Scorer) {
    this.#calls = calls
    this.#scorer = scorer
  }

  /** All that waits at these hosts may be worth more or less now. */
  learnedOf(hostIds: readonly number[]): void {
    for (const id of hostIds) this.#hosts.add(id)
  }

  /** The facts of a candidate have changed. */
  forget(id: number): void {
    this.#entries.delete(id)
  }

  /** Scores anew what the next leases may be taken from. */
  async look(limit: number): Promise<void> {
    const hosts = [...this.#hosts]
    this.#hosts = new Set()
    const best = this.#isRenewed() ? BEST_AFTER_RENEWAL : BEST
    if (best > BEST) this.#toLookAt = HOSTS_AFTER_RENEWAL
    const some = Math.min(HOSTS_IN_TURN, this.#toLookAt)
    const after = this.#hostTurn
    this.#toLookAt -= some
    this.#hostTurn += some
    this.#turn += OTHERS
    const most = Math.min(MOST_HOSTS, limit + SPARE_HOSTS)
    const scored = new Set<number>()
    let changes: readonly Word[] = []
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const others = looks === 0 ? OTHERS : 0
      const places = [
        most,
        looks === 0 ? best : BEST,
        others,
        this.#turn,
        looks === 0 ? some : 0,
        after,
      ]
      const words = [...places, hosts.length, ...hosts, ...changes]
      const { reply } = await this.#calls.run('heads', words)
      const heads = decodeHeads(reply)
      if (looks > 0 && heads.every(([best]) => best === undefined || scored.has(best[0]))) return
      await this.#read(heads)
      changes = this.#score(heads, scored)
      if (changes.length === 0) return
    }
  }

  #isRenewed(): boolean {
    const { renewals = 0 } = this.#scorer
    const isRenewed = renewals !== this.#renewals
    this.#renewals = renewals
    return isRenewed
  }

  /** Reads candidates that are not known here, or not as they stand there. */
  async #read(heads: readonly Head[]): Promise<void> {
    if (this.#entries.size > CANDIDATES_KEPT) this.#entries.clear()
    const ids: number[] = []
    for (const [id, score] of heads.flat()) {
      if (this.#entries.get(id)?.score !== score) ids.push(id)
    }
    if (ids.length === 0) return
    const { reply } = await this.#calls.run('peek', [ids.length, ...ids])
    for (const row of reply) {
      if (!row) continue
      const { id, url, depth, foundAt, inLinks, signals } = decodeStaleRow(row)
      const candidate = { url, depth, foundAt, inLinks, signals }
      this.#entries.set(id, { candidate, score: Number.NaN })
    }
  }

  /** The ids with another score than they stand there with, and that score. */
  #score(heads: readonly Head[], scored: Set<number>): readonly Word[] {
    const changes: Word[] = []
    for (const [id, score] of heads.flat()) {
      const entry = this.#entries.get(id)
      if (entry === undefined || scored.has(id)) continue
      scored.add(id)
      entry.score = finiteScore(this.#scorer, entry.candidate)
      if (entry.score !== score) changes.push(id, entry.score)
    }
    return changes
  }
}

function decodeHeads(reply: readonly unknown[]): readonly Head[] {
  const heads: Head[] = []
  const flat = listOf(reply)
  for (let at = 0; at < flat.length; ) {
    const count = Number(flat[at + 1])
    const head = Array.from({ length: count }, (_, nth): [number, number] => {
      const [id, negated] = [flat[at + 2 + 2 * nth], flat[at + 3 + 2 * nth]]
      // Never -0: a score of 0 is one and the same.
      return [Number(id), 0 - Number(negated)]
    })
    heads.push(head)
    at += 2 + 2 * count
  }
  return heads
}
