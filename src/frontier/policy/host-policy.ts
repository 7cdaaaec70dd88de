// Which ready host goes first. Independent of the ordering, which only sorts within a host.
import type { HostPolicyName } from '../../core/job.ts'

/** What a policy may weigh about a host that could be visited now. */
export type HostFacts = {
  readonly site: SiteFacts
  /** URLs waiting in its queue. */
  readonly queued: number
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
  /**
   * Lower goes first. Between two looks it may only grow (fair, best) or be stale for a round
   * (largest): a host is ranked when it gets ready and once more when it comes up.
   */
  rank(host: HostFacts): number
  /** Which goes first of hosts with equal rank, the lower; by default the host found first. */
  tie?(host: HostFacts): number
  /** True when this host should wait for others although it is the first that is ready. */
  holds(host: HostFacts, seedSites: readonly SiteFacts[]): boolean
}
