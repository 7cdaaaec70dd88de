// The link graph of one crawl, kept in step with the store while the crawl goes on: each page is read
// once, when it came or changed. Its ranks are those of all pages read so far.
import { GrowingGraph, type RankedPages } from '../../graph/growing-graph.ts'
import type { ChangeFeed, PageChange } from '../../store/change-feed.ts'
import type { GraphReader, LinkedPage, Redirect } from '../../store/graph-reader.ts'

export type FollowedGraphOptions = {
  readonly crawlId: number
  readonly reader: GraphReader
  readonly changes: ChangeFeed
  /** Where URLs led, all that are known now; asked again each time. */
  readonly redirects?: () => AsyncIterable<Redirect>
  /** When there are more, no further page is read: `graph.links` tells. Without it all are. */
  readonly maxLinks?: number
  /** Sees each page when it is read, also again when it changed. */
  readonly note?: (page: LinkedPage) => void
}

const CHANGES_AT_ONCE = 500

export class FollowedGraph {
  readonly #options: FollowedGraphOptions
  #graph = new GrowingGraph()
  /** How far the changes are known; null: nothing was read yet. */
  #at: { readonly mark: string; readonly cursor: number } | null = null

  constructor(options: FollowedGraphOptions) {
    this.#options = options
  }

  /** As of the last `catchUp`. */
  get graph(): GrowingGraph {
    return this.#graph
  }

  /** Reads what came since the last time; all pages the first time, and when the store is another one. */
  async catchUp(): Promise<void> {
    const mark = await this.#options.changes.mark()
    const at = this.#at?.mark === mark ? this.#at : await this.#begin(mark)
    this.#at = { mark, cursor: await this.#follow(at.cursor) }
    for await (const { from, to } of this.#options.redirects?.() ?? []) {
      this.#graph.redirect(from, to)
    }
  }

  ranks(): RankedPages {
    return this.#graph.ranks()
  }

  async #begin(mark: string): Promise<{ readonly mark: string; readonly cursor: number }> {
    const { reader, changes, crawlId } = this.#options
    // Asked before the pages: what changes meanwhile is read again.
    const cursor = await changes.last()
    this.#graph = new GrowingGraph()
    for await (const page of reader.linkedPages(crawlId)) {
      if (this.#isFull()) break
      this.#take(page)
    }
    return { mark, cursor }
  }

  async #follow(from: number): Promise<number> {
    for (let cursor = from; ; ) {
      if (this.#isFull()) return cursor
      const next = await this.#options.changes.after(cursor, CHANGES_AT_ONCE)
      if (next.cursor === cursor) return cursor
      await this.#apply(next.changes.filter(({ crawlId }) => crawlId === this.#options.crawlId))
      cursor = next.cursor
    }
  }

  async #apply(changes: readonly PageChange[]): Promise<void> {
    const { reader, crawlId } = this.#options
    // A page that is not there any more, for whatever reason, is not read back below.
    const ids = [...new Set(changes.flatMap(({ pageId }) => pageId ?? []))]
    for (const id of ids) this.#graph.remove(id)
    for await (const page of reader.linkedPagesOf(crawlId, ids)) this.#take(page)
  }

  #isFull(): boolean {
    return this.#graph.links > (this.#options.maxLinks ?? Number.POSITIVE_INFINITY)
  }

  #take(page: LinkedPage): void {
    this.#graph.add(page)
    this.#options.note?.(page)
  }
}
