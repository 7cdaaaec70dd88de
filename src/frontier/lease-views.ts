// The leases of a crawl's frontier, for display only: its owners as `sessions`, which is
// their name in the API, and its partitions. Only a frontier that several programs share has them.

/** A partition of the frontier. */
export type PartitionTotals = {
  readonly partition: number
  /** Prefix of its keys in Redis; else ''. */
  readonly keys: string
  /** Number of all URLs it has ever seen. */
  readonly urls: number
  readonly hosts: number
  readonly queued: number
  readonly leased: number
  readonly stored: number
  /** How many of its largest hosts may be visited now, and how many rest. */
  readonly readyHosts: number
  readonly restingHosts: number
}

/** A scouter that owns partitions. A program may have several. */
type SessionView = {
  readonly session: string
  /** Epoch ms. Until then, at least, it counts as alive. */
  readonly until: number
  readonly leases: number
  /** Hosts of its partitions. */
  readonly hosts: number
}

export type LeaseView = {
  /** '' if nobody owns its partition now. */
  readonly session: string
  readonly kind: 'page' | 'sitemap' | 'robots'
  /** '' for a lease without a row of its own: robots.txt, a sitemap. */
  readonly url: string
  readonly host: string
  /** Epoch ms when the request was sent; null if it was not sent yet, or just now. */
  readonly startedAt: number | null
  readonly tries: number
}

/** A host that is being visited. */
export type HostView = {
  readonly host: string
  readonly session: string
  /** Epoch ms until which, at least, it is left to that session. */
  readonly until: number
}

export type FrontierLeases = {
  /** Epoch ms of the shared clock. */
  readonly now: number
  /** Number of all leases; `leases` may hold fewer. */
  readonly total: number
  readonly partitions: readonly PartitionTotals[]
  readonly sessions: readonly SessionView[]
  readonly leases: readonly LeaseView[]
  readonly hosts: readonly HostView[]
}
