// Pages as the API shows them: a row for each, or one in full with its parts and how important it is.
import { fieldsObject } from '../core/field-rules.ts'
import { aboutObject, type Part, type PartRow, partRows, rawTitleOf } from '../core/page.ts'
import { hostOf } from '../core/url.ts'
import type { PageImportance } from '../store/importance-store.ts'
import type { PageReader, PageSummary, PageWithLinks } from '../store/page-reader.ts'
import type { FetchedPage } from './shapes/job.ts'
import type { PageInFull, PageRow } from './shapes/page.ts'
import type { CrawlHere } from './workspace-files.ts'

/** Without the links to it, which are of the graph; null when the crawl has no such page. */
export async function readPage(
  { job, store }: CrawlHere,
  id: number,
): Promise<Omit<PageInFull, 'links_in'> | null> {
  const page = await store.pages.get(id)
  if (page === null || page.crawlId !== job.id) return null
  const parts = await store.pages.partsOf(id)
  const rows = (part: Part): PartRow[] | null => {
    const json = parts[part]
    return json === undefined ? null : [...partRows(part, json)]
  }
  return {
    ...pageRow(page),
    crawl: `crawl_${job.id}`,
    canonical_url: page.canonicalUrl,
    raw_title: rawTitleOf(aboutObject(page.about)),
    charset: page.charset,
    description: page.description,
    keywords: page.keywords,
    author: page.author,
    published_at: page.publishedAt,
    published_day: page.publishedDay,
    content_text: page.contentText,
    markdown: page.markdown,
    html5: page.html5,
    content_hash: page.contentHash,
    fetch_ms: page.fetchMs,
    parse_ms: page.parseMs,
    about: { ...aboutObject(page.about) },
    importance: shown(await store.importance.get(page.duplicateOf ?? id)),
    has_html: await store.pages.hasHtml(id),
    links: await linksOut(job.id, store.pages, rows('links')),
    images: rows('images'),
    tables: rows('tables'),
    forms: rows('forms'),
    lists: rows('lists'),
    scripts: rows('scripts'),
    styles: rows('styles'),
    fields: parts.fields === undefined ? null : { ...fieldsObject(parts.fields) },
  }
}

/** Null when the crawl has no such page, or did not keep its body. */
export async function readHtml({ job, store }: CrawlHere, id: number): Promise<Uint8Array | null> {
  const [page] = await store.pages.summariesOf(job.id, [id])
  return page === undefined ? null : store.pages.htmlOf(id)
}

/** Each with the stored page it leads to. */
async function linksOut(
  crawlId: number,
  pages: PageReader,
  rows: readonly PartRow[] | null,
): Promise<PageInFull['links']> {
  if (rows === null) return null
  const links = rows.map(namedLink)
  const urls = links.map(({ url }) => url)
  const ids = await pages.idsByUrl(crawlId, urls)
  return links.map((link) => ({ ...link, page_id: ids.get(link.url) ?? null }))
}

export function namedLink({ url, anchor, rel, context }: PartRow) {
  return { url: text(url), anchor: text(anchor), rel: text(rel), context: text(context) }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function shown(known: PageImportance | null): PageInFull['importance'] {
  if (known === null) return null
  const { importance, pagerank, backlinks, location, similarity } = known
  return { importance, pagerank, backlinks, location, similarity }
}

export function pageRow(page: PageSummary): PageRow {
  return {
    id: page.id,
    url: page.url,
    host: hostOf(page.url),
    title: page.title,
    status_code: page.statusCode,
    content_type: page.contentType,
    kind: page.kind,
    language: page.language,
    depth: page.depth,
    size_bytes: page.sizeBytes,
    hot: page.hot,
    relevance: page.relevance,
    noindex: page.noindex,
    truncated: page.truncated,
    duplicate_of: page.duplicateOf,
    fetched_at: page.fetchedAt,
  }
}

export function fetchedPage(page: PageWithLinks): FetchedPage & { readonly id: number } {
  return {
    id: page.id,
    url: page.url,
    status_code: page.statusCode,
    title: page.title,
    links: [...page.links],
    crawled_at: page.fetchedAt,
  }
}
