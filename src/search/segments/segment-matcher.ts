// Finds the pages of a query in segments.
import { FIELDS } from '../../core/search-field.ts'
import { RANK_WEIGHT } from '../blend.ts'
import { type FormsOf, formsInUse, type Matcher, type Matching, type Sought } from '../matcher.ts'
import type { MatchesOptions } from '../matches-of.ts'
import type { WordList } from '../near-words.ts'
import { HEAD_SHARE, LIGHT_SHARE, STEMS_OF } from '../page-columns.ts'
import type { Query, Term } from '../query.ts'
import type { TitleList } from '../title-words.ts'
import { idfOf } from './bm25.ts'
import { Filter } from './filter.ts'
import type { IndexView } from './index-view.ts'
import { isPairable, pairTerm, prefixTerm } from './joined-terms.ts'
import { type LinkList, linkList, NO_LINKS } from './link-list.ts'
import { END, ListWalk } from './list-walk.ts'
import { fieldSet, unionOf } from './made-lists.ts'
import type { Alternatives, ScoredList } from './matching-docs.ts'
import { phraseOf } from './phrase.ts'
import { findTerm, MadePostings, type Postings, StoredPostings } from './postings-list.ts'
import { SegmentMatching } from './segment-matching.ts'
import { termsWith } from './terms-with.ts'

/** The most words with a prefix that are looked up: the most common ones. */
export const MAX_PREFIXED = 1000

const STEM_FIELDS = FIELDS.filter((field) => field === 'anchor' || STEMS_OF[field] !== undefined)

/** What one list is about. */
export type Lookup = Pick<Term, 'words' | 'prefix' | 'fields'>

export type SegmentMatcherOptions = MatchesOptions & {
  readonly words: WordList
  readonly titles: TitleList
  /** The numbers of pages, by id. */
  readonly docsOf: (ids: readonly number[]) => ReadonlyMap<number, number>
}

/** Serves one search. */
export class SegmentMatcher implements Matcher {
  readonly words: WordList
  readonly titles: TitleList
  readonly #view: IndexView
  readonly #options: SegmentMatcherOptions
  readonly #lists = new Map<string, Listed>()
  readonly #links = new Map<string, LinkList>()
  readonly #docs = new Map<number, number>()

  constructor(view: IndexView, options: SegmentMatcherOptions) {
    this.words = options.words
    this.titles = options.titles
    this.#view = view
    this.#options = options
  }

