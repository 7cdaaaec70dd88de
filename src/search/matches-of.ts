// The matches of one search: their number, their facets, and those to show.
import type { SearchedPage } from '../core/page.ts'
import type { Field } from '../core/search-field.ts'
import { type BestMatches, bestMatches, countedOf, isSentence } from './best-matches.ts'
import { type Folded, facetsOf, fold, unfolded } from './fold.ts'
import { likeQuery, withoutItself } from './like.ts'
import type { Match, Matcher } from './matcher.ts'
import { findMatches, type Match as TextMatch } from './matches.ts'
import { nearIn } from './near-words.ts'
import { parseQuery, type Query } from './query.ts'
import type { Found, Hit, PagesOf, Search, Sort, Typo } from './search-index.ts'
import { type Marked, markAll, snippetOf } from './snippet.ts'
import type { StemWords } from './stem-words.ts'
import { FEW_HITS, suggestionOf } from './suggestion.ts'
import { withSynonyms } from './synonyms.ts'
import { putFirst, type TypoOptions, withTypos } from './typos.ts'

export type MatchesOptions = {
  readonly stems: StemWords
  /** The topics of crawls, by crawl number. */
  readonly topics: ReadonlyMap<number, string>
}

type Matches = Omit<Found, 'hits'> & {
  readonly query: Query
  /** The matches to show. */
  readonly shown: readonly Ranked[]
}

export async function matchesOf(
  matcher: Matcher,
  search: Search,
  { stems, topics }: MatchesOptions,
): Promise<Matches> {
  const { all = false, limit, offset } = search
  const { like } = search
  const asked = like === undefined ? queryOf(search) : await likeQuery(matcher, like)
  const isExact = search.scoring?.stems === false
  const formsOf = (word: string) => (isExact ? [] : stems.forms(word))
  const near = nearIn(matcher.words)
  const upTo = (needed: number) => bestOrMeant(matcher, asked, { search, needed, formsOf, near })
  const { matches: best, query, first, pages, whole, typed, typos } = await upTo(offset + limit)
  const matches = sorted(best, search.sort)
  const counted = matches.slice(0, countedOf(pages, search))
  const folded = all ? unfolded(counted) : fold(counted, first)
  const away = counted.length - folded.shown.length
  const end = offset + limit + away
  // Matches after the counted ones are not folded. A later page of hits needs enough of them.
  const enough =
    matches.length >= Math.min(end, pages)
      ? matches
      : sorted((await upTo(end)).matches, search.sort)
  return {
    query,
    used: asked.used,
    cut: asked.cut,
    total: pages - away,
    pages,
    whole,
    typos,
    suggestion:
      like !== undefined
        ? null
        : await suggestionOf(matcher, asked, {
            pages: typed,
            formsOf,
            near,
            findsMore: (other) => findsMore(matcher, { ...search, text: other }, typed),
          }),
    shown: shownOf(enough, { folded, counted: counted.length }, search),
    facets: facetsOf(counted, folded, topics),
  }
}

type MeantOptions = TypoOptions & { readonly search: Search; readonly needed: number }

type BestOrMeant = BestMatches & {
  /** Pages that have every word as it was typed. */
  readonly typed: number
  readonly typos: readonly Typo[]
}

/** The best matches; if hardly any page has all the words, those with words that may be meant, too. */
async function bestOrMeant(
  matcher: Matcher,
  asked: Query,
  { search, needed, ...options }: MeantOptions,
): Promise<BestOrMeant> {
  // One more: a page is not like itself.
  const extra = search.like === undefined ? 0 : 1
  const best = await bestMatches(matcher, asked, { search, needed: needed + extra })
  if (search.like !== undefined) {
    const others = withoutItself(best, search.like)
    return { ...others, typed: others.pages, typos: [] }
  }
  const typed = best.whole
  // A sentence is about its other words, too: a rare word or a name there is seldom a mistake.
  const found = isSentence(asked) ? best.pages : typed
  const meant = found > FEW_HITS ? null : await withTypos(matcher, asked, options)
  if (meant === null) return { ...best, typed, typos: [] }
  const more = await bestMatches(matcher, meant.query, { search, needed })
  const exact = typed === 0 ? null : await matcher.matching(asked, search)
  const ids = new Set((await exact?.ids()) ?? [])
  const matches = putFirst(more.matches, ids)
  const first = Math.max(more.first, ids.size)
  return { ...more, matches, first, typed, typos: meant.typos }
}

/** The same matches by time, if that was asked for. */
function sorted(matches: readonly Match[], sort: Sort = 'relevance'): readonly Match[] {
  if (sort === 'relevance') return matches
  const timeOf = ({ publishedAt, fetchedAt }: Match) =>
    sort === 'fetched' ? fetchedAt : (publishedAt ?? Number.NEGATIVE_INFINITY)
  return matches.toSorted((a, b) => {
    const [one, other] = [timeOf(a), timeOf(b)]
    return one === other ? b.score - a.score || a.id - b.id : other - one
  })
}

