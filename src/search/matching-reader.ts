// What a search of every index is, wherever it is kept: a matcher of one moment finds pages, and the store says what is
// shown of them.
import type { SearchedPage } from '../core/page.ts'
import type { NearDuplicate } from './clusters.ts'
import { completionIds, completionsFrom } from './completions.ts'
import type { Matcher } from './matcher.ts'
import {
  hitsFrom,
  type LinkTextsOf,
  type MatchesOptions,
  matchesOf,
  matchingIds,
} from './matches-of.ts'
import type {
  Completing,
  Completions,
  Found,
  PagesOf,
  Position,
  Search,
  SearchReader,
  TopicsOf,
} from './search-index.ts'
import { StemWords } from './stem-words.ts'

export type MatchingReaderOptions = {
  readonly pagesOf: PagesOf
  /** Missing if no crawl has a topic. */
  readonly topicsOf?: TopicsOf
}

export abstract class MatchingReader implements SearchReader {
  protected readonly stems = new StemWords()
  readonly #pagesOf: PagesOf
  readonly #topicsOf: TopicsOf

  constructor({ pagesOf, topicsOf }: MatchingReaderOptions) {
    this.#pagesOf = pagesOf
    this.#topicsOf = topicsOf ?? (async () => new Map())
  }

  async query(search: Search): Promise<Found> {
    const about = await this.#about()
    const { stems } = about
    const { query, shown, ...found } = await this.asking(about, (matcher) =>
      matchesOf(matcher, search, about),
    )
    const pagesOf = this.#pagesOf
    const linkTextsOf: LinkTextsOf = (pages) => this.linkTextsOf(pages)
    return { ...found, hits: await hitsFrom(shown, { query, stems, pagesOf, linkTextsOf }) }
  }

  async complete(completing: Completing): Promise<Completions> {
    const about = { stems: this.stems, topics: new Map() }
    const found = await this.asking(about, (matcher) => completionIds(matcher, completing))
    return completionsFrom(found, this.#pagesOf)
  }

  async matching(search: Pick<Search, 'text' | 'columns' | 'filter'>): Promise<readonly number[]> {
    const about = await this.#about()
    return this.asking(about, (matcher) => matchingIds(matcher, search))
  }

  abstract position(): Promise<Position>
  abstract nearDuplicates(pageIds: readonly number[]): Promise<readonly NearDuplicate[]>
  abstract [Symbol.asyncDispose](): Promise<void>

  /** Languages that pages had, in order. */
  protected abstract languages(): Promise<readonly string[]>
  /** What links say about pages. */
  protected abstract linkTextsOf(pages: readonly SearchedPage[]): ReturnType<LinkTextsOf>
  /** Runs `work` with a matcher for one search. It may run twice. */
  protected abstract asking<T>(
    about: MatchesOptions,
    work: (matcher: Matcher) => Promise<T>,
  ): Promise<T>

  async #about(): Promise<MatchesOptions> {
    const stems = new StemWords(await this.languages())
    return { stems, topics: await this.#topicsOf() }
  }
}
