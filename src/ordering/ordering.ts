// Which URL of a host goes first. An ordering is one file: it may note signals about a page's
// links while the page is parsed (parser side), and it scores candidates (frontier side). It knows
// nothing of politeness, hosts or stores; which *host* goes next is the host policy's choice.
import type { CanonicalUrl } from '../core/url.ts'

/** One URL in the frontier with the facts an ordering weighs. A new fact is added here first. */
export type Candidate = {
  readonly url: CanonicalUrl
  /** Links away from a seed, by the shortest path seen so far. */
  readonly depth: number
  /** Order of discovery of the page it was found on: later pages have larger numbers. */
  readonly foundAt: number
  /** Links to it from pages fetched so far. */
  readonly inLinks: number
  /** What the ordering's parser side noted; null when nothing was. */
  readonly signals: readonly number[] | null
}

/** The facts that change after a candidate was queued. */
export const CHANGING_FACTS = ['inLinks', 'depth', 'signals'] as const
export type ChangingFact = (typeof CHANGING_FACTS)[number]

export interface Ordering {
  readonly name: string
  /** One line for help and the dashboard. */
  readonly about: string
  /** The facts whose change makes the frontier score a queued candidate again. */
  readonly rescoreOn: readonly ChangingFact[]
  /** Pure and finite; higher is sooner; ties go by order of discovery. */
  score(candidate: Candidate): number
}
