// The SQL that finds the pages of a query and the best of them.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Field, fieldNamed } from '../../core/search-field.ts'
import { primaryLanguage } from '../../text/text.ts'
import { RANK_WEIGHT } from '../blend.ts'
import {
  type FormsOf,
  formsInUse,
  type Match,
  type Matcher,
  type Matching,
  matchFrom,
  type Sought,
} from '../matcher.ts'
import type { MatchesOptions } from '../matches-of.ts'
import { initialOf, type ListedWord, type WordList } from '../near-words.ts'
import {
  COLUMNS,
  type Column,
  HEAD_SHARE,
  HEAD_WEIGHTS,
  type PageColumns,
  STEMS_OF,
  TEXT_WEIGHTS,
} from '../page-columns.ts'
import type { Query, Term } from '../query.ts'
import type { Scoring, SearchFilter } from '../search-index.ts'

export class SqliteMatcher implements Matcher {
  readonly words: SqliteWordList
  readonly #db: DatabaseSync
  readonly #options: MatchesOptions

  constructor(db: DatabaseSync, options: MatchesOptions) {
    this.words = new SqliteWordList(db)
    this.#db = db
    this.#options = options
  }

  async matching(query: Query, { filter = {}, scoring = {} }: Sought): Promise<Matching | null> {
    const { stems, topics } = this.#options
    const filters = conditionsOf(filter, topics)
    const formsOf = (word: string) => stems.forms(word, filter.language)
    const inUse = await formsInUse(this, query, formsOf)
    const hasPage = (expression: string) => this.#hasPage(expression)
    const match = matchExpression(query, (term) => everyForm(term, inUse, hasPage))
    const unwanted = unwantedExpression(query)
    if (match === null && unwanted === null) return null
    const conditions: Condition[] = []
    if (match !== null) conditions.push(['page_words MATCH ?', match])
    if (unwanted !== null) conditions.push([WITHOUT_WORDS, unwanted])
    const way = match === null ? NEWEST : { ...BY_WORDS, rank: blended(scoring) }
    return new SqliteMatching(this.#db, { ...way, conditions: [...conditions, ...filters] })
  }

  async pagesWith(lists: readonly (readonly string[])[], most: number): Promise<readonly number[]> {
    const count = this.#db.prepare(`
      SELECT count(*) AS pages
      FROM (SELECT 1 FROM page_words WHERE page_words MATCH ? LIMIT ?)`)
    return lists.map((words) => {
      const any = words.map((word) => `"${word}"`).join(' OR ')
      return any === '' ? 0 : Number(count.get(any, most)?.pages ?? 0)
    })
  }

  async having(words: readonly string[], pageIds: readonly number[]) {
    // As a range: with `rowid = ?`, FTS5 ignores the words.
    const has = this.#db.prepare(
      'SELECT 1 FROM page_words WHERE page_words MATCH ?1 AND rowid >= ?2 AND rowid <= ?2',
    )
    return words.map((word) => pageIds.filter((id) => has.get(quoted(word), id) !== undefined))
  }

  #hasPage(expression: string): boolean {
    const one = this.#db.prepare('SELECT 1 FROM page_words WHERE page_words MATCH ? LIMIT 1')
    return one.get(expression) !== undefined
  }
}

/** The join starts with the words, whatever the filters are: few pages have them. */
const BY_WORDS = {
  from: 'page_words CROSS JOIN searched_pages AS page ON page.id = page_words.rowid',
  order: 'rank, page.id',
}
/** All pages rank equal, so the newest come first. */
const NEWEST = {
  ...{ from: 'searched_pages AS page', rank: '0', order: 'page.fetched_at DESC, page.id' },
}
/**
 * The NOT of FTS5 is not used here: if a part of the wanted expression is in the wrong column, FTS5 forgets
 * the positions of the other parts in the pages that follow, and scores these as if they had none of them.
 */
const WITHOUT_WORDS = 'page.id NOT IN (SELECT rowid FROM page_words WHERE page_words MATCH ?)'

type Selection = {
  readonly from: string
  /** Smaller is better. */
  readonly rank: string
  readonly order: string
  readonly conditions: readonly Condition[]
}

class SqliteMatching implements Matching {
  readonly #db: DatabaseSync
  readonly #selection: Selection

  constructor(db: DatabaseSync, selection: Selection) {
    this.#db = db
    this.#selection = selection
  }

  async best(limit: number): Promise<readonly Match[]> {
    const { rank, order } = this.#selection
    const columns = `page.id, page.crawl_id, page.host, page.language, page.kind, page.hot,
      page.cluster, page.url_key, page.fetched_at, ${rank} AS rank`
    const rows = this.#rows(columns, `ORDER BY ${order} LIMIT ${limit}`)
    return rows.map((row) => matchFrom(row, -Number(row.rank)))
  }

  async count(): Promise<number> {
    return Number(this.#rows('count(*) AS count')[0]?.count ?? 0)
  }

  async hasMore(pages: number): Promise<boolean> {
    return this.#rows('1', `LIMIT ${pages + 1}`).length > pages
  }

  async ids(): Promise<readonly number[]> {
    return this.#rows('page.id', 'ORDER BY page.id').map(({ id }) => Number(id))
  }

  #rows(columns: string, rest = '') {
    const { from, conditions } = this.#selection
    return this.#db
      .prepare(`SELECT ${columns} FROM ${from} WHERE ${sqlOf(conditions)} ${rest}`)
      .all(...valuesOf(conditions))
  }
}

// Filters as conditions on `searched_pages`, with the alias `page`.

type Condition = readonly [sql: string, value: string | number]

/** `topics`: the topics of crawls, by crawl number. */
function conditionsOf(filter: SearchFilter, topics: ReadonlyMap<number, string>): Condition[] {
  const { crawlId, host, language, kind, hot, topic, since } = filter
  const conditions: Condition[] = []
  if (crawlId !== undefined) conditions.push(['page.crawl_id = ?', crawlId])
  if (host !== undefined) conditions.push(['page.host = ?', host.toLowerCase()])
  if (language !== undefined) conditions.push(['page.language = ?', primaryLanguage(language)])
  if (kind !== undefined) conditions.push(['page.kind = ?', kind])
  if (hot !== undefined) conditions.push(['page.hot = ?', Number(hot)])
  if (since !== undefined) conditions.push(['page.fetched_at >= ?', since])
  if (topic !== undefined) conditions.push(['page.hot = ?', 1], ofCrawls(topic, topics))
  return conditions
}

function ofCrawls(topic: string, topics: ReadonlyMap<number, string>): Condition {
  const crawls = [...topics].filter(([, about]) => about === topic).map(([id]) => id)
  return ['page.crawl_id IN (SELECT value FROM json_each(?))', JSON.stringify(crawls)]
}

function sqlOf(conditions: readonly Condition[]): string {
  return conditions.map(([sql]) => sql).join(' AND ') || 'true'
}

function valuesOf(conditions: readonly Condition[]): (string | number)[] {
  return conditions.map(([, value]) => value)
}

// A query in the syntax of FTS5. Every word is quoted and consists only of letters, digits and apostrophes
// (words.ts), so user input is never read as an operator.

/** The required terms; null if there is nothing to look for. */
function matchExpression(
  { all }: Query,
  expressionsOf: (term: Term) => readonly string[],
): string | null {
  if (all.length === 0) return null
  return all.map((terms) => anyOf(terms.flatMap(expressionsOf))).join(' AND ')
}

/** The excluded terms; null if there are none. */
function unwantedExpression({ none }: Query): string | null {
  return none.length === 0 ? null : anyOf(none.map(itself))
}

function anyOf(expressions: readonly string[]): string {
  return `(${expressions.join(' OR ')})`
}

/**
 * A page counts by the stem of the word, or by the word itself if it has no such stem: if both were added up, pages
 * in languages with a stemmer would be ahead of others that say the same. Expressions without a page are left
 * out: FTS5 would count the right side of `NOT` twice in the first page that has it.
 */
function everyForm(term: Term, formsOf: FormsOf, hasPage: (expression: string) => boolean) {
  const [word] = term.words
  const columns = stemColumns(term.fields)
  if (!term.anyForm || word === undefined || columns.length === 0) return [itself(term)]
  const forms = formsOf(word).map((form) => within(columns, quoted(form)))
  const used = [...forms, itself(term)].filter(hasPage)
  if (used.length === 0) return [itself(term)]
  return used.map((each, at) => (at === 0 ? each : `(${each} NOT ${anyOf(used.slice(0, at))})`))
}

function stemColumns(fields: readonly Field[] | null): readonly Column[] {
  return fields?.flatMap((field) => STEMS_OF[field] ?? []) ?? STEM_COLUMNS
}

/** The words themselves, without other forms. */
function itself({ words, prefix, fields }: Term): string {
  const phrase = quoted(words.join(' ')) + (prefix ? ' *' : '')
  if (fields !== null) return within(fields, phrase)
  // A prefix must not match stems, which are no words.
  return prefix ? `- ${within(STEM_COLUMNS, phrase)}` : phrase
}

function within(columns: readonly Column[], phrase: string): string {
  return `{${columns.join(' ')}} : ${phrase}`
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

// The words at the heads of pages, in a table.

class SqliteWordList implements WordList {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  async pages(words: readonly string[]): Promise<readonly number[]> {
    const one = this.#db.prepare(
      'SELECT pages FROM known_words WHERE initial = ? AND length = ? AND word = ?',
    )
    return words.map((word) => Number(one.get(initialOf(word), word.length, word)?.pages ?? 0))
  }

  async alike(
    initial: string,
    from: number,
    to: number,
    limit: number,
  ): Promise<Iterable<ListedWord>> {
    const some = this.#db.prepare(
      'SELECT word, pages FROM known_words WHERE initial = ? AND length BETWEEN ? AND ? LIMIT ?',
    )
    return listed(some, [initial, from, to, limit])
  }
}

/** Row by row: there may be very many. */
function* listed(some: StatementSync, values: readonly (string | number)[]): Generator<ListedWord> {
  for (const { word, pages } of some.iterate(...values)) {
    yield { word: String(word), pages: Number(pages) }
  }
}

// The score of a match in SQL.

function bm25(weights: Readonly<Record<Field, number>>): string {
  const fields = Object.keys(weights).flatMap((name) => fieldNamed(name) ?? [])
  const weightOf = (column: Column) => {
    const field = fields.find((each) => each === column || STEMS_OF[each] === column)
    return field === undefined ? 0 : weights[field]
  }
  return `bm25(page_words, ${COLUMNS.map(weightOf).join(', ')})`
}

const BM25 = `(${bm25(TEXT_WEIGHTS)} + ${HEAD_SHARE} * ${bm25(HEAD_WEIGHTS)})`

/** Smaller is better, as in FTS5. */
function blended({ rankWeight = RANK_WEIGHT }: Scoring): string {
  return rankWeight === 0 ? BM25 : `${BM25} * (1 + ${rankWeight} * page.standing)`
}

export const INSERT_WORDS = `
  INSERT INTO page_words (rowid, ${COLUMNS.join(', ')})
  VALUES (?${', ?'.repeat(COLUMNS.length)})`

const STEM_COLUMNS: readonly Column[] = Object.values(STEMS_OF)

export function wordsRow(id: number, columns: PageColumns): [number, ...string[]] {
  return [id, ...COLUMNS.map((column) => columns[column].join(' '))]
}
