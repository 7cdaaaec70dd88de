// The best pages and hosts of a crawl, as tables.
import { showCount } from './format.ts'
import type { Column } from './table.ts'

/** A line of `rank --json`. */
export type RankedPage = {
  readonly id: number
  readonly url: string
  readonly title: string
  readonly host: string
  readonly pagerank: number
  /** Other pages of the crawl that link here; `in` is the same under the name that graphs use. */
  readonly backlinks: number
  readonly in: number
  /** Other pages of the crawl that it links to; null: not known. */
  readonly out: number | null
  readonly importance: number
  readonly relevance: number | null
}

/** A line of `rank --hosts --json`. */
export type RankedHost = {
  readonly host: string
  readonly site: string
  readonly pages: number
  readonly hot: number
  /** Of its pages together. */
  readonly pagerank: number
  /** Links of pages elsewhere to pages here. */
  readonly backlinks: number
  /** Other hosts that link here, and that it links to. */
  readonly in: number
  readonly out: number
  /** Mean over its pages; null where no topic judged them. */
  readonly relevance: number | null
}

export const PAGE_RANK_COLUMNS: readonly Column<RankedPage>[] = [
  { title: 'PAGERANK', align: 'right', of: ({ pagerank }) => shownRank(pagerank) },
  { title: 'BACKLINKS', align: 'right', of: ({ backlinks }) => showCount(backlinks) },
  { title: 'OUT', align: 'right', of: ({ out }) => (out === null ? '–' : showCount(out)) },
  { title: 'IMPORTANCE', align: 'right', of: ({ importance }) => importance.toFixed(3) },
  { title: 'URL', of: ({ url }) => url },
  { title: 'TITLE', of: ({ title }) => title, max: 40 },
]

export const HOST_RANK_COLUMNS: readonly Column<RankedHost>[] = [
  { title: 'PAGERANK', align: 'right', of: ({ pagerank }) => shownRank(pagerank) },
  { title: 'PAGES', align: 'right', of: ({ pages }) => showCount(pages) },
  { title: 'BACKLINKS', align: 'right', of: ({ backlinks }) => showCount(backlinks) },
  { title: 'HOSTS IN', align: 'right', of: (row) => showCount(row.in) },
  { title: 'HOSTS OUT', align: 'right', of: ({ out }) => showCount(out) },
  { title: 'HOST', of: ({ host }) => host },
]

function shownRank(rank: number): string {
  return rank >= 0.001 ? rank.toFixed(5) : rank.toExponential(2)
}
