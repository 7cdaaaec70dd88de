// A frontier's URLs and hosts with all that is kept of them: what is copied to the store, and what a
// frontier can be made from again.
import type { HostState } from './host.ts'
import type { Via } from './link.ts'
import type { CanonicalUrl } from './url.ts'
import type { UrlState } from './visit.ts'

/** A URL with all that its frontier keeps of it. */
export type UrlCopy = {
  /** Its id in the frontier; they grow in order of discovery. */
  readonly position: number
  readonly url: CanonicalUrl
  readonly state: UrlState
  /** Refused only because it was out of reach: a later run tries it again. */
  readonly outOfReach: boolean
  readonly reason: string
  readonly depth: number
  readonly hops: number
  /** The page that named it first, by its position; of a sitemap or from outside: null. */
  readonly foundOn: number | null
  /** The sitemap that named it first. */
  readonly foundIn: string | null
  readonly via: Via
  readonly foundAt: number
  readonly inLinks: number
  readonly signals: readonly number[] | null
  readonly priority: number
  readonly tries: number
  readonly nextAt: number | null
}

/** A host as it was when this was written; `ownDelayMs`: the gap that it asked for or needs itself. */
export type HostCopy = HostState & { readonly ownDelayMs: number }

/** Things of a frontier as a whole, by name: what its ordering has learned, what it was judged by. */
export type FrontierNote = { readonly name: string; readonly bytes: Uint8Array }

export type StatesBatch = {
  readonly urls: readonly UrlCopy[]
  readonly hosts: readonly HostCopy[]
  readonly notes: readonly FrontierNote[]
}
