// The reference values for replays of one topic: counted and ranked once, used for each of them.
import { type Ranking, rankPages } from './ranking.ts'
import type { Replay, Truth, World } from './replay-result.ts'

export type TopicFacts = {
  readonly topic: string
  /** The name of the web, if there are several; else empty. */
  readonly web: string
  /** Pages that can be reached from the seeds. */
  readonly reachable: number
  /** Reachable relevant pages without examples: R. */
  readonly relevant: number
  /** Reachable example pages. */
  readonly leftOut: number
  readonly relevantHosts: number
  /** Sites with a reachable page. */
  readonly sites: number
}

export type Yardstick = TopicFacts & {
  readonly world: World
  readonly truth: Truth
  readonly byPagerank: Ranking
  readonly byInDegree: Ranking
  /** PageRank of all reachable pages together. */
  readonly pagerankSum: number
}

export function createYardstick(world: World, truth: Truth): Yardstick {
  const hosts = new Set<number>()
  const sites = new Set<number>()
  let relevant = 0
  let leftOut = 0
  let pagerankSum = 0
  const byPagerank = rankPages(world.pagerank, truth.reachable)
  for (const page of byPagerank.order) {
    sites.add(world.siteOf[page] ?? 0)
    pagerankSum += world.pagerank[page] ?? 0
    if (truth.leftOut[page]) leftOut++
    else if (truth.relevant[page]) {
      relevant++
      hosts.add(world.hostOf[page] ?? 0)
    }
  }
  return {
    topic: truth.topic,
    web: truth.web ?? '',
    reachable: byPagerank.size,
    relevant,
    leftOut,
    relevantHosts: hosts.size,
    sites: sites.size,
    world,
    truth,
    byPagerank,
    byInDegree: rankPages(world.inDegree, truth.reachable),
    pagerankSum,
  }
}

/** A share of the pages as a count; at least 1. */
export function pagesAt(share: number, pages: number): number {
  return Math.max(1, Math.round(share * pages))
}

/** Number of fetches that is enough to measure up to this share, however many examples are among them. */
export function fetchesFor(facts: TopicFacts, share: number): number {
  return Math.min(facts.reachable, pagesAt(share, facts.reachable) + facts.leftOut)
}

/** True if the replay reached this share, or ran dry and would have found nothing more. */
export function wentTo(share: number, facts: TopicFacts, replay: Replay): boolean {
  return replay.ranDry || replay.fetched.length >= pagesAt(share, facts.reachable)
}
