// Which URL of a host goes first. An ordering is one file with two sides that never meet but in
// the numbers one hands to the other:
//
//   parser side     a `Judge` looks at every page and its links and notes signals about them
//   frontier side   a `Scorer` passes signals on from a page to its links, and scores candidates
//
// Both are optional but for `score`: an ordering that needs no content has no judge, one that
// learns nothing has only a score. It knows nothing of politeness, hosts or stores; which *host*
// goes next is the host policy's choice.
import type { CanonicalUrl } from '../core/url.ts'
import type { Graph } from '../graph/graph.ts'
import type { Judgement, Topic } from '../topic/topic.ts'

/** Numbers that an ordering keeps with a page or a candidate; finite, at most 255. */
export type Signals = readonly number[]

/** One URL in the frontier with the facts an ordering weighs. A new fact is added here first. */
export type Candidate = {
  readonly url: CanonicalUrl
  /** Links away from a seed, by the shortest path seen so far. */
  readonly depth: number
  /** Order of discovery of the page it was found on: later pages have larger numbers. */
  readonly foundAt: number
  /** Links to it from pages fetched so far. */
  readonly inLinks: number
  /** What pages passed on to it; null: nothing was (a seed, or an ordering without signals). */
  readonly signals: Signals | null
}

/** The facts that change after a candidate was queued. */
export const CHANGING_FACTS = ['inLinks', 'depth', 'signals'] as const
export type ChangingFact = (typeof CHANGING_FACTS)[number]

/** One number of an ordering that a user may choose with `--ordering-option name=value`. */
export type OrderingOption = {
  readonly name: string
  /** One line for help: what it means. */
  readonly help: string
  readonly default: number
  readonly min: number
  readonly max: number
  /** Only whole numbers. */
  readonly whole?: boolean
}

/** Every option of an ordering, as chosen or by default. */
export type OptionValues = Readonly<Record<string, number>>

/** What a judge is made from. A focused ordering always gets a topic, others may get null. */
export type Brief = { readonly options: OptionValues; readonly topic: Topic | null }

/** A page as the parser read it. */
export type ReadPage = {
  readonly url: CanonicalUrl
  /** Null in crawls without a topic. */
  readonly judgement: Judgement | null
}

/** A link as it stands on a page. */
export type ReadLink = {
  readonly url: CanonicalUrl
  readonly anchor: string
  /** The words around it; '' when there are none. */
  readonly context: string
}

/** The parser's side. One per thread; keeps nothing from page to page but caches. */
export interface Judge {
  /** What the page passes to the frontier about itself. */
  page(page: ReadPage): Signals
  /** What one link of the page last given says about its target. */
  link(link: ReadLink): Signals
  /** The same for a URL listed without a page that speaks of it (a sitemap); null: nothing. */
  listed?(url: CanonicalUrl): Signals | null
}

/** A page that was fetched and judged, as the frontier knows it. */
export type SettledPage = Candidate & {
  readonly id: number
  /** What the judge noted about the page; null when none did. */
  readonly judged: Signals | null
  /** Links it has that may be followed. */
  readonly links: number
  /** URLs that wait at this moment, before its own links have joined them. */
  readonly waiting: number
  /** The page it was first found on, as it was queued; null for seeds and listed URLs. */
  readonly finder: () => Candidate | null
}

/** Where a link of a page leads. */
export type Target = {
  readonly url: CanonicalUrl
  /** Its place among the links of the page that may be followed, from 0. */
  readonly position: number
}

/** Scores that follow from the graph as a whole, computed now and then. */
export type Ranking = {
  /** Whether it is time: so many pages settled, so many of them since the last time. */
  readonly isDue: (settled: number, since: number) => boolean
  /** By node, the new signals' first number. Nodes are all URLs known; only settled ones have out-links. */
  readonly rank: (graph: Graph) => Float64Array
}

/** The frontier's side: one per crawl, called by one process, all of it in memory. */
export interface Scorer {
  /** Pure but for what was learned; finite; higher is sooner; ties go by order of discovery. */
  score(candidate: Candidate): number
  /**
   * What a page passes on to one of its links, given what the judge noted about the link. By default
   * that note itself. Null: not worth following; refused as `focus` until a better path leads there.
   * Asked right after `settled`, once for each target that waits or will, in their order: not about
   * those that were fetched already or that other rules refuse.
   */
  pass?(page: SettledPage, link: Signals | null, target: Target): Signals | null
  /** What counts when one more page links to a URL that waits. By default whichever scores higher. */
  merge?(known: Signals, fresh: Signals): Signals
  /** A page was settled, its links not yet passed on: the moment to learn. */
  settled?(page: SettledPage): void
  /**
   * True when scores of waiting candidates change with what is learned. The frontier then scores
   * the heads of its queues again before it picks from them.
   */
  readonly drifts?: boolean
  /** Grows when the way of scoring has changed as a whole: all that waits is then worth another look. */
  readonly renewals?: number
  /** Re-ranks everything that waits, now and then. */
  readonly ranking?: Ranking
  /** What was learned, to be kept over a restart; null: nothing worth keeping. */
  save?(): Uint8Array | null
  /** Takes back what `save` gave in an earlier run. What it cannot read it ignores. */
  load?(bytes: Uint8Array): void
  /** The parts of a candidate's score, for people. By default the signals under their names. */
  explain?(candidate: Candidate): readonly ScorePart[]
}

export type ScorePart = { readonly name: string; readonly value: number }

export interface Ordering {
  readonly name: string
  /** One line for help and the dashboard. */
  readonly about: string
  /** The facts whose change makes the frontier score a queued candidate again. */
  readonly rescoreOn: readonly ChangingFact[]
  /** True when it needs to know what the crawl is about. */
  readonly focused?: boolean
  readonly options?: readonly OrderingOption[]
  /** What the numbers of a candidate's signals are called, in their order; for `explain`. */
  readonly signals?: readonly string[]
  /** The parser's side; left out by orderings that look at no content. */
  judge?(brief: Brief): Judge
  /** The frontier's side. `seed` for whatever is random, so that a run can be repeated. */
  createScorer(options: OptionValues, seed: number): Scorer
}

/** The score of what nobody spoke of: a seed goes before all, anything else after all. */
export const SEED_SCORE = 1e9
export function unspokenScore({ depth }: Candidate): number {
  return depth === 0 ? SEED_SCORE : -SEED_SCORE
}
