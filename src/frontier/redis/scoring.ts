// What an ordering makes of links, as far as that needs no fact that only Redis has.
import type { Found } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Candidate, Scorer, Signals } from '../../ordering/ordering.ts'
import { finiteScore } from '../finite-score.ts'
import type { Scored } from './link-arguments.ts'

/** What a link gets from where it was found. */
export type NewFacts = {
  readonly depth: number
  readonly foundAt: number
  readonly isLink: boolean
}

export function scoreNew(scorer: Scorer, link: Found, facts: NewFacts): Scored {
  const { url, signals, nofollow } = link
  const { depth, foundAt, isLink } = facts
  const inLinks = isLink && !nofollow ? 1 : 0
  return { score: finiteScore(scorer, { url, depth, foundAt, inLinks, signals }), signals }
}

/**
 * True when a score depends on URL and depth alone: then the score of a link is also that of a URL that
 * is known already and has come nearer by it.
 */
export function scoresByDepthAlone(scorer: Scorer, url: CanonicalUrl): boolean {
  const probe = new Probe(url)
  finiteScore(scorer, probe)
  return !probe.isAskedMore && scorer.drifts !== true && scorer.ranking === undefined
}

class Probe implements Candidate {
  readonly url: CanonicalUrl
  readonly depth = 1
  isAskedMore = false

  constructor(url: CanonicalUrl) {
    this.url = url
  }

  get foundAt(): number {
    this.isAskedMore = true
    return 1
  }

  get inLinks(): number {
    this.isAskedMore = true
    return 1
  }

  get signals(): Signals | null {
    this.isAskedMore = true
    return null
  }
}
