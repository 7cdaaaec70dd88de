// The port that search adapters implement: which pages a query matches, how many pages have a word, and which
// words exist. The rest is shared by all adapters (matches-of.ts): relaxing, folding, facets and suggestions.
import type { Countable, Foldable } from './fold.ts'
import type { WordList } from './near-words.ts'
import type { Query } from './query.ts'
import type { Search } from './search-index.ts'
import type { TitleList } from './title-words.ts'

export type Match = Countable &
  Foldable & {
    readonly id: number
    /** As the page says; null if it does not. */
    readonly publishedAt: number | null
    /** Higher is better. */
    readonly score: number
  }

/** The pages that match one query. */
export interface Matching {
  /** True if counting takes much less time than finding the best. */
  readonly countsFast: boolean
  /** At most `limit` matches, best first; ties by id. */
  best(limit: number): Promise<readonly Match[]>
  count(): Promise<number>
  /** True if there are more than `pages`. */
  hasMore(pages: number): Promise<boolean>
  /** All ids, in order. */
  ids(): Promise<readonly number[]>
}

export type Sought = Pick<Search, 'filter' | 'scoring' | 'sort'> & {
  /** The share of the head of pages in their scores; `HEAD_SHARE` if missing, which is the highest. */
  readonly headShare?: number
}

export interface Matcher {
  /** Null if there is nothing to look for. */
  matching(query: Query, search: Sought): Promise<Matching | null>
  /** For each list: the number of pages with one of its words or stems, counted up to `most`. */
  pagesWith(lists: readonly (readonly string[])[], most: number): Promise<readonly number[]>
  /** For each word: those of the pages that have this very word. */
  having(words: readonly string[], pageIds: readonly number[]): Promise<readonly Iterable<number>[]>
  /** The words that a misspelt word is compared with. */
  readonly words: WordList
  /** Titles to offer while somebody types. */
  readonly titles: TitleList
}

/** The stems by which a word is looked up, in the order of their text. */
export type FormsOf = (word: string) => readonly string[]

/** Counting stops here: this is common enough. */
const COMMON = 1000
/** Below this share of the most common stem, pages of that language only quote the word. */
const LEAST_SHARE = 0.2

/**
 * Returns the stems in use for the words of a query; `formsOf` gives all stems of a word. Every stemmer
 * would cut something off any word: in Indonesian, "person" would be a form of "son". A stem that is rare
 * because its language is rare would score high, and English pages would follow the few Indonesian pages
 * that quote them. So a word is assigned to the language where it is common, and to several only if it is
 * common in all of them.
 */
export async function formsInUse(
  matcher: Pick<Matcher, 'pagesWith'>,
  query: Query,
  formsOf: FormsOf,
): Promise<FormsOf> {
  const forms = new Map<string, readonly string[]>()
  for (const { anyForm, words, written } of query.all.flat()) {
    const [word] = words
    if (!anyForm || word === undefined) continue
    // With and without accents: who types none means either.
    const each = new Set([written?.[0] ?? word, word].flatMap(formsOf))
    forms.set(word, [...each].toSorted())
  }
  const all = [...new Set([...forms.values()].flat())]
  const counts = await matcher.pagesWith(
    all.map((form) => [form]),
    COMMON,
  )
  const pages = new Map(all.map((form, at) => [form, counts[at] ?? 0]))
  return (word) => common(forms.get(word) ?? [], pages)
}

function common(forms: readonly string[], pages: ReadonlyMap<string, number>): readonly string[] {
  const most = Math.max(0, ...forms.map((form) => pages.get(form) ?? 0))
  const least = Math.max(1, most * LEAST_SHARE)
  return forms.filter((form) => (pages.get(form) ?? 0) >= least)
}
