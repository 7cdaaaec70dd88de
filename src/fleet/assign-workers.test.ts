import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AtWork, assignWorkers, type Member, TURN_MS } from './assign-workers.ts'

const LOOK_MS = 1000
const DRAIN_MS = 3000

type Simulated = {
  readonly id: string
  readonly pairs: number
  readonly cannot: ReadonlySet<string>
  readonly slots: { run: string; since: number; goingTo: string | null; leftAt: number }[]
  readonly begunAt: Map<string, number>
}

/** Workers that see each other as of their last report, all at the same moment or one by one. */
class SimulatedFleet {
  readonly workers: Simulated[]
  runs: string[]
  now = 0
  /** How long each pair had been there that was asked to make room. */
  readonly stays: number[] = []
  readonly #isTogether: boolean

  constructor(sizes: readonly number[], runs: number, isTogether: boolean) {
    this.workers = sizes.map((pairs, n) => ({
      ...{ id: `w${n}`, pairs, cannot: new Set<string>() },
      ...{ slots: [], begunAt: new Map<string, number>() },
    }))
    this.runs = Array.from({ length: runs }, (_, n) => `r${n}`)
    this.#isTogether = isTogether
  }

  look(times = 1): void {
    for (let n = 0; n < times; n++) {
      this.now += LOOK_MS
      const before = this.workers.map(memberOf)
      for (const worker of this.workers) {
        const others = this.#isTogether ? before : this.workers.map(memberOf)
        this.#act(worker, others)
      }
    }
  }

  #act(worker: Simulated, seen: readonly Member[]): void {
    const staying = worker.slots.filter(
      ({ goingTo, leftAt }) => goingTo === null || leftAt > this.now,
    )
    worker.slots.splice(0, Number.POSITIVE_INFINITY, ...staying)
    const fleet = seen.map((member) => (member.id === worker.id ? memberOf(worker) : member))
    const mine: readonly AtWork[] = worker.slots.filter(({ goingTo }) => goingTo === null)
    const demands = this.runs.map((run) => ({ run, ownPairs: 0 }))
    const { begin, end } = assignWorkers(demands, fleet, { id: worker.id, mine, now: this.now })
    for (const { from, to } of end) {
      const slot = worker.slots.find((one) => one.run === from && one.goingTo === null)
      assert.ok(slot !== undefined)
      this.stays.push(this.now - slot.since)
      Object.assign(slot, { goingTo: to, leftAt: this.now + DRAIN_MS })
    }
    for (const run of begin) {
      worker.slots.push({ run, since: this.now, goingTo: null, leftAt: 0 })
      worker.begunAt.set(run, this.now)
    }
    assert.ok(worker.slots.length <= worker.pairs)
  }

  pairsOf(run: string): number {
    const all = this.workers.flatMap(({ slots }) => slots)
    return all.filter((slot) => slot.run === run && slot.goingTo === null).length
  }
}

function memberOf({ id, pairs, cannot, slots, begunAt }: Simulated): Member {
  const shares = [...begunAt].map(([run, at]) => {
    const there = slots.filter((slot) => slot.run === run)
    const goingTo = there.flatMap((slot) => slot.goingTo ?? [])
    return { run, begunAt: at, pairs: there.length, goingTo }
  })
  return { id, pairs, cannot, shares }
}

for (const isTogether of [true, false]) {
  const how = isTogether ? 'at the same moment' : 'one after the other'

  test(`workers that look ${how} serve every crawl there are pairs for, and then stay`, () => {
    for (const workers of [1, 2, 3, 4, 9]) {
      for (const pairs of [1, 2, 4]) {
        for (let crawls = 1; crawls <= Math.min(12, workers * pairs); crawls++) {
          const fleet = new SimulatedFleet(new Array<number>(workers).fill(pairs), 1, isTogether)
          fleet.look(2)
          // All are at the first crawl when the others begin.
          fleet.runs = Array.from({ length: crawls }, (_, n) => `r${n}`)
          fleet.look(6)
          const label = `${workers} workers of ${pairs}, ${crawls} crawls`
          for (const run of fleet.runs) assert.ok(fleet.pairsOf(run) > 0, `${label}: ${run}`)
          assert.equal(fleet.stays.length, crawls - 1, label)
          fleet.look(100)
          assert.equal(fleet.stays.length, crawls - 1, `${label}: moved again`)
        }
      }
    }
  })

  test(`workers that look ${how} let crawls they have too few pairs for take turns`, () => {
    for (const [workers, crawls] of [
      [1, 2],
      [1, 3],
      [2, 3],
      [3, 7],
      [4, 5],
    ] as const) {
      const fleet = new SimulatedFleet(new Array<number>(workers).fill(1), crawls, isTogether)
      const served = new Map<string, number>()
      for (let looks = 0; looks < 40 * crawls; looks++) {
        fleet.look()
        for (const run of fleet.runs) {
          served.set(run, (served.get(run) ?? 0) + (fleet.pairsOf(run) > 0 ? 1 : 0))
        }
      }
      assert.ok(Math.min(...fleet.stays) >= TURN_MS, `${workers} x ${crawls}: ${fleet.stays}`)
      const seconds = fleet.runs.map((run) => served.get(run) ?? 0)
      assert.ok(Math.min(...seconds) >= 20, `${workers} x ${crawls}: ${seconds}`)
      // No crawl is served twice while another waits.
      assert.equal(Math.max(...fleet.runs.map((run) => fleet.pairsOf(run))), 1)
    }
  })
}

test('idle pairs spread over the crawls, fewest first', () => {
  const fleet = new SimulatedFleet([2, 1, 3], 3, true)
  fleet.look()
  assert.deepEqual(fleet.runs.map((run) => fleet.pairsOf(run)).sort(), [2, 2, 2])
})

test('a pair of the owner serves its crawl', () => {
  const fleet = [{ id: 'w', pairs: 1, shares: [], cannot: new Set<string>() }]
  const runs = [
    { run: 'a', ownPairs: 1 },
    { run: 'b', ownPairs: 0 },
  ]
  assert.deepEqual(assignWorkers(runs, fleet, { id: 'w', mine: [], now: 0 }).begin, ['b'])
})

test('a worker moves only where it may, and another that may is found', () => {
  const at = (id: string, cannot: string[]) => ({
    ...{ id, pairs: 1, cannot: new Set(cannot) },
    shares: [{ run: 'a', pairs: 1, goingTo: [], begunAt: 0 }],
  })
  const fleet = [at('v', ['b']), at('w', []), at('x', [])]
  const runs = ['a', 'b'].map((run) => ({ run, ownPairs: 0 }))
  const mine = [{ run: 'a', since: 0 }]
  const ends = ['v', 'w', 'x'].map((id) => assignWorkers(runs, fleet, { id, mine, now: 1 }).end)
  assert.deepEqual(ends, [[], [{ from: 'a', to: 'b' }], []])
})

test('without crawls nothing begins', () => {
  const fleet = [{ id: 'w', pairs: 4, shares: [], cannot: new Set<string>() }]
  assert.deepEqual(assignWorkers([], fleet, { id: 'w', mine: [], now: 0 }), { begin: [], end: [] })
})
