// Turns the ids that an index found into hits. A page that is gone from the store, or whose id now belongs to
// another crawl, is left out, so an index that is behind shows nothing wrong.

import type { SearchedPage } from '../core/page.ts'
import type { Field } from '../core/search-field.ts'
import { findMatches } from './matches.ts'
import type { Query } from './query.ts'
import type { Hit, PagesOf } from './search-index.ts'
import { markAll, snippetOf } from './snippet.ts'
import type { StemWords } from './words.ts'

export type Ranked = Pick<Hit, 'score' | 'others'> & {
  readonly id: number
  readonly crawlId: number
}

export type HitOptions = {
  readonly query: Query
  readonly stems: StemWords
  readonly pagesOf: PagesOf
}

/** Hits in the order of `ranked`. */
export async function hitsFrom(ranked: readonly Ranked[], options: HitOptions): Promise<Hit[]> {
  const pages = await options.pagesOf(ranked.map(({ id }) => id))
  const byId = new Map(pages.map((page) => [page.id, page]))
  return ranked.flatMap(({ id, crawlId, score, others }) => {
    const page = byId.get(id)
    if (page === undefined || page.crawlId !== crawlId) return []
    return [{ ...shownFrom(page, options), score, others }]
  })
}

type Shown = Pick<Hit, 'page' | 'title' | 'snippet'>

function shownFrom(whole: SearchedPage, { query, stems }: HitOptions): Shown {
  const { contentText, ...page } = whole
  const matchesIn = (text: string, fields: readonly Field[]) =>
    findMatches(text, query, { stems, language: page.language, fields })
  const inText = matchesIn(contentText, SHOWN_FIELDS)
  const title = markAll(page.title, matchesIn(page.title, ['title']))
  if (inText.length > 0 || page.description === '') {
    return { page, title, snippet: snippetOf(contentText, inText) }
  }
  const inDescription = matchesIn(page.description, SHOWN_FIELDS)
  return { page, title, snippet: snippetOf(page.description, inDescription) }
}

const SHOWN_FIELDS: readonly Field[] = ['text', 'description', 'keywords']
