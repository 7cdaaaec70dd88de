// Whether a URL may be queued, and with what score. The order of the questions is the order of
// finality: what the rules of the crawl forbid stays forbidden; a link not to be followed or too
// far away may be found again by a better path. Traps are judged when a URL's turn comes: picking.ts.
import type { Job } from '../../core/job.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { Scorer } from '../../ordering/ordering.ts'
import { finiteScore } from '../finite-score.ts'
import type { Origin } from './host.ts'
import type { Hosts } from './hosts.ts'
import type { NewUrl } from './url-row.ts'

/** Says why a URL must not be fetched in this crawl (a reason); null when it may. */
export type Admit = (url: CanonicalUrl, host: string) => string | null

export type Verdict =
  | { readonly origin: Origin; readonly reason: null }
  | { readonly origin: null; readonly reason: string }

/** What led to a URL. */
export type Path = {
  readonly depth: number
  readonly nofollow: boolean
}

/** The reasons that a better path to the URL takes back. */
export const NOT_FOLLOWED = 'nofollow'
export const TOO_DEEP = 'depth'
export const OFF_FOCUS = 'focus'

/** True when no path that leads to it was to be followed. */
export function isUnfollowed(reason: string): boolean {
  return reason === NOT_FOLLOWED || reason === OFF_FOCUS
}

/** True when a better path to the URL takes this reason back. */
export function isPathRefusal(reason: string): boolean {
  return reason === TOO_DEEP || isUnfollowed(reason)
}

export class Admission {
  readonly #admit: Admit
  readonly #scorer: Scorer
  readonly #hosts: Hosts
  readonly #maxDepth: number

  constructor(options: {
    readonly admit: Admit
    readonly scorer: Scorer
    readonly job: Job
    readonly hosts: Hosts
  }) {
    this.#admit = options.admit
    this.#scorer = options.scorer
    this.#hosts = options.hosts
    this.#maxDepth = options.job.settings.maxDepth ?? Number.POSITIVE_INFINITY
  }

  /** Why a URL that is known and waits may not be fetched after all; null when it may. */
  refusal(url: CanonicalUrl, depth: number): string | null {
    return this.#admit(url, hostOf(url)) ?? (this.isTooDeep(depth) ? TOO_DEEP : null)
  }

  isTooDeep(depth: number): boolean {
    return depth > this.#maxDepth
  }

  judge(url: CanonicalUrl, { depth, nofollow }: Path): Verdict {
    const host = hostOf(url)
    const reason = this.#admit(url, host)
    if (reason !== null) return { origin: null, reason }
    if (nofollow) return { origin: null, reason: NOT_FOLLOWED }
    if (this.isTooDeep(depth)) return { origin: null, reason: TOO_DEEP }
    return { origin: this.#hosts.originFor(url, host), reason: null }
  }

  score(facts: Pick<NewUrl, 'url' | 'depth' | 'foundAt' | 'inLinks' | 'signals'>): number {
    const { url, depth, foundAt, inLinks, signals } = facts
    return finiteScore(this.#scorer, { url, depth, foundAt, inLinks, signals })
  }
}
