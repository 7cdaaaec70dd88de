// URLs and hosts of a frontier with all their fields: the copy in the store, from which a lost frontier can
// be rebuilt.
import type { HostState } from './host.ts'
import type { Via } from './link.ts'
import type { CanonicalUrl } from './url.ts'
import type { UrlState } from './visit.ts'

/** A URL with all fields of its frontier. */
export type UrlCopy = {
  /** Its id in the frontier; ids grow in order of discovery. */
  readonly position: number
  readonly url: CanonicalUrl
  readonly state: UrlState
  /** Refused only because it was unreachable; a later run tries it again. */
  readonly outOfReach: boolean
  readonly reason: string
  readonly depth: number
  readonly hops: number
  /** The position of the page that linked to it first; null for sitemaps and seeds. */
  readonly foundOn: number | null
  /** The sitemap that listed it first. */
  readonly foundIn: string | null
  readonly via: Via
  readonly foundAt: number
  readonly inLinks: number
  readonly signals: readonly number[] | null
  readonly priority: number
  readonly tries: number
  readonly nextAt: number | null
}

/** A host at the time of writing. `ownDelayMs` is the gap that it asked for or needs. */
export type HostCopy = HostState & { readonly ownDelayMs: number }

/** Named values of the whole frontier: what its ordering has learned, the settings it was built with. */
export type FrontierNote = { readonly name: string; readonly bytes: Uint8Array }

export type StatesBatch = {
  readonly urls: readonly UrlCopy[]
  readonly hosts: readonly HostCopy[]
  readonly notes: readonly FrontierNote[]
}
