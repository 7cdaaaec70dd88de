// What an ordering has to know before something is written. One that needs none of it pays for no look.
import type { CanonicalUrl } from '../../core/url.ts'
import type { Candidate, Ordering, Scorer } from '../../ordering/ordering.ts'
import { finiteScore } from '../finite-score.ts'

export type Needs = {
  /** The row of a page that is settled. */
  readonly pages: boolean
  /** The rows of URLs that links lead to, and how many URLs there are. */
  readonly links: boolean
  /** A shorter path to a known URL counts, be it for the limit only. */
  readonly depths: boolean
  /** It changes scores, too. */
  readonly depthMatters: boolean
  readonly inLinks: boolean
  readonly signals: boolean
  /** Edges between pages are kept. */
  readonly edges: boolean
}

export function needsOf(
  { rescoreOn }: Ordering,
  scorer: Scorer,
  { exactDepth }: { exactDepth: boolean },
): Needs {
  const asks = scorer.pass !== undefined
  const inLinks = rescoreOn.includes('inLinks')
  const signals = rescoreOn.includes('signals')
  const depthMatters = rescoreOn.includes('depth')
  return {
    ...{ inLinks, signals, depthMatters },
    depths: exactDepth || depthMatters,
    pages: asks || scorer.settled !== undefined,
    links: asks || inLinks || signals || weighsDiscovery(scorer),
    edges: exactDepth || scorer.ranking !== undefined,
  }
}

/** Whether a score depends on when a URL was found. */
function weighsDiscovery(scorer: Scorer): boolean {
  let isAsked = false
  const probe: Candidate = {
    url: 'http://localhost/' as CanonicalUrl,
    ...{ depth: 1, inLinks: 1, signals: null },
    get foundAt() {
      isAsked = true
      return 1
    },
  }
  finiteScore(scorer, probe)
  return isAsked
}
