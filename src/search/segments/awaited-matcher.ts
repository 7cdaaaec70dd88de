// Finds the pages of a query in segments of a database that answers later. `SegmentMatcher` does the work, on bytes that
// were read before; here stands what is read, and when. What a query certainly needs is read together: first the terms
// of all segments, then their postings, then positions.
import type { Match, Matcher, Matching, Sought } from '../matcher.ts'
import type { WordList } from '../near-words.ts'
import type { Query, Term } from '../query.ts'
import type { TitleList } from '../title-words.ts'
import { allWhenRead, NotReadYet, type Want, whenRead } from './awaited-segments.ts'
import type { IndexView } from './index-view.ts'
import { viewOfLinks } from './link-list.ts'
import { MAX_IN_PHRASE, phrasePositions } from './phrase.ts'
import { type PhraseWords, phraseSpans } from './phrase-terms.ts'
import type { ByteRange, FoundTerm } from './postings-list.ts'
import {
  MAX_PREFIXED,
  SegmentMatcher,
  type SegmentMatcherOptions,
  termOf,
} from './segment-matcher.ts'
import { BlockWalk } from './segment-reader.ts'
import { PIECE } from './segment-writer.ts'
import { goesOn, termsWith } from './terms-with.ts'

export type AwaitedMatcherOptions = Omit<SegmentMatcherOptions, 'docsOf'> & {
  /** Makes it readable. */
  readonly read: (wants: readonly Want[]) => Promise<void>
  /** The numbers of pages, by id; pages that went have none. */
  readonly docsOf: (ids: readonly number[]) => Promise<ReadonlyMap<number, number>>
}

export class AwaitedMatcher implements Matcher {
  readonly words: WordList
  readonly titles: TitleList
  readonly #reading: Reading
  readonly #inner: SegmentMatcher
  readonly #stems: AwaitedMatcherOptions['stems']

  /** Serves one search. */
  constructor(view: IndexView, options: AwaitedMatcherOptions) {
    const reading = new Reading(view, options)
    this.words = options.words
    this.titles = options.titles
    this.#reading = reading
    this.#stems = options.stems
    this.#inner = new SegmentMatcher(view, { ...options, docsOf: (ids) => reading.docsOf(ids) })
  }

  async matching(query: Query, sought: Sought): Promise<Matching | null> {
    const terms = [...query.all.flat(), ...query.none, ...(query.light ?? [])]
    await this.#reading.lists(
      terms.flatMap((term) => this.#exactTerms(term, sought)),
      terms.filter((term) => termOf(term) === null),
    )
    for (const term of terms) if (termOf(term) === null) await this.#reading.several(term)
    const inner = await this.#reading.until(() => this.#inner.matching(query, sought))
    return inner === null ? null : new AwaitedMatching(inner, this.#reading)
  }

  async pagesWith(lists: readonly (readonly string[])[], most: number): Promise<readonly number[]> {
    await this.#reading.lists(lists.flat())
    return this.#reading.until(() => this.#inner.pagesWith(lists, most))
  }

  async having(words: readonly string[], pageIds: readonly number[]) {
    await this.#reading.lists(words)
    return this.#reading.until(() => this.#inner.having(words, pageIds))
  }

  /** The terms of the index that are looked up for one of a query. */
  #exactTerms(term: Term, { filter }: Sought): readonly string[] {
    const one = termOf(term)
    const own = one === null ? [] : [one]
    const [word] = term.words
    if (!term.anyForm || word === undefined) return own
    return [...own, ...this.#stems.forms(word, filter?.language)]
  }
}

class AwaitedMatching implements Matching {
  readonly countsFast: boolean
  readonly #inner: Matching
  readonly #reading: Reading

  constructor(inner: Matching, reading: Reading) {
    this.countsFast = inner.countsFast
    this.#inner = inner
    this.#reading = reading
  }

  best(limit: number): Promise<readonly Match[]> {
    return this.#reading.until(() => this.#inner.best(limit))
  }

  count(): Promise<number> {
    return this.#reading.until(() => this.#inner.count())
  }

  hasMore(pages: number): Promise<boolean> {
    return this.#reading.until(() => this.#inner.hasMore(pages))
  }

  ids(): Promise<readonly number[]> {
    return this.#reading.until(() => this.#inner.ids())
  }
}

/** What one search reads. */
class Reading {
  readonly #view: IndexView
  readonly #options: Pick<AwaitedMatcherOptions, 'read' | 'docsOf'>
  readonly #docs = new Map<number, number>()
  /** Pages, and each segment of links: each has terms of its own. */
  readonly #views: readonly IndexView[]

