// BM25 as in segments (src/search/segments), so that both indexes give the same scores: once over the head of a
// page and once over its text. An occurrence counts with the weight of its column. The length of a page is the number of its
// words and stems.
//
// `ts_rank_cd` gives the weight of a word in a page: for one word, or a phrase, it adds up the weights of all
// occurrences. Its weights are at most 1, so they are a fraction of ours. It has a precision of seven digits,
// and the result is rounded to a possible sum of weights. Labels of nearly no weight only show that a word is
// present.
import { RANK_WEIGHT } from '../blend.ts'
import { LINK_FIXED, LINK_PER_WEIGHT, LINK_SHARE } from '../link-texts.ts'
import { HEAD_WEIGHTS, TEXT_WEIGHTS } from '../page-columns.ts'
import type { Scoring } from '../search-index.ts'
import type { Lookup, TermLookups, Values } from './conditions.ts'

const K1 = 1.2
const B = 0.75
/** The IDF of a word that most pages have. */
const LEAST_IDF = 1e-6
/** A sum of so many of them rounds to nothing. */
const SEEN = 1e-9

/** The weights of D, C, B and A, in the order of `ts_rank_cd`. */
function labelled(weights: typeof HEAD_WEIGHTS | typeof TEXT_WEIGHTS, highest: number): string {
  const { text, url, title } = weights
  const all = [text, 0, url, title].map((weight) => Math.max(SEEN, weight / highest))
  return `'{${all.join(',')}}'::float4[]`
}

const HEAD = labelled(HEAD_WEIGHTS, HEAD_WEIGHTS.title)
const TEXT = labelled(TEXT_WEIGHTS, TEXT_WEIGHTS.text)

export type ScoresOptions = {
  readonly terms: readonly TermLookups[]
  readonly scoring: Scoring
  readonly headShare: number
  readonly values: Values
}

export type AllPages = { readonly pages: number; readonly length: number }

export class Scores {
  /** Without repetition. */
  readonly lookups: readonly Lookup[]
  readonly #terms: readonly TermLookups[]
  readonly #rankWeight: number
  readonly #headShare: number
  readonly #queries: readonly string[]
  readonly #said: readonly string[]

  constructor({ terms, scoring, headShare, values }: ScoresOptions) {
    this.#terms = terms
    this.#rankWeight = scoring.rankWeight ?? RANK_WEIGHT
    this.#headShare = headShare
    const once = [...new Map(terms.flat().map((lookup) => [keyOf(lookup), lookup])).values()]
    this.lookups = once.sort(byPrecedence)
    this.#queries = this.lookups.map(({ text }) => values.add(text, 'tsquery'))
    this.#said = this.lookups.map(({ said }) => values.add(said, 'tsquery'))
  }

  /**
   * SQL to follow `kept`: its pages, best first. `pagesWith`: the number of pages with each lookup. A vector
   * is read only if the index says that it has a word; this takes most of the time.
   */
  sqlWith(all: AllPages, pagesWith: readonly number[]): string {
    // All pages rank equal, so the newest come first.
    if (this.lookups.length === 0) {
      return 'SELECT kept.*, 0 AS score FROM kept ORDER BY fetched_at DESC, id'
    }
    const norm = `${K1}::float8 * (${1 - B}::float8 + ${B}::float8 * length / ${float(all.length / all.pages)})`
    const parts = this.#terms.flatMap((term) => this.#partsOf(term, all.pages, pagesWith))
    const joins = this.lookups.map(
      (_, at) => `LEFT JOIN weighed${at} AS w${at} ON w${at}.page_id = id
        LEFT JOIN said${at} AS s${at} ON s${at}.page_id = id`,
    )
    return `, ${[...this.#saidAbout(), ...this.#weighed()].join(', ')}
      SELECT id, crawl_id, host, language, kind, hot, cluster, url_key, fetched_at,
        published_at,
        (${parts.join(' + ')}) * (1 + ${float(this.#rankWeight)} * standing) AS score
      FROM (SELECT *, ${norm} AS norm FROM kept) AS kept ${joins.join(' ')} ORDER BY score DESC, id`
  }

