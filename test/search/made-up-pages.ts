// Pages and queries for two indexes that are to answer alike: seeded, in two languages with stems and two
// without, some words in every page and most in few. Among them are pages that are nearly the same, the same
// URL in several crawls, and pages with more words than fit one vector of PostgreSQL.
import type { SearchedPage } from '../../src/core/page.ts'
import { seededRandom } from '../../src/lib/seeded-random.ts'
import { VOCABULARIES } from '../../src/sample-web/vocabulary.ts'
import { type GivenText, givenTexts } from '../../src/search/link-texts.ts'
import type { Search } from '../../src/search/search-index.ts'
import { sampleFields } from '../contract/sample-page.ts'

const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  en: ['', '', 's', 'ed', 'ing', 'ly'],
  id: ['', '', 'nya', 'an', 'kan'],
}
const LANGUAGES = ['en', 'en', 'en-GB', 'id', 'id', 'fr', ''] as const
const WORDS = {
  en: [...VOCABULARIES.en.nouns, ...VOCABULARIES.en.adjectives],
  id: [...VOCABULARIES.id.nouns, ...VOCABULARIES.id.adjectives],
} as const
const ODD = ["don't", 'café', '日本語の', 'np.fill_holes', 'e-mail', 'the', 'of', 'yang', '42']

/** Many words, by page. */
const LONG: ReadonlyMap<number, number> = new Map([
  [20, 17_000],
  [40, 4000],
])

class MadeUp {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)]
    if (picked === undefined) throw new Error('an empty list')
    return picked
  }

  /** The first ones of a list are far more common than the last. */
  word(language: string): string {
    if (this.below(12) === 0) return this.pick(ODD)
    const of = language === 'id' ? 'id' : 'en'
    const list = WORDS[of]
    const word = list[Math.floor(list.length * this.#random() ** 3)] ?? ''
    return word + this.pick(ENDINGS[of] ?? [''])
  }

  words(count: number, language: string): string {
    return Array.from({ length: count }, () => this.word(language)).join(' ')
  }

  page(id: number, before: readonly SearchedPage[]): SearchedPage {
    const language = this.pick(LANGUAGES)
    const primary = language.slice(0, 2)
    const path = `${this.pick(WORDS.en)}/${this.pick(WORDS.id)}-${id}`
    const copied = before.length > 0 && this.below(8) === 0 ? this.pick(before) : null
    const text = this.words(LONG.get(id) ?? 5 + this.below(120), primary)
    const page = {
      ...sampleFields(`http://${this.pick(WORDS.en)}.test/${path}`, {
        ...{ language, title: this.words(1 + this.below(5), primary), contentText: text },
        description: this.words(this.below(10), primary),
        keywords: this.words(this.below(4), primary),
        kind: this.pick(['article', 'listing', 'other']),
        hot: this.below(4) === 0,
        fetchedAt: 1_700_000_000_000 + this.below(1000),
      }),
      ...{ id, crawlId: 1 + this.below(3) },
    }
    if (copied === null) return page
    if (this.below(2) === 0) return { ...page, url: copied.url }
    return {
      ...page,
      contentText: `${copied.contentText} ${this.word(primary)}`,
      language: copied.language,
    }
  }

  /** Most links are to few pages; some texts are words that pages have, too. */
  given(page: SearchedPage, pages: readonly SearchedPage[]): readonly GivenText[] {
    const links = Array.from({ length: this.below(8) }, () => ({
      url: (pages[Math.floor(pages.length * this.#random() ** 2)] ?? this.pick(pages)).url,
      anchor: this.words(1 + this.below(3), this.pick([page.language.slice(0, 2), 'en'])),
      rel: this.pick(['', '', 'nofollow']),
    }))
    return givenTexts(page, links)
  }

  query(pages: readonly SearchedPage[]): Search {
    const words = this.pick(pages).contentText.split(' ').slice(0, 300)
    const at = this.below(words.length)
    const pieces = Array.from({ length: 1 + this.below(4) }, () => this.#typed(words, at)).join(' ')
    const typed = this.below(6) === 0 ? `${words.slice(at, at + 9).join(' ')} the of yang` : pieces
    const columns = this.below(8) === 0 ? { columns: [this.pick(FIELDS), this.pick(FIELDS)] } : {}
    const scoring = this.pick([{}, {}, {}, { stems: false }, { rankWeight: 0 }, { rankWeight: 2 }])
    const filter = this.pick(FILTERS)
    const all = this.below(3) === 0
    return { text: typed, ...columns, scoring, filter, all, limit: 1000, offset: 0 }
  }

  #typed(words: readonly string[], at: number): string {
    const word = this.below(3) === 0 ? this.pick(words) : this.word(this.pick(['en', 'id']))
    const ways: readonly (() => string)[] = [
      ...Array(8).fill(() => word),
      () => `"${words.slice(at, at + 2 + this.below(3)).join(' ')}"`,
      () => `${word.slice(0, 3)}*`,
      () => `-${word}`,
      () => `${this.pick(FIELDS)}:${word}`,
      () => `${word} OR ${this.pick(words)}`,
      () => `+${word}`,
      () => `${word.slice(0, -2)}x${word.slice(-1)}`,
      () => `-"${words.slice(at, at + 2).join(' ')}"`,
      () => `"${words.slice(at, at + 2).join(' ')}*"`,
    ]
    return this.pick(ways)()
  }
}

const FIELDS = ['title', 'text', 'description', 'keywords', 'url', 'host', 'anchor'] as const
const FILTERS = [
  ...[{}, {}, {}, {}, { crawlId: 2 }, { language: 'en' }, { language: 'id' }, { hot: true }],
  ...[{ kind: 'article' }, { topic: 'tea' }, { since: 1_700_000_000_500 }, { host: 'step.test' }],
]
export const TOPICS: ReadonlyMap<number, string> = new Map([
  [1, 'tea'],
  [3, 'tea'],
])

export function madeUpPages(seed: number, count: number): SearchedPage[] {
  const made = new MadeUp(seed)
  const pages: SearchedPage[] = []
  for (let id = 1; id <= count; id++) pages.push(made.page(id, pages))
  return pages
}

/** What the links of pages say about other pages, by id. */
export function madeUpLinks(
  seed: number,
  pages: readonly SearchedPage[],
): ReadonlyMap<number, readonly GivenText[]> {
  const made = new MadeUp(seed)
  return new Map(pages.map((page) => [page.id, made.given(page, pages)]))
}

export function madeUpQueries(
  seed: number,
  count: number,
  pages: readonly SearchedPage[],
): Search[] {
  const made = new MadeUp(seed)
  return Array.from({ length: count }, () => made.query(pages))
}
