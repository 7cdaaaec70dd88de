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
import type { Values } from './conditions.ts'
import type { Lookup, TermLookups } from './lookups.ts'

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
  readonly #weighed: readonly string[]

  constructor({ terms, scoring, values }: ScoresOptions) {
    this.#terms = terms
    this.#rankWeight = scoring.rankWeight ?? RANK_WEIGHT
    const lookups = terms.flatMap(({ itself, forms }) => [itself, ...forms])
    this.lookups = [...new Map(lookups.map((lookup) => [lookup.text, lookup])).values()]
    this.#weighed = this.lookups.map(
      ({ vector, text }) => `ts_rank_cd(${LABELLED}, ${vector}, ${values.add(text, 'tsquery')})`,
    )
  }

  /** After `kept`: its pages, best first. `pagesWith`: how many pages have each of the lookups. */
  sqlWith(all: AllPages, pagesWith: readonly number[]): string {
    // None is better than another: the newest first.
    if (this.lookups.length === 0) {
      return 'SELECT kept.*, 0 AS score FROM kept ORDER BY fetched_at DESC, id'
    }
    const norm = `${K1}::float8 * (${1 - B}::float8 + ${B}::float8 * length / ${float(all.length / all.pages)})`
    return `, weighed AS MATERIALIZED (${this.#weighing()}), normed AS (
        SELECT kept.*, ${norm} AS norm, ${this.#names().join(', ')}
        FROM kept JOIN weighed ON weighed.page_id = kept.id)
      SELECT id, crawl_id, host, language, kind, hot, cluster, url_key, fetched_at,
        (${this.#sum(all.pages, pagesWith)})
          * (1 + ${float(this.#rankWeight)} * standing) AS score
      FROM normed ORDER BY score DESC, id`
  }

  #names(): string[] {
    return this.lookups.map((_, at) => `w${at}`)
  }

  /** Other forms are only weighed where the word itself is not. */
  #weighing(): string {
    const named = (expressions: readonly string[]) =>
      expressions.map((expression, at) => `${expression} AS w${at}`).join(', ')
    const instead = new Map<string, string[]>()
    for (const { itself, forms } of this.#terms) {
      for (const { text } of forms) instead.set(text, [...(instead.get(text) ?? []), itself.text])
    }
    const lone = this.lookups.map(({ vector, text }, at) =>
      vector === 'words' ? `w${at}` : this.#unless(instead.get(text) ?? [], at),
    )
    const words = named(this.#weighed.map((sql, at) => (this.#isWords(at) ? sql : '0')))
    const sums = this.#weighed.map((sql) => `sum(${sql}::float8)`)
    return `
      SELECT page_id, ${named(lone)}
      FROM kept JOIN search.page_words ON page_id = id
        CROSS JOIN LATERAL (SELECT ${words} OFFSET 0) AS own
      UNION ALL
      SELECT page_id, ${named(sums)}
      FROM kept JOIN search.long_page_words ON page_id = id GROUP BY page_id`
  }

  #isWords(at: number): boolean {
    return this.lookups[at]?.vector === 'words'
  }

  /** Zero where all the words are there that a form may stand for. */
  #unless(texts: readonly string[], at: number): string {
    const there = texts.map((text) => `${this.#nameOf(text)} > 0`)
    return `CASE WHEN ${there.join(' AND ')} THEN 0 ELSE ${this.#weighed[at]} END`
  }

  #nameOf(text: string): string {
    return `w${this.lookups.findIndex((lookup) => lookup.text === text)}`
  }

  #sum(pages: number, pagesWith: readonly number[]): string {
    const parts = this.#terms.flatMap(({ itself, forms }) => [
      this.#part(itself, pages, pagesWith),
      ...forms.map((form) => {
        const part = this.#part(form, pages, pagesWith)
        return `CASE WHEN ${this.#nameOf(itself.text)} > 0 THEN 0 ELSE ${part} END`
      }),
    ])
    return parts.join(' + ')
  }

  #part({ vector, text }: Lookup, pages: number, pagesWith: readonly number[]): string {
    const name = this.#nameOf(text)
    const at = this.lookups.findIndex((lookup) => lookup.text === text)
    const steps = STEPS[vector]
    // A stem has the label of its word, and a tenth of its weight.
    const often = `(round(${name}::float8 * ${HIGHEST * STEPS.words}) / ${steps}::float8)`
    const idf = float(idfOf(pages, pagesWith[at] ?? 0))
    return `${idf} * (${often} * ${K1 + 1}::float8 / (${often} + norm))`
  }
}

function idfOf(pages: number, having: number): number {
  const idf = Math.log((pages - having + 0.5) / (having + 0.5))
  return idf > 0 ? idf : LEAST_IDF
}

function float(number: number): string {
  return `'${number}'::float8`
}
