// The SQL that finds the pages of a query and the best of them. The index finds pages by their words; only
// matching pages are read.
//
// A page too long for one vector has its words in another table, in several parts. Each term of the query may
// be in another part, so parts are found per term, and the pages are the intersection.
import type { Row, Transaction } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import {
  formsInUse,
  type Match,
  type Matcher,
  type Matching,
  matchFrom,
  type Sought,
} from '../matcher.ts'
import type { MatchesOptions } from '../matches-of.ts'
import {
  initialOf,
  type ListedWord,
  MAX_STARTING,
  MAX_WORD_LENGTH,
  type WordList,
} from '../near-words.ts'
import { HEAD_SHARE } from '../page-columns.ts'
import type { Query, Term } from '../query.ts'
import { afterPrefix } from '../title-words.ts'
import {
  anyOf,
  anywhere,
  conditionsOf,
  type Lookup,
  lookupOf,
  lookupsOf,
  Values,
} from './conditions.ts'
import { Scores } from './scores.ts'
import { PostgresTitleList } from './title-list.ts'

export class PostgresMatcher implements Matcher {
  readonly words: PostgresWordList
  readonly titles: PostgresTitleList
  readonly #sql: Transaction
  readonly #options: MatchesOptions
  readonly #counts = new Map<string, PageCounts>()

