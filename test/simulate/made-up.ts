// Replays as they might be, without a web: pages with topics, hosts and PageRank drawn by chance, and orderings
// that are nothing but a taste for relevance, importance and company. For tests of what is made of replays.
import { measureReplay, shareGrid } from '../../src/simulate/metrics.ts'
import type { Replay, Truth, World } from '../../src/simulate/replay-result.ts'
import { type Summary, summarise } from '../../src/simulate/summary.ts'
import { createYardstick, fetchesFor, type Yardstick } from '../../src/simulate/yardstick.ts'

type Taste = { readonly relevance: number; readonly importance: number; readonly camping: number }

export const TASTES: Readonly<Record<string, Taste>> = {
  'breadth-first': { relevance: 0.05, importance: 0.5, camping: 0.6 },
  'depth-first': { relevance: 0, importance: -0.2, camping: 2.5 },
  'backlink-count': { relevance: 0.1, importance: 1, camping: 1.2 },
  pagerank: { relevance: 0.1, importance: 1.4, camping: 0.2 },
  opic: { relevance: 0.1, importance: 1.3, camping: 0.25 },
  location: { relevance: 0.15, importance: 0.8, camping: 0.1 },
  'hot-queue': { relevance: 1.2, importance: 0.2, camping: 0.6 },
  'best-first': { relevance: 1.9, importance: 0.1, camping: 0.9 },
  'fish-search': { relevance: 1, importance: 0, camping: 0.9 },
  'shark-search': { relevance: 2.2, importance: 0.1, camping: 0.7 },
  'naive-bayes': { relevance: 1.8, importance: 0, camping: 0.8 },
  'link-context': { relevance: 2.7, importance: 0.1, camping: 0.6 },
  adaptive: { relevance: 3.1, importance: 0.1, camping: 0.5 },
}

export type MadeUp = {
  readonly pages?: number
  readonly topics?: readonly string[]
  readonly orderings?: readonly string[]
  readonly seeds?: number
  readonly upTo?: number
  readonly polite?: boolean
  /** Without: no page is relevant to anything. */
  readonly focused?: boolean
}

export function madeUpSummary({
  pages = 2000,
  topics = ['databases', 'astronomy', 'music'],
  orderings = Object.keys(TASTES),
  seeds = 1,
  upTo = 0.2,
  polite = false,
  focused = true,
}: MadeUp = {}): Summary {
  const world = drawWorld(pages)
  const yardsticks = topics.map((topic, at) =>
    createYardstick(world, drawTruth(world, topic, focused ? at + 1 : 0)),
  )
  const grid = shareGrid(upTo)
  const measured = yardsticks.flatMap((yardstick, number) =>
    orderings.flatMap((ordering) =>
      Array.from({ length: seeds }, (_, at) => {
        const seed = at + 1
        const random = randomFrom(`${ordering}/${number}/${seed}`)
        const replay = drawReplay({ yardstick, ordering, seed, upTo, polite, random })
        return measureReplay(yardstick, replay, grid)
      }),
    ),
  )
  return summarise({ yardsticks, grid, measured })
}

/** Hosts of very different size, PageRank with a long tail. */
function drawWorld(pages: number): World {
  const random = randomFrom('world')
  const hosts = Math.max(3, Math.round(pages / 130))
  const hostOf = Uint32Array.from({ length: pages }, () => Math.floor(hosts * random() ** 2.2))
  const pagerank = Float64Array.from({ length: pages }, () => 1 / (0.002 + random()) ** 1.1)
  return {
    pages,
    hostOf,
    siteOf: hostOf.map((host) => Math.floor(host / 1.2)),
    pagerank,
    inDegree: Uint32Array.from(pagerank, (rank) => Math.round(rank * (0.4 + random()))),
  }
}

/** Relevant pages keep together: some hosts are full of them, most have none. */
function drawTruth(world: World, topic: string, number: number): Truth {
  const random = randomFrom(`topic ${number}`)
  const rich = new Map<number, number>()
  for (const host of world.hostOf) if (!rich.has(host)) rich.set(host, random() ** 24)
  const size = number === 0 ? 0 : 0.3 + 0.25 * number
  return {
    topic,
    relevant: Uint8Array.from(world.hostOf, (host) =>
      random() < size * (rich.get(host) ?? 0) ? 1 : 0,
    ),
    leftOut: Uint8Array.from(world.hostOf, () => (random() < 0.004 ? 1 : 0)),
    reachable: Uint8Array.from(world.hostOf, () => (random() < 0.99 ? 1 : 0)),
  }
}

type Draw = {
  readonly yardstick: Yardstick
  readonly ordering: string
  readonly seed: number
  readonly upTo: number
  readonly polite: boolean
  readonly random: () => number
}

function drawReplay({ yardstick, ordering, seed, upTo, polite, random }: Draw): Replay {
  const { world, truth } = yardstick
  const taste = TASTES[ordering] ?? { relevance: 0, importance: 0, camping: 0 }
  const liking = new Map<number, number>()
  const score = Float64Array.from(world.hostOf, (host, page) => {
    if (!liking.has(host)) liking.set(host, normal(random))
    const relevant = truth.relevant[page] === 1 ? taste.relevance : 0
    const rank = taste.importance * Math.log(world.pagerank[page] ?? 1)
    return normal(random) + relevant + rank + taste.camping * (liking.get(host) ?? 0)
  })
  const order = yardstick.byPagerank.order.toSorted((a, b) => score[b]! - score[a]!)
  const fetched = order.slice(0, fetchesFor(yardstick, upTo))
  return {
    ordering,
    hostPolicy: taste.relevance > 0.5 ? 'best' : 'fair',
    topic: truth.topic,
    seed,
    fetched,
    at: polite ? Float64Array.from(fetched, (_, at) => at * 400 * (1 + taste.camping)) : null,
    ranDry: upTo >= 1,
    buffers: new Map(
      [0.05, 0.1].map((share) => [share, order.slice(0, Math.round(order.length * share))]),
    ),
    seconds: fetched.length / 4000,
  }
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** The same numbers for the same name. */
function randomFrom(name: string): () => number {
  let state = 0x9e3779b9
  for (const char of name) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x85ebca6b) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
