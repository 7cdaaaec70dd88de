// Decides which ready host is visited first. It is independent of the ordering, which only sorts within a
// host.
import type { HostPolicyName } from '../../core/crawl-terms.ts'

/** The facts about a ready host that a policy may weigh. */
export type HostFacts = {
  readonly site: SiteFacts
  /** URLs waiting in its queue when the round of picks began; 0 for a host that was found since. */
  readonly pending: number
  /** Number of the pick that visited it last, counted from 1; 0 if it was never visited. */
  readonly lastVisit: number
  /** Pages of this host stored or being fetched. */
  readonly served: number
  /** Score of its best candidate, and that candidate's position in the order of discovery. */
  readonly bestScore: number
  readonly bestId: number
}

/** The registrable domain a host belongs to. */
export type SiteFacts = {
  /**
   * Pages stored or being fetched, plus those it missed while it could not be served. A domain that comes
   * back after a while is therefore only a little behind the others.
   */
  readonly share: number
  readonly isSeed: boolean
  /** Its share in the sums over seeds' domains; -1 if it is not part of them. */
  readonly counted: number
}

/** Sums over the seeds' domains that can be served: ready now, or soon at the usual pace. */
export type SeedSums = {
  readonly count: number
  readonly least: number
  readonly sum: number
  readonly squares: number
}

export interface HostPolicy {
  readonly name: HostPolicyName
  /** True if it ranks by the queue sizes at the beginning of a round of picks. */
  readonly inRounds?: boolean
  /** True if a host may be left alone while a better one is busy. */
  readonly patient?: boolean
  /**
   * The lower rank is first. As long as host and queue do not change, the rank may only grow: a host is
   * ranked when it becomes ready and again when it is about to be picked.
   */
  rank(host: HostFacts): number
  /**
   * The lower rank is first among the hosts of one domain. For policies where a visit to one host changes the
   * rank of the whole domain; only the first host of a domain is then ranked against others.
   */
  rankInSite?(host: HostFacts): number
  /** Breaks ties between hosts of equal rank, the lower first. By default the host found first wins. */
  tie?(host: HostFacts): number
  /**
   * True if a domain has had its share and is limited to the pace of a single host. Only asked for hosts
   * while another host of their domain is being visited: a single host is never held back, unless other
   * programs of the crawl have no connections left for hosts that are ready.
   */
  holds(host: HostFacts, seeds: SeedSums): boolean
}
