// BM25 as in segments (src/search/segments), so that both indexes give the same scores: once over a whole page and
// once over its head. An occurrence counts with the weight of its column. The length of a page is the number of its
// words and stems.
//
// `ts_rank_cd` gives the weight of a word in a page: for one word, or a phrase, it adds up the weights of all
// occurrences. Its weights are at most 1, so they are a fraction of ours. It has a precision of seven digits,
// and the result is rounded to a possible sum of weights. Labels of nearly no weight only show that a word is
// present.
import { RANK_WEIGHT } from '../blend.ts'
import { LINK_FIXED, LINK_PER_WEIGHT, LINK_SHARE } from '../link-texts.ts'
import { HEAD_IN_PAGE, HEAD_WEIGHTS, LIGHT_SHARE, TEXT_WEIGHTS } from '../page-columns.ts'
import type { Scoring } from '../search-index.ts'
import type { Lookup, TermLookups, Values } from './conditions.ts'

const K1 = 1.2
const B = 0.75
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
  /** Of terms that find nothing. */
  readonly light: readonly TermLookups[]
  readonly scoring: Scoring
  readonly headShare: number
  readonly values: Values
}

export type AllPages = { readonly pages: number; readonly length: number }

export class Scores {
  /** Without repetition. */
  readonly lookups: readonly Lookup[]
  readonly #terms: readonly TermLookups[]
  /** From here on, terms are light. */
  readonly #firstLight: number
  readonly #rankWeight: number
  readonly #headShare: number
  readonly #queries: readonly string[]
  readonly #said: readonly string[]

  constructor({ terms: full, light, scoring, headShare, values }: ScoresOptions) {
    const terms = [...full, ...light]
    this.#terms = terms
    this.#firstLight = full.length
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
   *
   * Scores are rows that are added up, and no page is compared with another, so that the time grows with the
   * matches and not with their square.
   */
  sqlWith(all: AllPages, pagesWith: readonly number[]): string {
    // All pages rank equal, so the newest come first.
    if (this.lookups.length === 0) {
      return 'SELECT kept.*, 0 AS score FROM kept ORDER BY fetched_at DESC, id'
    }
    const norm = `${K1}::float8 * (${1 - B}::float8 + ${B}::float8 * kept.length / ${float(all.length / all.pages)})`
    const idfs = pagesWith.map((having) => idfOf(all.pages, having))
    const entries = this.#terms.flatMap((term, nth) =>
      this.#entriesOf(term, idfs, nth < this.#firstLight ? 1 : LIGHT_SHARE),
    )
    return `, ${[...this.#saidAbout(), ...this.#weighed(norm)].join(', ')},
      scored AS (SELECT page_id, sum(score) AS score FROM (${entries.join(' UNION ALL ')}) AS entries
        GROUP BY page_id)
      SELECT id, crawl_id, host, language, kind, hot, cluster, url_key, fetched_at,
        published_at,
        coalesce(scored.score, 0) * (1 + ${float(this.#rankWeight)} * standing) AS score
      FROM kept LEFT JOIN scored ON scored.page_id = id ORDER BY score DESC, id`
  }

  /**
   * For each lookup: the pages that have it, and what it is worth there. A page that has an earlier lookup of
   * the term that asks for it is left out.
   */
  #weighed(norm: string): string[] {
    const share = float(this.#headShare)
    return this.lookups.map((one, at) => {
      const { vector, text } = one
      if (text === '') return `weighed${at} AS (${NO_WORTHS})`
      const query = this.#queries[at]
      const [head, body] = [HEAD, TEXT].map(
        (each) => `ts_rank_cd(${each}, ${vector}, ${query})::float8`,
      )
      const from = (table: string) =>
        `kept JOIN ${table} AS held ON held.page_id = id
        WHERE ${vector} @@ ${query} AND ${this.#isFirst('held', this.#earlierOfAll(one))}`
      const ofHead = `round(head * ${HEAD_WEIGHTS.title})`
      const ofAll = `(round(body) + ${float(HEAD_IN_PAGE)} * ${ofHead})`
      const worth = `${damped(ofAll)} + ${share} * ${damped(ofHead)}`
      return `weighed${at} AS MATERIALIZED (SELECT page_id, ${worth} AS worth FROM (
        SELECT page_id, ${head} AS head, ${body} AS body, ${norm} AS norm
        FROM ${from('search.page_words')}
        UNION ALL
        SELECT page_id, sum(${head}), sum(${body}), ${norm}
        FROM ${from('search.long_page_words')} GROUP BY page_id, kept.length) AS counted)`
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

  /** What the pages of a term get for it: each by the first lookup that it has. */
  #entriesOf(term: TermLookups, idfs: readonly number[], share: number): readonly string[] {
    return term.flatMap((lookup, nth) => {
      const at = this.#placeOf(lookup)
      const idf = float((idfs[at] ?? 0) * share)
      const isFirst = this.#isFirst('entry', term.slice(0, nth))
      return ['weighed', 'said'].map(
        (kind) => `SELECT page_id, ${idf} * worth AS score
          FROM ${kind}${at} AS entry WHERE ${isFirst}`,
      )
    })
  }

  /** The lookups before this one in its term; none if several terms have it, which then choose themselves. */
  #earlierOfAll(one: Lookup): TermLookups {
    const having = this.#terms.filter((term) => this.#nthIn(term, one) >= 0)
    const [term] = having
    return term === undefined || having.length > 1 ? [] : term.slice(0, this.#nthIn(term, one))
  }

  #nthIn(term: TermLookups, one: Lookup): number {
    return term.findIndex((lookup) => keyOf(lookup) === keyOf(one))
  }

  /** Condition: the page of a row has none of these lookups. */
  #isFirst(row: string, earlier: TermLookups): string {
    const each = earlier.flatMap((lookup) => {
      const at = this.#placeOf(lookup)
      return ['weighed', 'said'].map(
        (kind) => `NOT EXISTS (SELECT 1 FROM ${kind}${at} AS earlier
          WHERE earlier.page_id = ${row}.page_id)`,
      )
    })
    return each.join(' AND ') || 'true'
  }

  #placeOf(one: Lookup): number {
    return this.lookups.findIndex((lookup) => keyOf(lookup) === keyOf(one))
  }
}

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

function idfOf(pages: number, having: number): number {
  return Math.log(1 + (pages - having + 0.5) / (having + 0.5))
}

function float(number: number): string {
  return `'${number}'::float8`
}
