// Which refusals a change of settings may reopen.
import type { CrawlSettings, Job } from '../core/job.ts'
import type { Refusal } from '../core/visit.ts'

/** All settings that a verdict or a score depends on. */
export type Criteria = Pick<Job, 'seeds'> &
  Pick<
    CrawlSettings,
    | 'ordering'
    | 'orderingOptions'
    | 'scope'
    | 'include'
    | 'exclude'
    | 'maxDepth'
    | 'allowPrivate'
    | 'typedHosts'
    | 'connectTo'
    | 'ignoreRobots'
    | 'maxCrawlDelayMs'
    | 'trapBudget'
    | 'hostBudget'
    | 'domainBudget'
    | 'followActions'
    | 'buffer'
    | 'minRelevance'
    | 'minTerms'
    | 'languages'
  > & {
    /** The topic's fingerprint; null without a topic. */
    readonly topic: string | null
  }

type Undoes = (before: Criteria, now: Criteria) => boolean

/** Refusals that are missing here depend on the page alone, or are tried again by any later run. */
const UNDOING: Readonly<Partial<Record<Refusal, Undoes>>> = {
  scope: differs('scope', 'seeds'),
  filter: differs('include', 'exclude', 'seeds'),
  depth: differs('maxDepth'),
  // Seeds, and hosts that were given an address, are trusted.
  'private-address': differs('allowPrivate', 'connectTo', 'typedHosts', 'seeds'),
  port: differs('allowPrivate', 'connectTo', 'seeds'),
  robots: (before, now) => now.ignoreRobots && !before.ignoreRobots,
  'crawl-delay': (before, now) =>
    (now.ignoreRobots && !before.ignoreRobots) || now.maxCrawlDelayMs > before.maxCrawlDelayMs,
  // Before there were budgets, a large number of URLs of one template made a trap, whatever their pages
  // showed.
  trap: (before, now) => before.hostBudget === undefined || differs('trapBudget')(before, now),
  'action-link': differs('followActions', 'seeds'),
  ...Object.fromEntries(
    (['requests', 'bytes', 'cpu', 'barren'] as const).flatMap((cost) => [
      [`budget-host-${cost}`, differs('hostBudget')],
      [`budget-domain-${cost}`, differs('domainBudget')],
    ]),
  ),
  buffer: (before, now) => roomOf(now) > roomOf(before),
  focus: differs('ordering', 'orderingOptions', 'topic'),
  'off-topic': (before, now) =>
    before.topic !== now.topic || isLess(now.minRelevance, before.minRelevance),
  language: differs('languages'),
  'too-short': (before, now) => isLess(now.minTerms, before.minTerms),
}

export function criteriaOf({ seeds, settings, topic }: Job): Criteria {
  const { ordering, orderingOptions, scope, include, exclude, maxDepth } = settings
  const { allowPrivate, typedHosts, connectTo, ignoreRobots, trapBudget, buffer } = settings
  const { hostBudget, domainBudget, followActions, maxCrawlDelayMs } = settings
  const { minRelevance, minTerms, languages } = settings
  return {
    ...{ seeds, ordering, orderingOptions, scope, include, exclude, maxDepth },
    ...{ allowPrivate, typedHosts, connectTo, ignoreRobots, trapBudget, buffer },
    ...{ hostBudget, domainBudget, followActions, maxCrawlDelayMs },
    ...{ minRelevance, minTerms, languages, topic: topic?.fingerprint ?? null },
  }
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The codes of refusals made under earlier criteria that may not hold under the new ones. */
export function reopenedBy(before: readonly Criteria[], now: Criteria): ReadonlySet<string> {
  const undone = Object.entries(UNDOING).filter(([, undoes]) =>
    before.some((criteria) => undoes(criteria, now)),
  )
  return new Set(undone.map(([code]) => code))
}

/** Whether the change makes useless what an ordering has learned. */
export const forgetsLearned: Undoes = differs('ordering', 'orderingOptions', 'topic')

/** Whether the change gives a new meaning to signals that were already noted. */
export const forgetsSignals: Undoes = differs('ordering', 'topic')

function differs(...names: readonly (keyof Criteria)[]): Undoes {
  return (before, now) => names.some((name) => !isSame(before[name], now[name]))
}

/** Whether one lower bound admits more than another; null admits everything. */
function isLess(one: number | null, other: number | null): boolean {
  return other !== null && (one === null || one < other)
}

function roomOf({ buffer }: Criteria): number {
  return buffer ?? Number.POSITIVE_INFINITY
}
