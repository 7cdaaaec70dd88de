// The leases, sessions and shards of a crawl's frontier, for display only. Only a frontier that several
// programs share has them.

/** A part of the frontier that is stored on one server. */
export type ShardGlance = {
  readonly shard: number
  /** Prefix of its keys. */
  readonly keys: string
  /** Number of all URLs it has ever seen. */
  readonly urls: number
  readonly hosts: number
  readonly queued: number
  readonly leased: number
  readonly stored: number
  /** Hosts that may be visited now, and hosts that rest. */
  readonly readyHosts: number
  readonly restingHosts: number
}

/** A scouter that has the frontier open. A program may have several. */
export type SessionGlance = {
  readonly session: string
  /** Epoch ms. Until then the session counts as alive. */
  readonly until: number
  readonly leases: number
  /** Hosts reserved for it. */
  readonly hosts: number
}

export type LeaseGlance = {
  readonly session: string
  readonly kind: 'page' | 'sitemap' | 'robots'
  /** '' for a lease without a row of its own: robots.txt, a sitemap. */
  readonly url: string
  readonly host: string
  /** Epoch ms when the request was sent; null if it was not sent yet. */
  readonly startedAt: number | null
  readonly tries: number
}

export type HostGlance = {
  readonly host: string
  readonly session: string
  /** Epoch ms until which the lease belongs to that session. */
  readonly until: number
}

export type FrontierLeases = {
  /** Epoch ms of the shared clock. */
  readonly now: number
  /** Number of all leases; `leases` may hold fewer. */
  readonly total: number
  readonly shards: readonly ShardGlance[]
  readonly sessions: readonly SessionGlance[]
  readonly leases: readonly LeaseGlance[]
  readonly hosts: readonly HostGlance[]
}