  /** Serves one search, in a transaction of its own. */
  constructor(sql: Transaction, options: MatchesOptions) {
    this.words = new PostgresWordList(sql)
    this.titles = new PostgresTitleList(sql)
    this.#sql = sql
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
    const terms = query.all.map((any) => any.map((term) => lookupsOf(term, formsOf)))
    const values = new Values()
    const wanted = terms.map((any) => any.flat())
    const kept = keptPages({
      found: foundIn(wanted.map(anyOf), values),
      unwanted: anyOf(query.none.map(unwantedOf)),
      filters: conditionsOf(filter, topics, values),
      values,
    })
    const light = (query.light ?? []).map((term) => lookupsOf(term, formsOf))
    const scores = new Scores({ terms: terms.flat(), light, scoring, headShare, values })
    return new PostgresMatching(this.#sql, { kept, scores, values, wanted, count: this })
  }

  async pagesWith(lists: readonly (readonly string[])[], most: number): Promise<readonly number[]> {
    const counts = await this.pagesOf(lists.map((words) => anyOf(words.map(anywhere))))
    return counts.map(({ own, said }) => Math.min(most, own || said))
  }

  async having(words: readonly string[], pageIds: readonly number[]) {
    const [values, ids] = [new Values(), numberArray(pageIds)]
    const each = words.map((word, at) => {
      const has = holds([anywhere(word)], values)
      const among = `page_id = ANY (${values.add(ids, 'bigint[]')}) AND ${has}`
      return `SELECT ${at} AS nth, page_id FROM ${LONE} WHERE ${among}
        UNION SELECT ${at}, page_id FROM ${LONG} WHERE ${among}`
    })
    const rows = await this.#sql.unsafe<Row[]>(...values.bound(each.join(' UNION ALL ')))
    const found = words.map((): number[] => [])
    for (const { nth, page_id: id } of rows) found[Number(nth)]?.push(Number(id))
    return found
  }

  /** The number of pages that match one of the lookups of each list. */
  async pagesOf(lists: readonly (readonly Lookup[])[]): Promise<readonly PageCounts[]> {
    const keys = lists.map((lookups) => JSON.stringify(lookups))
    const unknown = new Map(lists.map((lookups, at) => [keys[at] ?? '', lookups]))
    for (const key of this.#counts.keys()) unknown.delete(key)
    if (unknown.size > 0) {
      const values = new Values()
      const counts = [...unknown.values()].map(
        (lookups, at) => `${countOf(lookups, values)} AS own${at},
          (SELECT count(*) FROM ${SAID} WHERE ${says(lookups, values)}) AS said${at}`,
      )
      const [row] = await this.#sql.unsafe(...values.bound(`SELECT ${counts.join(', ')}`))
      for (const [at, key] of [...unknown.keys()].entries()) {
        this.#counts.set(key, {
          own: Number(row?.[`own${at}`] ?? 0),
          said: Number(row?.[`said${at}`] ?? 0),
        })
      }
    }
    return keys.map((key) => this.#counts.get(key) ?? NO_PAGES)
  }
}

/** Pages that say something themselves, and pages about which links say it. */
type PageCounts = { readonly own: number; readonly said: number }

const NO_PAGES: PageCounts = { own: 0, said: 0 }

/** What links say about a page is no reason to leave it out, unless that was asked for. */
function unwantedOf(term: Term): Lookup {
  const lookup = lookupOf(term)
  return (term.fields?.includes('anchor') ?? false) ? lookup : { ...lookup, said: '' }
}

const SAID = 'search.link_words'
const LONE = 'search.page_words'
const LONG = 'search.long_page_words'

function countOf(lookups: readonly Lookup[], values: Values): string {
  if (lookups.every(({ text }) => text === '')) return '0'
  const has = holds(lookups, values)
  return `(SELECT count(*) FROM ${LONE} WHERE ${has})
    + (SELECT count(DISTINCT page_id) FROM ${LONG} WHERE ${has})`
}

/** Condition: a row of words matches one of the lookups. */
function holds(lookups: readonly Lookup[], values: Values): string {
  const each = lookups
    .filter(({ text }) => text !== '')
    .map(({ vector, text }) => `${vector} @@ ${values.add(text, 'tsquery')}`)
  return each.length === 0 ? 'false' : `(${each.join(' OR ')})`
}

/** Condition: a row of words of links does. */
function says(lookups: readonly Lookup[], values: Values): string {
  return holds(
    lookups.map(({ vector, said }) => ({ vector, text: said, said: '' })),
    values,
  )
}

/** Pages that match one lookup of each list; null means any page. */
function foundIn(lists: readonly (readonly Lookup[])[], values: Values): string | null {
  if (lists.length === 0) return null
  const each = [...new Set(lists.map((lookups) => holds(lookups, values)))]
  const parts = each.map((has) => `SELECT page_id FROM ${LONG} WHERE ${has}`)
  const own = `SELECT page_id FROM ${LONE} WHERE ${each.join(' AND ')}
    UNION ALL (SELECT DISTINCT page_id FROM (${parts.join(' INTERSECT ')}) AS long)`
  const any = [...new Set(lists.map((lookups) => says(lookups, values)))]
  return any.every((says) => says === 'false')
    ? own
    : `(${own}) UNION (${partlySaid(lists, any, values)})`
}

/** Pages about which links say one of the words; the others stand in the page, or links say them, too. */
function partlySaid(
  lists: readonly (readonly Lookup[])[],
  any: readonly string[],
  values: Values,
): string {
  const has = (table: string, lookups: readonly Lookup[]) =>
    `EXISTS (SELECT 1 FROM ${table} AS held
      WHERE held.page_id = said.page_id AND ${holds(lookups, values)})`
  const each = lists.map(
    (lookups) => `(${says(lookups, values)} OR ${has(LONE, lookups)} OR ${has(LONG, lookups)})`,
  )
  return `SELECT page_id FROM ${SAID} AS said
    WHERE (${any.join(' OR ')}) AND ${[...new Set(each)].join(' AND ')}`
}

type Selection = {
  readonly found: string | null
  readonly unwanted: readonly Lookup[]
  readonly filters: string
  readonly values: Values
}

/** The first part of a statement: the matching pages with all their columns. */
function keptPages({ found, unwanted, filters, values }: Selection): string {
  const parts: string[] = []
  const conditions = [filters]
  if (found !== null) parts.push(`found AS MATERIALIZED (${found})`)
  if (unwanted.length > 0) {
    const has = holds(unwanted, values)
    parts.push(`unwanted AS MATERIALIZED (SELECT page_id FROM ${LONE} WHERE ${has}
      UNION ALL SELECT page_id FROM ${LONG} WHERE ${has}
      UNION ALL SELECT page_id FROM ${SAID} WHERE ${says(unwanted, values)})`)
    conditions.push('NOT EXISTS (SELECT 1 FROM unwanted WHERE unwanted.page_id = page.id)')
  }
  const pages = 'search.searched_pages page'
  const from = found === null ? pages : `found JOIN ${pages} ON page.id = found.page_id`
  const kept = `SELECT page.* FROM ${from} WHERE ${conditions.join(' AND ')}`
  return `WITH ${[...parts, `kept AS MATERIALIZED (${kept})`].join(', ')}`
}

type Asked = {
  readonly kept: string
  readonly scores: Scores
  readonly values: Values
  /** A page has one of each. */
  readonly wanted: readonly (readonly Lookup[])[]
  readonly count: Pick<PostgresMatcher, 'pagesOf'>
}

/** Above so many pages, those of two lists are never compared one by one, whatever the planner expects. */
const FEW_PAGES = 1000

class PostgresMatching implements Matching {
  readonly countsFast = false
  readonly #sql: Transaction
  readonly #asked: Asked

