// Depths only ever fall: a shorter path found later makes a URL nearer and, in a crawl with a depth limit,
// everything behind it. So the limit means the true distance, in whatever order pages arrive.
import { isUnfollowed, TOO_DEEP } from './admission.ts'
import type { Rescoring } from './rescoring.ts'
import type { EdgeRows, UrlRow } from './rows.ts'
import type { SeenUrls } from './seen-urls.ts'
import { REFUSED } from './states.ts'
import type { UrlTable } from './url-table.ts'

/** Checks a URL again that was refused because of the path that led to it. */
export interface Reconsiders {
  reconsider(row: UrlRow, depth: number): void
}

export class Depths {
  readonly #urls: UrlTable
  readonly #seen: SeenUrls
  readonly #rescoring: Rescoring
  readonly #edges: EdgeRows
  readonly #exact: boolean

  constructor(options: {
    readonly edges: EdgeRows
    readonly urls: UrlTable
    readonly seen: SeenUrls
    readonly rescoring: Rescoring
    readonly exact: boolean
  }) {
    this.#urls = options.urls
    this.#seen = options.seen
    this.#rescoring = options.rescoring
    this.#exact = options.exact
    this.#edges = options.edges
  }

  /** Records that a path of this length leads to the URL. */
  lower(id: number, depth: number, refused: Reconsiders): void {
    // Nearest first, so that hardly any URL is lowered twice. The list grows while it is read.
    const paths: [id: number, depth: number][] = [[id, depth]]
    for (const path of paths) {
      if (!this.#lowerOne(...path, refused) || !this.#exact) continue
      for (const next of this.#behind(...path)) paths.push(next)
    }
  }

  /** True if the URL was farther away before. */
  #lowerOne(id: number, depth: number, refused: Reconsiders): boolean {
    if (this.#seen.depthOf(id) <= depth) return false
    const row = this.#urls.read(id)
    const wasFollowed = row.state !== REFUSED || !isUnfollowed(row.reason)
    if (wasFollowed && row.depth <= depth) {
      this.#seen.setDepth(id, row.depth)
      return false
    }
    if (!wasFollowed || (row.state === REFUSED && row.reason === TOO_DEEP)) {
      refused.reconsider(row, depth)
    } else {
      this.#rescoring.setDepth(row, depth)
    }
    return true
  }

  #behind(id: number, depth: number): [id: number, depth: number][] {
    const edges = this.#edges.get(id)
    if (edges === undefined) return []
    const next = depth + edges.step
    return Array.from(edges.toIds, (to) => [to, next])
  }
}