  async matching(
    query: Query,
    { filter = {}, scoring = {}, headShare = HEAD_SHARE }: Sought,
  ): Promise<Matching | null> {
    if (query.all.length === 0 && query.none.length === 0) return null
    const { stems, topics } = this.#options
    const allForms = (word: string) => stems.forms(word, filter.language)
    const formsOf = await formsInUse(this, query, allForms)
    return new SegmentMatching(this.#view, {
      groups: query.all.map((terms) => repeated(terms.map((term) => this.#listsOf(term, formsOf)))),
      light: lightened(repeated((query.light ?? []).map((term) => this.#listsOf(term, formsOf)))),
      none: query.none.flatMap((term) => this.#excluded(term)),
      filter: new Filter(this.#view, filter, topics),
      rankWeight: scoring.rankWeight ?? RANK_WEIGHT,
      headShare,
      onFound: (id, doc) => this.#docs.set(id, doc),
    })
  }

  async pagesWith(lists: readonly (readonly string[])[], most: number): Promise<readonly number[]> {
    return lists.map((words) => {
      const all = words.map((word) => this.#stored(word)).filter(({ pages }) => pages > 0)
      const [only] = all
      if (only === undefined) return Math.min(most, this.#linkedWith(words))
      if (all.length === 1) return Math.min(most, only.pages)
      if (all.some(({ pages }) => pages >= most)) return most
      const found = words.map((word) => findTerm(this.#view, word))
      return Math.min(most, this.#present(unionOf(this.#view, found, null), most))
    })
  }

  async having(words: readonly string[], pageIds: readonly number[]) {
    const unknown = pageIds.filter((id) => !this.#docs.has(id))
    for (const [id, doc] of this.#options.docsOf(unknown)) this.#docs.set(id, doc)
    const pages = pageIds
      .map((id) => ({ id, doc: this.#docs.get(id) ?? -1 }))
      .filter(({ doc }) => doc >= 0)
      .sort((a, b) => a.doc - b.doc)
    return words.map((word) => {
      const walk = new ListWalk(this.#stored(word).postings)
      return pages.filter(({ doc }) => walk.nextFrom(doc) === doc).map(({ id }) => id)
    })
  }

  /**
   * A page counts by the stem of the word, or by the word itself if it has no such stem: if both were added up,
   * pages in languages with a stemmer would be ahead of others that say the same.
   */
  #listsOf(term: Term, formsOf: FormsOf): Alternatives {
    const [word] = term.words
    const fields = (term.fields ?? STEM_FIELDS).filter((field) => STEM_FIELDS.includes(field))
    const isInAnyForm = term.anyForm && word !== undefined && fields.length > 0
    const forms = isInAnyForm ? formsOf(word) : []
    const lookups: Lookup[] = forms.map((form) => {
      return { words: [form], prefix: false, fields: term.fields === null ? null : fields }
    })
    return { lists: [...lookups, term].flatMap((lookup) => this.#scored(lookup)) }
  }

  /** None if no page has it, and no link says it. */
  #scored(lookup: Lookup): ScoredList[] {
    const { postings, pages } = this.#listed(lookup)
    const links = this.#linksOf(lookup)
    const having = Math.max(pages, links.docs.length)
    return having === 0 ? [] : [{ postings, links, idf: idfOf(this.#view.pages, having) }]
  }

  /** What links say about a page is no reason to leave it out, unless that was asked for. */
  #excluded(term: Term): readonly Postings[] {
    const { postings } = this.#listed(term)
    if (!(term.fields?.includes('anchor') ?? false)) return [postings]
    const linked = new MadePostings()
    for (const doc of this.#linksOf(term).docs) linked.add(doc, 0, 1)
    return [postings, linked.done(() => 0)]
  }

  /** About how many pages links say one of these words. */
  #linkedWith(words: readonly string[]): number {
    const lists = words.map((word) => this.#linksOf({ words: [word], prefix: false, fields: null }))
    return lists.length === 1
      ? (lists[0]?.docs.length ?? 0)
      : new Set(lists.flatMap(({ docs }) => [...docs])).size
  }

  #linksOf({ words, prefix, fields }: Lookup): LinkList {
    if (this.#view.links.length === 0 || !(fields?.includes('anchor') ?? true)) return NO_LINKS
    const key = JSON.stringify([words, prefix])
    const known = this.#links.get(key)
    if (known !== undefined) return known
    const made = linkList(this.#view, (one) => listIn(one, { words, prefix, fields: null }))
    this.#links.set(key, made)
    return made
  }

  #listed(lookup: Lookup): Listed {
    const { words, prefix, fields } = lookup
    const term = termOf(lookup)
    if (term !== null && fieldSet(fields).isAll) return this.#stored(term)
    const key = JSON.stringify([words, prefix, fields?.toSorted() ?? null])
    const known = this.#lists.get(key)
    if (known !== undefined) return known
    const postings = this.#own(lookup)
    const listed = { postings, pages: this.#present(postings, END) }
    this.#lists.set(key, listed)
    return listed
  }

  /** What pages say themselves. */
  #own({ words, prefix, fields }: Lookup): Postings {
    const own = fields?.filter((field) => field !== 'anchor') ?? null
    if (own?.length === 0) return new MadePostings()
    return listIn(this.#view, { words, prefix, fields: own })
  }

  /** A term in any field. */
  #stored(term: string): Listed {
    const known = this.#lists.get(term)
    if (known !== undefined) return known
    const postings = new StoredPostings(this.#view, findTerm(this.#view, term))
    const { counts } = this.#view
    const pages = counts.get(term) ?? this.#present(postings, END)
    counts.set(term, pages)
    const listed = { postings, pages }
    this.#lists.set(term, listed)
    return listed
  }

  /** The number of pages that did not go, counted up to `most`. */
  #present(postings: Postings, most: number): number {
    if (this.#view.gone === 0 || postings.pages === 0) return postings.pages
    const walk = new ListWalk(postings)
    const filter = new Filter(this.#view, {}, new Map())
    let pages = 0
    for (let doc = walk.nextFrom(0); doc < END && pages < most; doc = walk.nextFrom(doc + 1)) {
      if (filter.allows(doc)) pages++
    }
    return pages
  }
}

/** The term that has all pages of a lookup; null if several have. */
export function termOf({ words, prefix }: Pick<Lookup, 'words' | 'prefix'>): string | null {
  const [first = '', second = ''] = words
  if (words.length === 1) return prefix ? prefixTerm(first) : first
  const isPair = words.length === 2 && !prefix && isPairable(first) && isPairable(second)
  return isPair ? pairTerm(first, second) : null
}

function listIn(view: IndexView, lookup: Lookup): Postings {
  const { words, fields } = lookup
  const term = termOf(lookup)
  if (term === null && words.length > 1) return phraseOf(view, lookup)
  if (term === null) return unionOf(view, termsWith(view, words[0] ?? '', MAX_PREFIXED), fields)
  const found = findTerm(view, term)
  return fields === null ? new StoredPostings(view, found) : unionOf(view, [found], fields)
}

type Listed = {
  readonly postings: Postings
  /** Pages that have it now. */
  readonly pages: number
}

/** A term that is repeated counts as often, but its lists are read once. */
function repeated(group: readonly Alternatives[]): Alternatives[] {
  const once: Alternatives[] = []
  for (const term of group) {
    const same = once.findIndex(({ lists }) => isSame(lists, term.lists))
    const known = once[same]
    if (known === undefined) once.push(term)
    else once[same] = { lists: added(known.lists, term.lists) }
  }
  return once
}

function lightened(group: readonly Alternatives[]): Alternatives[] {
  return group.map(({ lists }) => {
    return { lists: lists.map((list) => ({ ...list, idf: list.idf * LIGHT_SHARE })) }
  })
}

type Lists = Alternatives['lists']

function isSame(a: Lists, b: Lists): boolean {
  return (
    a.length === b.length &&
    a.every(({ postings, links }, at) => postings === b[at]?.postings && links === b[at].links)
  )
}

function added(a: Lists, b: Lists): Lists {
  return a.map((list, at) => ({ ...list, idf: list.idf + (b[at]?.idf ?? 0) }))
}
