// The rows of a stored crawl's pages, numbered: what repeats a page, or led to one, has its number.
import type { CanonicalUrl } from '../core/url.ts'
import type { Redirect } from '../store/graph-reader.ts'
import type { PageReader } from '../store/page-store.ts'

const PAGES_AT_ONCE = 500
const MAX_HOPS = 10

/** What the rows of pages tell, by number. */
export type Rows = {
  readonly urls: CanonicalUrl[]
  /** Store ids: of the page first, then of those that repeat it. */
  readonly ids: number[][]
  readonly byId: Map<number, number>
  readonly byUrl: Map<string, number>
  readonly fetchMs: number[]
  readonly hot: number[]
  judged: boolean
}

export async function readRows(pages: PageReader, crawlId: number): Promise<Rows> {
  const rows: Rows = {
    urls: [],
    ids: [],
    byId: new Map(),
    byUrl: new Map(),
    fetchMs: [],
    hot: [],
    judged: false,
  }
  for (let after = 0; ; ) {
    const batch = await pages.list({ crawlId, after, limit: PAGES_AT_ONCE })
    for (const page of batch) addRow(rows, page)
    const last = batch.at(-1)
    if (last === undefined) return rows
    after = last.id
  }
}

type Row = Awaited<ReturnType<PageReader['list']>>[number]

function addRow(rows: Rows, { id, url, duplicateOf, hot, relevance, fetchMs }: Row): void {
  const original = duplicateOf === null ? undefined : rows.byId.get(duplicateOf)
  const page = original ?? rows.urls.length
  rows.byUrl.set(url, page)
  rows.byId.set(id, page)
  if (original !== undefined) {
    rows.ids[original]?.push(id)
    return
  }
  rows.urls.push(url)
  rows.ids.push([id])
  rows.fetchMs.push(fetchMs)
  rows.hot.push(hot ? 1 : 0)
  rows.judged ||= relevance !== null
}

export function addRedirects(byUrl: Map<string, number>, redirects: readonly Redirect[]): void {
  const next = new Map<string, string>(redirects.map(({ from, to }) => [from, to]))
  for (const { from, to } of redirects) {
    let url: string | undefined = to
    for (let hop = 0; hop < MAX_HOPS && url !== undefined && !byUrl.has(url); hop++) {
      url = next.get(url)
    }
    const page = url === undefined ? undefined : byUrl.get(url)
    if (page !== undefined && !byUrl.has(from)) byUrl.set(from, page)
  }
}