/** True if a search finds more than `pages` pages. */
async function findsMore(matcher: Matcher, search: Search, pages: number): Promise<boolean> {
  const matching = await matcher.matching(queryOf(search), search)
  return (await matching?.hasMore(pages)) ?? false
}

function queryOf(search: Search): Query {
  const exact = search.scoring?.stems === false
  const query = parseQuery(search.text, { ...search, exact })
  return exact ? query : withSynonyms(query, search.synonyms ?? [])
}

/** Ids of all pages that have every word of the query, in order. */
export async function matchingIds(
  matcher: Matcher,
  search: Pick<Search, 'text' | 'columns' | 'filter'>,
): Promise<readonly number[]> {
  const matching = await matcher.matching(parseQuery(search.text, search), search)
  return matching === null ? [] : matching.ids()
}

/** The hits among the counted matches, followed by all further matches. */
function shownOf(
  matches: readonly Match[],
  { folded, counted }: { readonly folded: Folded; readonly counted: number },
  { offset, limit }: Search,
): Ranked[] {
  const { shown, best, others } = folded
  const ranked: Ranked[] = []
  for (let place = offset; place < offset + limit; place++) {
    const at = shown[place] ?? place - shown.length + counted
    const match = matches[at]
    if (match === undefined) break
    const { id, crawlId } = match
    const { score } = matches[best[place] ?? at] ?? match
    ranked.push({ id, crawlId, score, others: others[place] ?? 0 })
  }
  return ranked
}

type Ranked = Pick<Hit, 'score' | 'others'> & {
  readonly id: number
  readonly crawlId: number
}

type HitOptions = {
  readonly query: Query
  readonly stems: StemWords
  readonly pagesOf: PagesOf
  readonly linkTextsOf: LinkTextsOf
}

/** What links say about pages, by id: each text once, those of other hosts first. */
export type LinkTextsOf = (
  pages: readonly SearchedPage[],
) => Promise<ReadonlyMap<number, readonly string[]>>

/**
 * Turns the ids that an index found into hits, in the order of `ranked`. A page that is gone from the
 * store, or whose id now belongs to another crawl, is left out, so an index that is behind shows nothing
 * wrong.
 */
export async function hitsFrom(ranked: readonly Ranked[], options: HitOptions): Promise<Hit[]> {
  const pages = await options.pagesOf(ranked.map(({ id }) => id))
  const byId = new Map(pages.map((page) => [page.id, page]))
  const said = await options.linkTextsOf(pages)
  return ranked.flatMap(({ id, crawlId, score, others }) => {
    const page = byId.get(id)
    if (page === undefined || page.crawlId !== crawlId) return []
    return [{ ...shownFrom(page, said.get(id) ?? [], options), score, others }]
  })
}

type Shown = Pick<Hit, 'page' | 'title' | 'url' | 'snippet' | 'linkTexts'>

function shownFrom(
  whole: SearchedPage,
  said: readonly string[],
  { query, stems }: HitOptions,
): Shown {
  const { contentText, ...page } = whole
  const matchesIn = (text: string, fields: readonly Field[]) =>
    findMatches(text, query, { stems, language: page.language, fields })
  const inText = matchesIn(contentText, SHOWN_FIELDS)
  const inTitle = matchesIn(page.title, ['title'])
  const inUrl = matchesIn(page.url, ['url', 'host'])
  const inDescription = matchesIn(page.description, SHOWN_FIELDS)
  const own = new Set([...inText, ...inTitle, ...inUrl, ...inDescription].map(({ term }) => term))
  const isFromText = inText.length > 0 || page.description === ''
  return {
    page,
    title: markAll(page.title, inTitle),
    url: markAll(page.url, inUrl),
    snippet: isFromText
      ? snippetOf(contentText, inText)
      : snippetOf(page.description, inDescription),
    linkTexts: tellingTexts(said, own, (text) => matchesIn(text, ['anchor'])),
  }
}

const MAX_LINK_TEXTS = 3

/** Those with terms that the page does not have itself; each tells of one more, or there is no better one. */
function tellingTexts(
  said: readonly string[],
  own: ReadonlySet<number>,
  matchesIn: (text: string) => readonly TextMatch[],
): Marked[] {
  const telling: Marked[] = []
  const told = new Set(own)
  for (const text of said) {
    const matches = matchesIn(text)
    if (telling.length === MAX_LINK_TEXTS || matches.every(({ term }) => told.has(term))) continue
    for (const { term } of matches) told.add(term)
    telling.push(markAll(text, matches))
  }
  return telling
}

const SHOWN_FIELDS: readonly Field[] = ['text', 'description', 'keywords']
