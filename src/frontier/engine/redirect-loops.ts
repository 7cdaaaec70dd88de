// Finds redirects that lead back to where they began. As far as the URLs of a way are in this partition, its
// rows show where it goes; from there on the search is sent to the partition that knows more.
//
// A way begins when a redirect is settled, so the last redirect of a loop to be settled finds all others.
// If several were settled at the same time, each of their searches finds the loop. All of them name the same
// URL as the one that fails: of a loop over partitions, the one with the highest number.
import { type CanonicalUrl, canonicalise } from '../../core/url.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import type { RedirectWay } from './foreign-links.ts'
import { MAX_HOPS, type OtherPartitions } from './link-intake.ts'
import type { Revisits } from './revisits.ts'
import type { SeenUrls } from './seen-urls.ts'
import { REDIRECTED } from './states.ts'
import type { UrlTable } from './url-table.ts'

type RedirectLoopsOptions = {
  readonly seen: SeenUrls
  readonly urls: UrlTable
  readonly revisits: Revisits
  readonly hashUrl: UrlHasher
  /** Null if there is only one partition. */
  readonly otherPartitions: OtherPartitions | null
}

export class RedirectLoops {
  readonly #options: RedirectLoopsOptions

  constructor(options: RedirectLoopsOptions) {
    this.#options = options
  }

  /** Whether redirects of this partition lead from there back to the URL with this id. */
  leadsBack(to: CanonicalUrl, id: number): boolean {
    const from = this.#numberOf(id)
    return this.#search({ from, at: to, steps: 0, highest: from }) !== null
  }

  /** Follows a way that came from another partition. Returns the URL that fails if it is a loop. */
  follow(way: RedirectWay): { readonly partition: number; readonly id: number } | null {
    const highest = this.#search(way)
    return highest === null ? null : (this.#options.otherPartitions?.placeOf(highest) ?? null)
  }

  /** The highest number on the way if it is a loop. */
  #search(way: RedirectWay): number | null {
    const { seen, urls, revisits, hashUrl } = this.#options
    let { at, steps, highest } = way
    for (; steps <= MAX_HOPS; steps += 1) {
      const id = seen.find(hashUrl(at))
      if (id === 0) {
        this.#sendOn({ from: way.from, at, steps, highest })
        return null
      }
      const number = this.#numberOf(id)
      if (number === way.from) return highest
      const row = urls.read(id)
      // A redirect found before this recrawl may be out of date.
      if (row.state !== REDIRECTED || revisits.has(id)) return null
      highest = Math.max(highest, number)
      // The target of a redirect is its reason.
      at = row.reason
    }
    return null
  }

  /** The target of the first redirect is sent as a link, and with it the search. */
  #sendOn(way: RedirectWay): void {
    const { otherPartitions } = this.#options
    const url = otherPartitions === null || way.steps === 0 ? null : canonicalise(way.at)
    const to = url === null ? null : (otherPartitions?.partitionOf(url) ?? null)
    if (to !== null) otherPartitions?.follow(to, way)
  }

  #numberOf(id: number): number {
    return this.#options.otherPartitions?.numberOf(id) ?? id
  }
}
