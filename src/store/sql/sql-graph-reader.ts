// The link graph out of `pages` and `page_parts`, in short reads of some pages each: a crawl that writes
// is never in the way, and no more than those pages are in memory.
import type { CanonicalUrl } from '../../core/url.ts'
import { SeenSet } from '../../lib/seen-set.ts'
import { StretchHash } from '../../lib/url-hash.ts'
import type {
  EdgeOptions,
  GraphEdges,
  GraphPage,
  GraphReader,
  LinkedPage,
  PageNames,
  Redirect,
} from '../graph-reader.ts'
import { eachVouchedUrl } from '../link-columns.ts'
import { numberOf, numberOrNull, type Row, textOf, urlOf } from '../row-values.ts'
import type { Sql } from './sql.ts'

const PAGES_AT_ONCE = 5000
/** Pages with their links, some kilobytes each … */
const LINKS_AT_ONCE = 1000
/** … and a megabyte in all: then fewer. More would outlive young garbage and be held much longer. */
const BYTES_AT_ONCE = 1_000_000

const PAGES = `
  SELECT id, url, duplicate_of, relevance FROM pages
  WHERE crawl_id = $1 AND id > $2 ORDER BY id LIMIT $3`
const LINKED = {
  columns: ['id', 'url', 'duplicate_of', 'relevance'],
  parts: ['links'],
  large: ['links'],
  bound: BYTES_AT_ONCE,
}

export class SqlGraphReader implements GraphReader {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async *pages(crawlId: number): AsyncGenerator<GraphPage> {
    for await (const row of this.#pages(crawlId)) {
      if (row.duplicate_of === null) yield graphPageFrom(row)
    }
  }

  async *linkedPages(crawlId: number, after = 0): AsyncGenerator<LinkedPage> {
    for await (const row of this.#linked(crawlId, after)) yield linkedPageFrom(row)
  }

  async *linkedPagesOf(crawlId: number, ids: readonly number[]): AsyncGenerator<LinkedPage> {
    for (let at = 0; at < ids.length; ) {
      const some = ids.slice(at, at + LINKS_AT_ONCE)
      const { rows, read } = await this.#sql.pagesOf(some, { ...LINKED, crawlIds: [crawlId] })
      yield* rows.map(linkedPageFrom)
      at += read
    }
  }

  async names(crawlId: number, redirects?: AsyncIterable<Redirect>): Promise<PageNames> {
    const keys = new PageKeys()
    for await (const row of this.#pages(crawlId)) keys.add(urlOf(row, 'url'), originalOf(row))
    if (redirects !== undefined) await keys.addRedirects(redirects)
    return keys
  }

  async *edges(crawlId: number, options: EdgeOptions = {}): AsyncGenerator<GraphEdges> {
    const names = options.names ?? (await this.names(crawlId, options.redirects))
    for await (const row of this.#linked(crawlId)) {
      if (row.links === null) continue
      const from = originalOf(row)
      const wanted = { from, names, outside: options.outside === true }
      const { to, outside } = linkTargets(textOf(row, 'links'), wanted)
      if (to.length + outside.length > 0) yield { from, to, outside }
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#sql[Symbol.asyncDispose]()
  }

  #pages(crawlId: number): AsyncGenerator<Row> {
    return inParts(0, (after) => this.#sql.all(PAGES, [crawlId, after, PAGES_AT_ONCE]))
  }

  #linked(crawlId: number, from = 0): AsyncGenerator<Row> {
    const read = { ...LINKED, crawlId, where: 'p.id > $1', limit: LINKS_AT_ONCE }
    return inParts(from, (after) => this.#sql.somePages({ ...read, values: [after] }))
  }
}

/** All rows that come by id, some at a time. */
async function* inParts(
  from: number,
  someAfter: (id: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let after = from; ; ) {
    const rows = await someAfter(after)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = numberOf(last, 'id')
  }
}

function graphPageFrom(row: Row): GraphPage {
  return {
    id: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    relevance: numberOrNull(row, 'relevance'),
  }
}

function linkedPageFrom(row: Row): LinkedPage {
  return {
    ...graphPageFrom(row),
    duplicateOf: numberOrNull(row, 'duplicate_of'),
    links: { each: (visit) => row.links !== null && eachVouchedUrl(textOf(row, 'links'), visit) },
  }
}

/** The page that a page stands for: itself, or the one it repeats. */
function originalOf(row: Row): number {
  return numberOrNull(row, 'duplicate_of') ?? numberOf(row, 'id')
}

type WantedTargets = {
  /** The page they are links of. */
  readonly from: number
  readonly names: PageNames
  /** Otherwise those stay empty. */
  readonly outside: boolean
}

/** From the part as the parser wrote it. */
function linkTargets(
  links: string,
  { from, names, outside: wanted }: WantedTargets,
): Pick<GraphEdges, 'to' | 'outside'> {
  const to = new Set<number>()
  const outside = new Set<CanonicalUrl>()
  eachVouchedUrl(links, (text, start, end) => {
    const id = names.find(text, start, end)
    if (id === undefined) {
      // As the parser wrote it, and only ever in its one spelling.
      if (wanted) outside.add(text.slice(start, end) as CanonicalUrl)
    } else if (id !== from) to.add(id)
  })
  return { to: [...to], outside: [...outside] }
}

/** Redirects in a row; the scouter follows no more either. */
const MAX_HOPS = 10

/**
 * URLs of a crawl → the pages they stand for, compact: a hash and a number for each URL, so that a million
 * pages take some tens of megabytes. The hashes are keyed afresh each time: nobody can prepare URLs that
 * collide.
 */
class PageKeys {
  readonly #hash = new StretchHash()
  /** Hash of a URL → place in `#ids`, counted from 1. */
  readonly #places = new SeenSet()
  readonly #ids: number[] = []

  /** The first id given for a URL stays. */
  add(url: CanonicalUrl, id: number): void {
    const { hi, lo } = this.#hash.take(url)
    if (this.#places.claim(hi, lo, this.#ids.length + 1) === 0) this.#ids.push(id)
  }

  /** The page a URL stands for; undefined when it is none. */
  find(text: string, from?: number, end?: number): number | undefined {
    const { hi, lo } = this.#hash.take(text, from, end)
    return this.#ids[this.#places.get(hi, lo) - 1]
  }

  /** Lets the sources stand for the pages they led to, also over several hops in any order. */
  async addRedirects(redirects: AsyncIterable<Redirect>): Promise<void> {
    let open: Redirect[] = []
    for await (const redirect of redirects) if (!this.#resolve(redirect)) open.push(redirect)
    for (let hop = 1; hop < MAX_HOPS && open.length > 0; hop++) {
      const left = open.filter((redirect) => !this.#resolve(redirect))
      if (left.length === open.length) return
      open = left
    }
  }

  #resolve({ from, to }: Redirect): boolean {
    const id = this.find(to)
    if (id !== undefined) this.add(from, id)
    return id !== undefined
  }
}
