// BM25 as FTS5 computes it, so that both indexes give the same scores. It covers all columns together: an
// occurrence counts with the weight of its column, and the length of a page is the number of its words and
// stems.
//
// `ts_rank_cd` gives the weight of a word in a page: for one word, or a phrase, it adds up the weights of all
// occurrences. Its weights are at most 1, so they are a fifth of ours. It has a precision of seven digits,
// and the result is rounded to a possible sum of weights. Labels of nearly no weight only show that a word is
// present.
import { RANK_WEIGHT } from '../blend.ts'
import { WEIGHTS } from '../page-columns.ts'
import type { Scoring } from '../search-index.ts'
import type { Lookup, TermLookups, Values } from './conditions.ts'

const K1 = 1.2
const B = 0.75
/** The IDF of a word that most pages have. */
const LEAST_IDF = 1e-6
const HIGHEST = WEIGHTS.title
/** Our weights are multiples of a tenth, those of stems of a hundredth. */
const STEPS = { words: 10, stems: 100 } as const
const SEEN = 2e-5
/** The weights of D, C, B and A, in the order of `ts_rank_cd`. */
const LABELLED = `'{${[WEIGHTS.text / HIGHEST, SEEN, WEIGHTS.url / HIGHEST, 1].join(',')}}'::float4[]`

export type ScoresOptions = {
  readonly terms: readonly TermLookups[]
  readonly scoring: Scoring
  readonly values: Values
}

export type AllPages = { readonly pages: number; readonly length: number }

export class Scores {
  /** Without repetition. */
  readonly lookups: readonly Lookup[]
  readonly #terms: readonly TermLookups[]
  readonly #rankWeight: number
  readonly #queries: readonly string[]

  constructor({ terms, scoring, values }: ScoresOptions) {
    this.#terms = terms
    this.#rankWeight = scoring.rankWeight ?? RANK_WEIGHT
    // Words come before the forms that may replace them.
    const lookups = [...terms.map(({ itself }) => itself), ...terms.flatMap(({ forms }) => forms)]
    this.lookups = [...new Map(lookups.map((lookup) => [lookup.text, lookup])).values()]
    this.#queries = this.lookups.map(({ text }) => values.add(text, 'tsquery'))
  }

  /**
   * SQL to follow `kept`: its pages, best first. `pagesWith`: the number of pages with each lookup. A vector
   * is read only if the index says that it has a word, once per word; this takes most of the time.
   */
  sqlWith(all: AllPages, pagesWith: readonly number[]): string {
    // All pages rank equal, so the newest come first.
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

  /**
   * For each lookup: the pages that have it, and its weight there. Forms count only where the word is
   * missing.
   */
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
      // A form of several words is weighed where one of these words is missing.
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
      // A stem has the label of its word and a tenth of its weight.
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