  constructor(sql: Transaction, asked: Asked) {
    this.#sql = sql
    this.#asked = asked
  }

  async best(limit: number): Promise<readonly Match[]> {
    const { scores, count, wanted } = this.#asked
    const [row] = await this.#sql`SELECT pages, length FROM search.search_position`
    const all = { pages: Number(row?.pages ?? 0), length: Number(row?.length ?? 0) }
    const counts = await count.pagesOf(scores.lookups.map((lookup) => [lookup]))
    const pagesWith = counts.map(({ own, said }) => Math.max(own, said))
    // Compiling a statement takes longer than running it.
    await this.#sql`SET LOCAL jit = off`
    const perWanted = await count.pagesOf(wanted.map(anyOf))
    const most = Math.min(all.pages, ...perWanted.map(({ own, said }) => own + said))
    if (most > FEW_PAGES) await this.#sql`SET LOCAL enable_nestloop = off`
    const rows = await this.#rows(`${scores.sqlWith(all, pagesWith)} LIMIT ${limit}`)
    await this.#sql`SET LOCAL enable_nestloop = on`
    return rows.map((row) => matchFrom(row, Number(row.score)))
  }

  async count(): Promise<number> {
    const [row] = await this.#rows('SELECT count(*) AS count FROM kept')
    return Number(row?.count ?? 0)
  }

  async hasMore(pages: number): Promise<boolean> {
    return (await this.#rows(`SELECT 1 FROM kept LIMIT ${pages + 1}`)).length > pages
  }

  async ids(): Promise<readonly number[]> {
    return (await this.#rows('SELECT id FROM kept ORDER BY id')).map(({ id }) => Number(id))
  }

  async #rows(rest: string): Promise<readonly Row[]> {
    const { kept, values } = this.#asked
    return this.#sql.unsafe<Row[]>(...values.bound(`${kept} ${rest}`))
  }
}

/** The words at the heads of pages, in a table. */
class PostgresWordList implements WordList {
  readonly #sql: Transaction

  constructor(sql: Transaction) {
    this.#sql = sql
  }

  async pages(words: readonly string[]): Promise<readonly number[]> {
    const rows = await this.#sql.unsafe(
      `SELECT known.word, known.pages
      FROM unnest($1::text[], $2::integer[], $3::text[]) AS asked (initial, length, word)
        JOIN search.known_words AS known USING (initial, length, word)`,
      [
        textArray(words.map(initialOf)),
        numberArray(words.map(({ length }) => length)),
        textArray(words),
      ],
    )
    const pages = new Map(rows.map((row) => [String(row.word), Number(row.pages)]))
    return words.map((word) => pages.get(word) ?? 0)
  }

  async alike(
    initial: string,
    from: number,
    to: number,
    limit: number,
  ): Promise<Iterable<ListedWord>> {
    // As one value: one row per word would take ten times as long to read.
    const [row] = await this.#sql.unsafe(
      `SELECT coalesce(string_agg(word || ' ' || pages, ' '), '') AS words FROM (
        SELECT word, pages FROM search.known_words
        WHERE initial = $1::text COLLATE "C" AND length BETWEEN $2::integer AND $3::integer
        LIMIT $4::integer) AS alike`,
      [initial, String(from), String(to), String(limit)],
    )
    return listed(String(row?.words ?? ''))
  }

  async startingWith(prefix: string, limit: number): Promise<readonly ListedWord[]> {
    const count = Math.max(0, MAX_WORD_LENGTH + 1 - prefix.length)
    const lengths = Array.from({ length: count }, (_, nth) => prefix.length + nth)
    const rows = await this.#sql.unsafe<Row[]>(
      `SELECT word, pages FROM (
        SELECT word, pages FROM search.known_words
        WHERE initial = $1::text COLLATE "C" AND length = ANY ($2::integer[])
          AND word >= $3::text COLLATE "C" AND word < $4::text COLLATE "C"
        LIMIT ${MAX_STARTING}) AS starting
      ORDER BY pages DESC, word LIMIT $5::integer`,
      [initialOf(prefix), numberArray(lengths), prefix, afterPrefix(prefix), String(limit)],
    )
    return rows.map((row) => ({ word: String(row.word), pages: Number(row.pages) }))
  }
}

function* listed(text: string): Generator<ListedWord> {
  const pieces = text === '' ? [] : text.split(' ')
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    yield { word: pieces[at] ?? '', pages: Number(pieces[at + 1]) }
  }
}
