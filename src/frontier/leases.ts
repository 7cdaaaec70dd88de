// What of a crawl's frontier is in whose hands at this moment, for people to see. Only a frontier that
// several programs share has this to tell; nothing is decided by it.

/** A part of the frontier that is kept in one place. */
export type ShardGlance = {
  readonly shard: number
  /** What its keys begin with. */
  readonly keys: string
  /** All it has ever seen. */
  readonly urls: number
  readonly hosts: number
  readonly queued: number
  readonly leased: number
  readonly stored: number
  /** Hosts that may be asked now, and those that rest. */
  readonly readyHosts: number
  readonly restingHosts: number
}

/** Who has the frontier open: a scouter, of which a program may have several. */
export type SessionGlance = {
  readonly session: string
  /** Epoch ms: until then it is believed to live. */
  readonly until: number
  readonly leases: number
  /** Hosts that are kept for it. */
  readonly hosts: number
}

export type LeaseGlance = {
  readonly session: string
  readonly kind: 'page' | 'sitemap' | 'robots'
  /** '' of what has no row of its own: robots.txt, a sitemap. */
  readonly url: string
  readonly host: string
  /** Epoch ms: when its request went out; null: it has not yet. */
  readonly startedAt: number | null
  readonly tries: number
}

export type HostGlance = {
  readonly host: string
  readonly session: string
  /** Epoch ms: until then others leave it to that session. */
  readonly until: number
}

export type FrontierLeases = {
  /** Epoch ms, by the clock that everybody shares. */
  readonly now: number
  /** All that are out; `leases` may be fewer. */
  readonly total: number
  readonly shards: readonly ShardGlance[]
  readonly sessions: readonly SessionGlance[]
  readonly leases: readonly LeaseGlance[]
  readonly hosts: readonly HostGlance[]
}
