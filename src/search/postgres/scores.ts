// BM25 as FTS5 counts it, so that both indexes give the same scores: over all columns together, where an
// occurrence counts as much as its column weighs, and all words and stems of a page are its length.
//
// What a word weighs in a page is told by `ts_rank_cd`: for one word, or words in a row, it adds up the
// weights of all their occurrences. Its weights go up to 1, so they are a fifth of ours; it counts with
// seven digits, and is rounded to what can be a sum of weights. Labels for next to nothing tell that
// something is there at all.
import { RANK_WEIGHT } from '../blend.ts'
import { WEIGHTS } from '../page-columns.ts'
import type { Scoring } from '../search-index.ts'
import type { Lookup, TermLookups, Values } from './conditions.ts'

const K1 = 1.2
const B = 0.75
/** Of a word that most pages have. */
const LEAST_IDF = 1e-6
const HIGHEST = WEIGHTS.title
/** Ours are multiples of a tenth, those of stems of a hundredth. */
const STEPS = { words: 10, stems: 100 } as const
const SEEN = 2e-5
/** Of D, C, B and A, as `ts_rank_cd` takes them. */
const LABELLED = `'{${[WEIGHTS.text / HIGHEST, SEEN, WEIGHTS.url / HIGHEST, 1].join(',')}}'::float4[]`

export type ScoresOptions = {
  readonly terms: readonly TermLookups[]
  readonly scoring: Scoring
  readonly values: Values
}

export type AllPages = { readonly pages: number; readonly length: number }

export class Scores {
  /** Each once. */
  readonly lookups: readonly Lookup[]
  readonly #terms: readonly TermLookups[]
  readonly #rankWeight: number
  readonly #queries: readonly string[]

  constructor({ terms, scoring, values }: ScoresOptions) {
    this.#terms = terms
    this.#rankWeight = scoring.rankWeight ?? RANK_WEIGHT
    // Words before the forms that may stand for them.
    const lookups = [...terms.map(({ itself }) => itself), ...terms.flatMap(({ forms }) => forms)]
    this.lookups = [...new Map(lookups.map((lookup) => [lookup.text, lookup])).values()]
    this.#queries = this.lookups.map(({ text }) => values.add(text, 'tsquery'))
  }

  /**
   * After `kept`: its pages, best first. `pagesWith`: how many pages have each of the lookups. Vectors are
   * read where the index says that they have a word, once for each: that is what takes the time.
   */
  sqlWith(all: AllPages, pagesWith: readonly number[]): string {
    // None is better than another: the newest first.
    if (this.lookups.length === 0) {
      return 'SELECT kept.*, 0 AS score FROM kept ORDER BY fetched_at DESC, id'
    }
    const norm = `${K1}::float8 * (${1 - B}::float8 + ${B}::float8 * length / ${float(all.length / all.pages)})`
    const parts = this.#terms.flatMap((term) => this.#partsOf(term, all.pages, pagesWith))
    const joins = this.lookups.map(
      (_, at) => `LEFT JOIN weighed${at} AS w${at} ON w${at}.page_id = id`,
    )
    return `, ${this.#weighed().join(', ')}
      SELECT id, crawl_id, host, language, kind, hot, cluster, url_key, fetched_at,
        (${parts.join(' + ')}) * (1 + ${float(this.#rankWeight)} * standing) AS score
      FROM (SELECT *, ${norm} AS norm FROM kept) AS kept ${joins.join(' ')} ORDER BY score DESC, id`
  }

  /** By lookup: which of the pages have it, and what it weighs there. Forms only where the word is not. */
  #weighed(): string[] {
    const instead = new Map<string, Set<number>>()
    for (const { itself, forms } of this.#terms) {
      for (const { text } of forms) {
        instead.set(text, (instead.get(text) ?? new Set()).add(this.#placeOf(itself)))
      }
    }
    return this.lookups.map(({ vector, text }, at) => {
      const query = this.#queries[at]
      const weight = `ts_rank_cd(${LABELLED}, ${vector}, ${query})::float8`
      const others = [...(instead.get(text) ?? [])]
      // A form that may stand for several words is weighed where one of these is not.
      const missing = others.map((other) => `NOT EXISTS (${hasPage(other)})`).join(' OR ') || 'true'
      const from = (table: string) =>
        `kept JOIN ${table} AS held ON held.page_id = id WHERE ${vector} @@ ${query} AND (${missing})`
      return `weighed${at} AS MATERIALIZED (
        SELECT page_id, ${weight} AS weight FROM ${from('search.page_words')}
        UNION ALL
        SELECT page_id, sum(${weight}) FROM ${from('search.long_page_words')} GROUP BY page_id)`
    })
  }

  #partsOf(
    { itself, forms }: TermLookups,
    pages: number,
    pagesWith: readonly number[],
  ): readonly string[] {
    const part = ({ vector, text }: Lookup, condition: string) => {
      const at = this.#placeOf({ text })
      const idf = float(idfOf(pages, pagesWith[at] ?? 0))
      // A stem has the label of its word, and a tenth of its weight.
      const often = `(round(w${at}.weight * ${HIGHEST * STEPS.words}) / ${STEPS[vector]}::float8)`
      const score = `${idf} * (${often} * ${K1 + 1}::float8 / (${often} + norm))`
      return `CASE WHEN w${at}.weight IS NOT NULL ${condition} THEN ${score} ELSE 0 END`
    }
    const missing = `AND w${this.#placeOf(itself)}.weight IS NULL`
    return [part(itself, ''), ...forms.map((form) => part(form, missing))]
  }

  #placeOf({ text }: Pick<Lookup, 'text'>): number {
    return this.lookups.findIndex((lookup) => lookup.text === text)
  }
}

function hasPage(place: number): string {
  return `SELECT 1 FROM weighed${place} AS itself WHERE itself.page_id = held.page_id`
}

function idfOf(pages: number, having: number): number {
  const idf = Math.log((pages - having + 0.5) / (having + 0.5))
  return idf > 0 ? idf : LEAST_IDF
}

function float(number: number): string {
  return `'${number}'::float8`
}
