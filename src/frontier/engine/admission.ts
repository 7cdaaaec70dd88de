// Whether a URL may be queued, and with what score. Checks are ordered by finality: a refusal by the crawl's
// rules is final, while a link that is not followed or too deep may be found again by a better path. Traps
// are checked when a URL is about to be leased (picking.ts).
import type { Job } from '../../core/job.ts'
import type { Barred } from '../../core/link.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { Scorer } from '../../ordering/ordering.ts'
import { finiteScore } from '../../ordering/ordering.ts'
import type { Origin } from './host.ts'
import type { Hosts } from './hosts.ts'
import type { UrlRow } from './rows.ts'

/** Returns the reason why a URL must not be fetched in this crawl; null if it may. */
export type Admit = (url: CanonicalUrl, host: string) => string | null

export type Verdict =
  | { readonly origin: Origin; readonly reason: null }
  | { readonly origin: null; readonly reason: string }

/** The path that led to a URL. */
type Path = {
  readonly depth: number
  readonly nofollow: boolean
  readonly barred?: Barred
}

/** Reasons that a better path to the URL takes back. */
const NOT_FOLLOWED = 'nofollow'
export const TOO_DEEP = 'depth'
export const OFF_FOCUS = 'focus'
const BARRED: Readonly<Record<Barred, string>> = {
  refused: 'plugin-link: refused by admit',
  unanswered: 'plugin-link: admit gave no answer',
}

/** True if no path to the URL may be followed. */
export function isUnfollowed(reason: string): boolean {
  return reason === NOT_FOLLOWED || reason === OFF_FOCUS || isBarred(reason)
}

function isBarred(reason: string): boolean {
  return reason === BARRED.refused || reason === BARRED.unanswered
}

/** True if a better path to the URL takes this reason back. */
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

  /** Why a known, waiting URL may not be fetched after all; null if it may. */
  refusal(url: CanonicalUrl, depth: number): string | null {
    return this.#admit(url, hostOf(url)) ?? (this.isTooDeep(depth) ? TOO_DEEP : null)
  }

  isTooDeep(depth: number): boolean {
    return depth > this.#maxDepth
  }

  judge(url: CanonicalUrl, { depth, nofollow, barred }: Path): Verdict {
    const host = hostOf(url)
    const reason = this.#admit(url, host)
    if (reason !== null) return { origin: null, reason }
    if (nofollow) return { origin: null, reason: barred ? BARRED[barred] : NOT_FOLLOWED }
    if (this.isTooDeep(depth)) return { origin: null, reason: TOO_DEEP }
    return { origin: this.#hosts.originFor(url, host), reason: null }
  }

  score(facts: Pick<UrlRow, 'url' | 'depth' | 'foundAt' | 'inLinks' | 'signals'>): number {
    const { url, depth, foundAt, inLinks, signals } = facts
    return finiteScore(this.#scorer, { url, depth, foundAt, inLinks, signals })
  }
}