  /**
   * For each lookup: the pages that have it, and its weights there. A page that has an earlier lookup of
   * every term that asks for it is left out.
   */
  #weighed(): string[] {
    return this.lookups.map((one, at) => {
      const { vector, text } = one
      if (text === '') return `weighed${at} AS (${NO_WEIGHTS})`
      const query = this.#queries[at]
      const weights = [HEAD, TEXT].map((each) => `ts_rank_cd(${each}, ${vector}, ${query})::float8`)
      const missing = this.#terms.flatMap((term) => {
        const nth = term.findIndex((lookup) => keyOf(lookup) === keyOf(one))
        return nth < 0 ? [] : [this.#missing(term.slice(0, nth))]
      })
      const from = (table: string) =>
        `kept JOIN ${table} AS held ON held.page_id = id
        WHERE ${vector} @@ ${query} AND (${[...new Set(missing)].join(' OR ')})`
      return `weighed${at} AS MATERIALIZED (
        SELECT page_id, ${weights[0]} AS head, ${weights[1]} AS body FROM ${from('search.page_words')}
        UNION ALL
        SELECT page_id, sum(${weights[0]}), sum(${weights[1]})
        FROM ${from('search.long_page_words')} GROUP BY page_id)`
    })
  }

  /** For each lookup: the pages about which links say it, and what that is worth. */
  #saidAbout(): string[] {
    return this.lookups.map(({ vector, said }, at) => {
      if (said === '') return `said${at} AS (${NO_WORTHS})`
      const often = `round(ts_rank_cd(${EACH}, ${vector}, ${this.#said[at]})::float8)`
      return `said${at} AS MATERIALIZED (
        SELECT page_id, ${float((K1 + 1) * LINK_SHARE)} * often
          / (often + ${float(LINK_FIXED)} + ${float(LINK_PER_WEIGHT)} * weight) AS worth
        FROM (SELECT held.page_id, held.weight, ${often} AS often
          FROM kept JOIN search.link_words AS held ON held.page_id = id
          WHERE ${vector} @@ ${this.#said[at]}) AS said)`
    })
  }

  #missing(earlier: TermLookups): string {
    const each = earlier.map((lookup) => `NOT EXISTS (${hasPage(this.#placeOf(lookup))})`)
    return each.length === 0 ? 'true' : `(${each.join(' AND ')})`
  }

  #partsOf(term: TermLookups, pages: number, pagesWith: readonly number[]): readonly string[] {
    return term.map((lookup, nth) => {
      const at = this.#placeOf(lookup)
      const idf = float(idfOf(pages, pagesWith[at] ?? 0))
      const head = damped(`round(w${at}.head * ${HEAD_WEIGHTS.title})`)
      const body = damped(`round(w${at}.body)`)
      const has = [`(w${at}.page_id IS NOT NULL OR s${at}.page_id IS NOT NULL)`]
      for (const earlier of term.slice(0, nth)) {
        const place = this.#placeOf(earlier)
        has.push(`w${place}.page_id IS NULL AND s${place}.page_id IS NULL`)
      }
      const own = `coalesce(${body} + ${float(this.#headShare)} * ${head}, 0)`
      const score = `${idf} * (${own} + coalesce(s${at}.worth, 0))`
      return `CASE WHEN ${has.join(' AND ')} THEN ${score} ELSE 0 END`
    })
  }

  #placeOf(one: Lookup): number {
    return this.lookups.findIndex((lookup) => keyOf(lookup) === keyOf(one))
  }
}

const NO_WEIGHTS = 'SELECT 0::bigint AS page_id, 0::float8 AS head, 0::float8 AS body WHERE false'
const NO_WORTHS = 'SELECT 0::bigint AS page_id, 0::float8 AS worth WHERE false'
/** Each occurrence counts as one. */
const EACH = "'{1,1,1,1}'::float4[]"

function keyOf({ text, said }: Lookup): string {
  return `${text}\n${said}`
}

/** Stems come before the words that they replace, in the order in which a term has them. */
function byPrecedence(a: Lookup, b: Lookup): number {
  if (a.vector !== b.vector) return a.vector === 'stems' ? -1 : 1
  return keyOf(a) < keyOf(b) ? -1 : 1
}

function damped(often: string): string {
  return `(${often} * ${K1 + 1}::float8 / (${often} + norm))`
}

function hasPage(place: number): string {
  return `SELECT 1 FROM weighed${place} AS earlier WHERE earlier.page_id = held.page_id
    UNION ALL SELECT 1 FROM said${place} AS told WHERE told.page_id = held.page_id`
}

function idfOf(pages: number, having: number): number {
  const idf = Math.log((pages - having + 0.5) / (having + 0.5))
  return idf > 0 ? idf : LEAST_IDF
}

function float(number: number): string {
  return `'${number}'::float8`
}
