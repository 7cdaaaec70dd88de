import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../lib/seeded-random.ts'
import {
  askIn,
  emptyLine,
  endIn,
  type HostQueue,
  leaveIn,
  startIn,
  tidy,
} from './host-limiter-rules.ts'

type Request = { startsAt: number; endsAt: number; hasStarted: boolean }
type Crawl = {
  readonly holder: string
  readonly delayMs: number
  readonly perHost: number
  requests: Request[]
  asksAt: number
  starts: number
}

/** Crawls with manners of their own at one host, for a while; some of them die and come back. */
class World {
  readonly line: HostQueue = emptyLine()
  readonly crawls: readonly Crawl[]
  readonly breaches: string[] = []
  readonly #random: () => number
  #now = 1_000_000
  #lastStart = 0

  constructor(seed: number) {
    this.#random = seededRandom(seed)
    this.crawls = Array.from({ length: 2 + this.#upTo(3) }, (_, nth) => ({
      holder: `crawl ${nth}`,
      delayMs: [0, 5, 20, 100][this.#upTo(4)]!,
      perHost: 1 + this.#upTo(3),
      requests: [],
      asksAt: 0,
      starts: 0,
    }))
  }

  run(forMs: number, deaths: number): void {
    for (const end = this.#now + forMs; this.#now < end; this.#now++) {
      tidy(this.line, this.#now)
      for (const crawl of this.crawls) {
        this.#goOn(crawl)
        if (crawl.asksAt <= this.#now) this.#ask(crawl)
        if (this.#random() < deaths / forMs) this.#die(crawl)
      }
    }
  }

  #upTo(most: number): number {
    return Math.floor(this.#random() * most)
  }

  #ask(crawl: Crawl): void {
    const { holder, delayMs, perHost, requests } = crawl
    const isBusy = requests.length >= perHost
    if (isBusy || (delayMs > 0 && requests.some(({ hasStarted }) => !hasStarted))) return
    const at = askIn(this.line, holder, { delayMs, perHost, forMs: 1000 }, this.#now)
    if (at !== null) {
      assert.ok(at > this.#now, 'who has to wait is told a time to come')
      // A crawl that is busy elsewhere comes late.
      crawl.asksAt = at + this.#upTo(20)
      return
    }
    const startsAt = this.#now + this.#upTo(30)
    const endsAt = startsAt + 1 + this.#upTo(60)
    requests.push({ startsAt, endsAt, hasStarted: false })
    this.#goOn(crawl)
  }

  #goOn(crawl: Crawl): void {
    for (const request of crawl.requests) {
      if (!request.hasStarted && request.startsAt <= this.#now) this.#start(crawl, request)
      if (request.endsAt <= this.#now) endIn(this.line, crawl.holder, true)
    }
    crawl.requests = crawl.requests.filter(({ endsAt }) => endsAt > this.#now)
  }

  #start(crawl: Crawl, request: Request): void {
    const { holder, delayMs } = crawl
    const gapMs = this.#now - this.#lastStart
    if (gapMs < delayMs) this.breaches.push(`${holder} started after ${gapMs} of ${delayMs} ms`)
    request.hasStarted = true
    const present = this.crawls.filter(({ requests }) => requests.some((one) => one.hasStarted))
    const allowed = Math.min(...present.map((other) => other.perHost))
    const underWay = present.flatMap(({ requests }) => requests.filter((one) => one.hasStarted))
    if (underWay.length > allowed) this.breaches.push(`${underWay.length} of ${allowed} at once`)
    startIn(this.line, holder, this.#now, this.#now)
    this.#lastStart = this.#now
    crawl.asksAt = this.#now + delayMs
    crawl.starts++
  }

  #die(crawl: Crawl): void {
    crawl.requests = []
    // Half of them come back and say so; of the others only the time tells.
    crawl.asksAt = this.#now + 10 + this.#upTo(100)
    if (this.#random() < 0.5) leaveIn(this.line, crawl.holder, this.#now)
  }
}

for (const deaths of [0, 5]) {
  const when = deaths === 0 ? 'while all live' : 'while some die'
  test(`each request keeps its own crawl’s rules, whoever else asks, ${when}`, () => {
    for (let seed = 1; seed <= 100; seed++) {
      const world = new World(seed)
      world.run(5_000, deaths)
      assert.deepEqual(world.breaches, [], `seed ${seed}`)
    }
  })
}

test('every crawl that asks gets its turns', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const world = new World(seed)
    world.run(10_000, 0)
    const starts = world.crawls.map((crawl) => crawl.starts)
    assert.ok(Math.min(...starts) >= 10, `seed ${seed}: ${starts.join(', ')}`)
  }
})

test('for others the gap runs from the moment they could hear of it, for the crawl itself from its own', () => {
  const line = emptyLine()
  const wanted = { delayMs: 10, perHost: 2, forMs: 100 }
  askIn(line, 'one', wanted, 1000)
  startIn(line, 'one', 1000, 1007)
  assert.equal(askIn(line, 'two', wanted, 1010), 1017)
  assert.equal(askIn(structuredClone({ ...line, shares: [] }), 'one', wanted, 1010), null)
})

test('a line that nobody is in any more is empty', () => {
  const line = emptyLine()
  askIn(line, 'one', { delayMs: 10, perHost: 1, forMs: 100 }, 1000)
  askIn(line, 'two', { delayMs: 10, perHost: 1, forMs: 100 }, 1000)
  tidy(line, 100_000)
  assert.deepEqual(line.shares, [])
})
