// Which pages a query means, as SQL, and the best of them.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { formsInUse } from '../forms-in-use.ts'
import type { Match, Matcher, Matching, Sought } from '../matcher.ts'
import type { MatchesOptions } from '../matches-of.ts'
import type { Query } from '../query.ts'
import { blended } from './columns.ts'
import { type Condition, conditionsOf, sqlOf, valuesOf } from './conditions.ts'
import { matchExpression, unwantedExpression } from './match-expression.ts'
import { SqliteWordList } from './word-list.ts'

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
    const match = matchExpression(query, await formsInUse(this, query, formsOf))
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
}

/** The join begins with the words, whatever the filters look like: few pages have them. */
const BY_WORDS = {
  from: 'page_words CROSS JOIN searched_pages AS page ON page.id = page_words.rowid',
  order: 'rank, page.id',
}
/** None is better than another. */
const NEWEST = {
  ...{ from: 'searched_pages AS page', rank: '0', order: 'page.fetched_at DESC, page.id' },
}
/**
 * No NOT of FTS5 around what is wanted: where a part of that is in the wrong column, FTS5 forgets where the
 * others stand in the pages that come next, and these get scores as if they had none of them.
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
    return this.#rows(columns, `ORDER BY ${order} LIMIT ${limit}`).map(matchFrom)
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

function matchFrom(row: Readonly<Record<string, SQLOutputValue>>): Match {
  return {
    id: Number(row.id),
    crawlId: Number(row.crawl_id),
    host: String(row.host),
    language: String(row.language),
    kind: String(row.kind),
    hot: row.hot === 1,
    cluster: row.cluster === null ? null : Number(row.cluster),
    urlKey: Number(row.url_key),
    fetchedAt: Number(row.fetched_at),
    score: -Number(row.rank),
  }
}
