// Which ready host goes first. Independent of the ordering, which only sorts within a host.
import type { HostPolicyName } from '../../core/job.ts'

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
  /** Pages stored or being fetched. */
  readonly served: number
  readonly isSeed: boolean
  /** It has URLs that could be fetched before long: not resting, not blocked, not barren. */
  readonly active: boolean
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
  /** Which goes first of hosts with equal rank, the lower; by default the host found first. */
  tie?(host: HostFacts): number
  /** True when this host should wait for others although it is the first that is ready. */
  holds(host: HostFacts, seedSites: readonly SiteFacts[]): boolean
}
