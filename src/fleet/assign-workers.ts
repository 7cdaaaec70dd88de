// Assigns a worker's pairs (scouter and parser) to crawls. Every worker computes the plan of all workers from
// the same figures and carries out its own part, so workers spread instead of moving together.
//
// Invariants: a working pair stays, unless a crawl has no pair at all. Then a crawl with several pairs gives
// one away; if none can be spared, crawls take turns, and each pair stays for a while.

/** A running crawl, with the number of its owner's pairs. */
type RunDemand = { readonly run: string; readonly ownPairs: number }
/** A worker as all others see it. */
export type Member = {
  readonly id: string
  /** The maximum number of pairs. */
  readonly pairs: number
  readonly shares: readonly MemberShare[]
  /** Runs it does not join. */
  readonly cannot: ReadonlySet<string>
}
type MemberShare = {
  readonly run: string
  /** Includes leaving pairs until they have left; 0: no longer at work. */
  readonly pairs: number
  /** The runs that the leaving pairs move to; others already count them there. */
  readonly goingTo: readonly string[]
  /** When the last of them began, by any clock: it decides who is next, not when. */
  readonly begunAt: number
}
/** A pair of this worker that is not leaving. */
export type AtWork = {
  readonly run: string
  /** When it began, by the same clock as `now`. */
  readonly since: number
}

export type Assignment = {
  /** Runs for which a pair is to begin; a run that is listed twice gets two. */
  readonly begin: readonly string[]
  /** One pair of a run makes room for a crawl that has none. */
  readonly end: readonly { readonly from: string; readonly to: string }[]
}

/** Draining a pair and starting another takes some seconds, so it is done at most this often. */
export const TURN_MS = 30_000

type Me = {
  readonly id: string
  readonly mine: readonly AtWork[]
  /** ms */
  readonly now: number
}
type Move = {
  readonly id: string
  readonly from: string
  readonly to: string
  /** It was the only pair of that crawl. */
  readonly isTurn: boolean
}

export function assignWorkers(
  runs: readonly RunDemand[],
  fleet: readonly Member[],
  me: Me,
): Assignment {
  const members = fleet.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const plan = new Plan(runs, members)
  const begin = members.flatMap((member) => {
    const given = plan.fill(member)
    return member.id === me.id ? given : []
  })
  const end = plan.moves().filter((move) => move.id === me.id && isTime(move, me))
  return { begin, end: end.map(({ from, to }) => ({ from, to })) }
}

/** A pair that cannot be spared stays for a while. */
function isTime({ from, isTurn }: Move, { mine, now }: Pick<Me, 'mine' | 'now'>): boolean {
  return !isTurn || mine.some(({ run, since }) => run === from && now - since >= TURN_MS)
}

class Plan {
  readonly #members: readonly Member[]
  readonly #pairs: Map<string, number>
  readonly #begunAt = new Map<string, number>()

  constructor(runs: readonly RunDemand[], members: readonly Member[]) {
    this.#members = members
    this.#pairs = new Map(runs.map(({ run, ownPairs }) => [run, ownPairs]))
    for (const { run, pairs, goingTo, begunAt } of members.flatMap(({ shares }) => shares)) {
      this.#add(run, pairs - goingTo.length)
      for (const next of goingTo) this.#add(next, 1)
      this.#begunAt.set(run, Math.max(begunAt, this.#lastBegun(run)))
    }
  }

  /** The runs for its idle pairs. */
  fill({ pairs, shares, cannot }: Member): readonly string[] {
    const begin: string[] = []
    const able = [...this.#pairs.keys()].filter((run) => !cannot.has(run))
    const taken = shares.reduce((sum, share) => sum + share.pairs, 0)
    for (let free = pairs - taken; free > 0 && able.length > 0; free--) {
      const run = able.reduce((least, other) => (this.#isBefore(other, least) ? other : least))
      begin.push(run)
      this.#add(run, 1)
    }
    return begin
  }

  moves(): readonly Move[] {
    const unserved = [...this.#pairs.keys()]
      .filter((run) => this.#count(run) === 0)
      .sort((a, b) => (this.#isBefore(a, b) ? -1 : 1))
    const left = this.#members.flatMap((member) =>
      member.shares.flatMap((share) => {
        const staying = Math.max(0, share.pairs - share.goingTo.length)
        return new Array<PlacedPair>(staying).fill({ member, share })
      }),
    )
    return unserved.flatMap((run) => {
      const placed = this.#giver(run, left)
      if (placed === null) return []
      left.splice(left.indexOf(placed), 1)
      const from = placed.share.run
      const isTurn = this.#count(from) < 2
      this.#add(from, -1)
      this.#add(run, 1)
      return [{ id: placed.member.id, from, to: run, isTurn }]
    })
  }

  /** A pair of the crawl that has the most; if no crawl has two, the pair that has stayed longest. */
  #giver(run: string, all: readonly PlacedPair[]): PlacedPair | null {
    const able = all.filter(
      ({ member, share }) => !member.cannot.has(run) && this.#count(share.run) > 0,
    )
    const isBetter = (a: PlacedPair, b: PlacedPair): boolean => {
      const more = this.#count(a.share.run) - this.#count(b.share.run)
      if (more !== 0) return more > 0
      return this.#count(a.share.run) < 2 && a.share.begunAt < b.share.begunAt
    }
    return able.reduce<PlacedPair | null>(
      (best, placed) => (best === null || isBetter(placed, best) ? placed : best),
      null,
    )
  }

  /** The crawl with the fewest pairs is first; among equals, the one that has waited longest. */
  #isBefore(a: string, b: string): boolean {
    const fewer = this.#count(a) - this.#count(b)
    if (fewer !== 0) return fewer < 0
    const [begunA, begunB] = [this.#lastBegun(a), this.#lastBegun(b)]
    return begunA === begunB ? a < b : begunA < begunB
  }

  #count(run: string): number {
    return this.#pairs.get(run) ?? 0
  }

  #lastBegun(run: string): number {
    return this.#begunAt.get(run) ?? Number.NEGATIVE_INFINITY
  }

  #add(run: string, pairs: number): void {
    if (this.#pairs.has(run)) this.#pairs.set(run, this.#count(run) + pairs)
  }
}

type PlacedPair = { readonly member: Member; readonly share: MemberShare }
