// The best pages and hosts of a crawl, as tables.

import { showCount } from '../lib/format.ts'
import type { RankedHost, RankedPage } from '../reads/rank-rows.ts'
import type { Column } from './table.ts'

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
