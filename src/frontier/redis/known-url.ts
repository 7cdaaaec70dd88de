// URLs that are known, as a batch of settlements meets them.
import type { UrlHash } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Candidate, Signals } from '../../ordering/ordering.ts'

/** Where a URL stands, as far as one more link to it is concerned. */
export const STANDINGS = ['waits', 'too-deep', 'unfollowed', 'closed'] as const
export type Standing = (typeof STANDINGS)[number]

export type KnownUrl = {
  readonly id: number
  standing: Standing
  depth: number
  readonly foundAt: number
  inLinks: number
  signals: Signals | null
}

/** A page that is settled, or that led to one. */
export type KnownPage = Candidate & { readonly id: number; readonly hostId: number }

export function wasUnfollowed({ standing }: KnownUrl): boolean {
  return standing === 'unfollowed'
}

/** False when nothing a link says can matter any more. */
export function mayWait({ standing }: KnownUrl): boolean {
  return standing !== 'closed'
}

/** A URL of the batch that was unknown. */
export type FreshUrl = Pick<KnownUrl, 'id' | 'depth' | 'foundAt' | 'inLinks' | 'signals'> & {
  /** '' when it is queued. */
  readonly reason: string
}

/** What was read of the URLs a batch speaks of, and what the batch has done to them since. */
export class Looked {
  readonly lastId: number
  /** Pages that were fetched and read, by all sessions. */
  readonly fetched: number
  #waiting: number
  readonly #byHash = new Map<string, KnownUrl>()
  readonly #byId = new Map<number, KnownUrl>()

  constructor(figures: { lastId: number; waiting: number; fetched: number }) {
    this.lastId = figures.lastId
    this.fetched = figures.fetched
    this.#waiting = figures.waiting
  }

  /** URLs that wait. */
  get waiting(): number {
    return this.#waiting
  }

  find(hash: UrlHash): KnownUrl | undefined {
    return this.#byHash.get(keyOf(hash))
  }

  withId(id: number): KnownUrl | undefined {
    return this.#byId.get(id)
  }

  /** As it was read; of one URL the first is kept. */
  keep(url: KnownUrl, hash: UrlHash | null): KnownUrl {
    const known = this.#byId.get(url.id) ?? url
    this.#byId.set(known.id, known)
    if (hash !== null) this.#byHash.set(keyOf(hash), known)
    return known
  }

  /** One that the batch makes known. */
  add(hash: UrlHash, { reason, ...facts }: FreshUrl): void {
    const known: KnownUrl = { ...facts, standing: standingOf(reason) }
    this.#byHash.set(keyOf(hash), known)
    // By no id: what the script gives it may be another.
    if (reason === '') this.#waiting += 1
  }

  /** A path that counts leads to one that nobody followed before. */
  follow(known: KnownUrl): void {
    known.standing = 'waits'
    this.#waiting += 1
  }
}

/** What an ordering weighs of a page, by what the batch knows of it. */
export function candidateOf(url: CanonicalUrl, known: KnownUrl): Candidate {
  const { depth, foundAt, inLinks, signals } = known
  return { url, depth, foundAt, inLinks, signals }
}

function standingOf(reason: string): Standing {
  if (reason === '') return 'waits'
  if (reason === 'depth') return 'too-deep'
  return reason === 'focus' || reason === 'nofollow' ? 'unfollowed' : 'closed'
}

function keyOf({ hi, lo }: UrlHash): string {
  return `${hi}:${lo}`
}
