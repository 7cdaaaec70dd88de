// Which ready host goes first. Independent of the ordering, which only sorts within a host.
import type { HostPolicyName } from '../../core/crawl-terms.ts'

/** What a policy may weigh about a host that could be visited now. */
export type HostFacts = {
  readonly site: SiteFacts
  /** URLs waiting in its queue when the round began; 0 for a host that was found since. */
  readonly pending: number
  /** The pick that visited it last, counted from 1; 0: none did. */
  readonly lastVisit: number
  /** Pages of this host stored or being fetched. */
  readonly served: number
  /** Score of its best candidate, and that one's place in the order of discovery. */
  readonly bestScore: number
  readonly bestId: number
}

/** The registrable domain a host belongs to. */
export type SiteFacts = {
  /**
   * Pages stored or being fetched, and those it could not have had: one that comes back after a while
   * stands little behind the others, whatever it missed.
   */
  readonly share: number
  readonly isSeed: boolean
  /** Its share in the sums over seeds' domains; -1 when it is not in them. */
  readonly counted: number
}

/** Sums over those seeds' domains that could be served: ready, or about to be at the usual pace. */
export type SeedSums = {
  readonly count: number
  readonly least: number
  readonly sum: number
  readonly squares: number
}

export interface HostPolicy {
  readonly name: HostPolicyName
  readonly about: string
  /** True when it ranks by what was waiting at the beginning of a round of picks. */
  readonly inRounds?: boolean
  /** True when it makes sense to leave a host alone while a better one is busy. */
  readonly patient?: boolean
  /**
   * Lower goes first. Unless something about the host or its queue has changed it may only grow
   * between two looks: a host is ranked when it gets ready and once more when it comes up.
   */
  rank(host: HostFacts): number
  /**
   * Lower goes first among the hosts of one domain, where a visit to one changes the rank of all of
   * them; only the first of a domain is ranked against others then.
   */
  rankInSite?(host: HostFacts): number
  /** Which goes first of hosts with equal rank, the lower; by default the host found first. */
  tie?(host: HostFacts): number
  /**
   * True when a domain has had its share and goes on as if it had one host only. It is asked of hosts
   * beside which another of their domain is being visited: one that is alone is never held back.
   */
  holds(host: HostFacts, seeds: SeedSums): boolean
}
