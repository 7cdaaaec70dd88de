// The pages that a batch may have to do with, as they are while it is worked through: read once under the
// crawl's lock, changed here, written at the end. Nothing here asks the server.
import type { PageFields } from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { numberOf, numberOrNull, type Row, textOf, urlOf } from '../row-values.ts'

/** What must be known to decide on a batch. */
export type BatchFacts = {
  readonly cache: PageBatchCache
  /** Pages the crawl has, duplicates not counted, and the hot ones among them. */
  readonly stock: { readonly stored: number; readonly hot: number }
  /** The first of the ids for new pages, as many as there may be. */
  readonly firstId: number
  /** The largest id a page had when the round began. */
  readonly afterPage: number
}

export type CachedPage = {
  readonly id: number
  readonly url: CanonicalUrl
  canonicalUrl: string | null
  contentHash: string
  duplicateOf: number | null
  noindex: boolean
  sizeBytes: number
  relevance: number | null
  hot: boolean
  kind: string
  fetchedAt: number
  /** Null: it was not read, as nobody compares it. */
  text: string | null
  /** The row of `page_checks`; null: there is none. */
  check: Row | null
  /** As it was before the batch, with its parts; null: it was not read. */
  readonly row: Row | null
}

export class PageBatchCache {
  readonly #byId = new Map<number, CachedPage>()
  readonly #byUrl = new Map<string, CachedPage>()
  readonly #byHash = new Map<string, Set<CachedPage>>()
  readonly #byFirst = new Map<number, Set<CachedPage>>()

  get(id: number): CachedPage | undefined {
    return this.#byId.get(id)
  }

  find(url: string): CachedPage | undefined {
    return this.#byUrl.get(url)
  }

  /** Ids of pages that others repeat and that are not here. */
  missing(): number[] {
    const firsts = new Set([...this.#byId.values()].map(({ duplicateOf }) => duplicateOf))
    return [...firsts].filter((id) => id !== null).filter((id) => !this.#byId.has(id))
  }

  /** What was read first stays. */
  put(page: CachedPage): void {
    if (this.#byId.has(page.id)) return
    this.#byId.set(page.id, page)
    this.#byUrl.set(page.url, page)
    this.#file(page)
  }

  remove(page: CachedPage): void {
    this.#byId.delete(page.id)
    this.#byUrl.delete(page.url)
    this.#unfile(page)
  }

  /** It repeats that page from now on; null: none. */
  follow(page: CachedPage, first: number | null): void {
    this.#unfile(page)
    page.duplicateOf = first
    this.#file(page)
  }

  rehash(page: CachedPage, contentHash: string): void {
    this.#unfile(page)
    page.contentHash = contentHash
    this.#file(page)
  }

  /** The oldest page of its own with that content, other than the one with this id. */
  firstWith(contentHash: string, id: number): CachedPage | undefined {
    let first: CachedPage | undefined
    for (const page of this.#byHash.get(contentHash) ?? []) {
      if (page.duplicateOf !== null || page.id === id) continue
      if (first === undefined || page.id < first.id) first = page
    }
    return first
  }

  /** Those that repeat a page, by id. */
  repeating(id: number): CachedPage[] {
    return [...(this.#byFirst.get(id) ?? [])].sort((a, b) => a.id - b.id)
  }

  #file(page: CachedPage): void {
    entryOf(this.#byHash, page.contentHash).add(page)
    if (page.duplicateOf !== null) entryOf(this.#byFirst, page.duplicateOf).add(page)
  }

  #unfile(page: CachedPage): void {
    this.#byHash.get(page.contentHash)?.delete(page)
    if (page.duplicateOf !== null) this.#byFirst.get(page.duplicateOf)?.delete(page)
  }
}

function entryOf<K, V>(map: Map<K, Set<V>>, key: K): Set<V> {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = new Set<V>()
  map.set(key, made)
  return made
}

/** From a row with the columns of `pages`, all of them when it `isWhole`. */
export function cachedPageFrom(row: Row, isWhole: boolean): CachedPage {
  return {
    id: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    canonicalUrl: row.canonical_url === null ? null : textOf(row, 'canonical_url'),
    contentHash: textOf(row, 'content_hash'),
    duplicateOf: numberOrNull(row, 'duplicate_of'),
    noindex: row.noindex === 1,
    sizeBytes: numberOf(row, 'size_bytes'),
    relevance: numberOrNull(row, 'relevance'),
    hot: row.hot === 1,
    kind: textOf(row, 'kind'),
    fetchedAt: numberOf(row, 'fetched_at'),
    text: typeof row.content_text === 'string' ? row.content_text : null,
    check: null,
    row: isWhole ? row : null,
  }
}

/** A page that is new in this batch. */
export function newCachedPage(id: number, fields: PageFields, first: number | null): CachedPage {
  const { url, canonicalUrl, contentHash, noindex, sizeBytes, relevance, hot, kind } = fields
  const rest = { duplicateOf: first, text: fields.contentText, check: null, row: null }
  const { fetchedAt } = fields
  return {
    ...{ id, url, canonicalUrl, contentHash, noindex, sizeBytes, relevance, hot, kind, fetchedAt },
    ...rest,
  }
}