  constructor(view: IndexView, options: Pick<AwaitedMatcherOptions, 'read' | 'docsOf'>) {
    this.#view = view
    this.#options = options
    this.#views = [view, ...view.links.map((one) => viewOfLinks(view, one))]
  }

  /** The result of `work`, once everything was read that it needs. */
  until<T>(work: () => T | Promise<T>): Promise<T> {
    return whenRead(work, (wants) => this.#read(wants))
  }

  /** The numbers of pages; those that went have none. */
  docsOf(ids: readonly number[]): ReadonlyMap<number, number> {
    const unknown = ids.filter((id) => !this.#docs.has(id))
    if (unknown.length > 0) throw new NotReadYet({ of: 'numbers of pages', ids: unknown })
    return this.#docs
  }

  /** Reads the postings of terms, and of the terms of phrases. */
  async lists(terms: readonly string[], phrases: readonly PhraseWords[] = []): Promise<void> {
    const { reader } = this.#view
    const all = [...new Set(terms)]
    const wanted = this.#views.flatMap((view) => [
      { segments: view.segments, terms: all },
      ...phrases.flatMap((phrase) =>
        phraseSpans(view, phrase).map((span) => ({
          segments: span.view.segments,
          terms: span.terms.map(({ term }) => term),
        })),
      ),
    ])
    const tasks = wanted.flatMap(({ segments, terms }) =>
      segments.flatMap(({ id }) =>
        terms.map((term) => () => {
          const entry = reader.find(id, term)
          if (entry !== null) reader.list(id, entry)
        }),
      ),
    )
    await this.#all(tasks)
  }

  /** Reads what a phrase needs, or words with a prefix. */
  async several({ words, prefix }: Pick<Term, 'words' | 'prefix'>): Promise<void> {
    if (prefix) await this.#blocksWith(words.at(-1) ?? '')
    for (const view of this.#views) {
      if (prefix) await this.#prefixed(view, words.at(-1) ?? '', words.length)
      if (words.length === 1) continue
      const ranges = await this.until(() => phrasePositions(view, { words, prefix }))
      await this.#all(
        piecesOf(ranges).map(({ segment, first, last }) => () => {
          view.reader.expect(segment, first, last)
        }),
      )
    }
  }

  /** Reads the terms with a prefix, of all segments together. */
  async #blocksWith(prefix: string): Promise<void> {
    const { reader } = this.#view
    const segments = this.#views.flatMap((view) => view.segments)
    const tasks = segments.map(({ id }) => {
      const walk = new BlockWalk(reader, id, prefix)
      return () => {
        let block = walk.next()
        while (block !== null && goesOn(block, prefix)) block = walk.next()
      }
    })
    await this.#all(tasks)
  }

  async #prefixed(view: IndexView, prefix: string, words: number): Promise<void> {
    const most = words === 1 ? MAX_PREFIXED : MAX_IN_PHRASE
    const found: readonly FoundTerm[][] = await this.until(() => termsWith(view, prefix, most))
    const each = found.flat().map(({ segment, entry }) => () => {
      view.reader.list(segment.id, entry)
    })
    await this.#all(each)
  }

  #all(tasks: readonly (() => void)[]): Promise<void> {
    return allWhenRead(tasks, (wants) => this.#read(wants))
  }

  async #read(wants: readonly Want[]): Promise<void> {
    const ids = wants.flatMap((want) => (want.of === 'numbers of pages' ? want.ids : []))
    await this.#options.read(wants)
    if (ids.length === 0) return
    for (const id of ids) this.#docs.set(id, NO_PAGE)
    for (const [id, doc] of await this.#options.docsOf(ids)) this.#docs.set(id, doc)
  }
}

type Pieces = { readonly segment: number; readonly first: number; last: number }

/** The pieces in which some bytes are. Neighbours are one: each is asked for by an error. */
function piecesOf(ranges: readonly ByteRange[]): readonly Pieces[] {
  const all: Pieces[] = []
  for (const { segment, at, length } of ranges) {
    const [first, last] = [Math.floor(at / PIECE), Math.floor((at + length - 1) / PIECE)]
    const before = all.at(-1)
    if (before?.segment === segment && first >= before.first && first <= before.last + 1) {
      before.last = Math.max(before.last, last)
    } else if (length > 0) all.push({ segment, first, last })
  }
  return all
}

/** `SegmentMatcher` takes it for none. */
const NO_PAGE = -1
