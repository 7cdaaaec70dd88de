// One page of the web, and the URLs of a site, as they are answered without a crawl. All texts are what the
// web said: hostile wherever they are shown.
import { type Static, Type } from 'typebox'

const Integer = Type.Integer()
const Text = Type.String()
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()])
const Rows = Type.Array(Type.Record(Type.String(), Type.Unknown()))

/** What may be asked for beside the fields of a page. */
export const SCRAPE_FORMATS = ['text', 'markdown', 'links', 'html', 'parts'] as const
export type ScrapeFormat = (typeof SCRAPE_FORMATS)[number]

/** A page with what was asked for. */
export const ScrapedPage = Type.Object({
  /** Where it was found, after redirects. */
  url: Text,
  status_code: Integer,
  content_type: Text,
  canonical_url: nullable(Text),
  title: Text,
  /** The text of `<title>` as it is; `title` is without the name of the site. */
  raw_title: Text,
  description: Text,
  keywords: Text,
  author: Text,
  language: Text,
  kind: Text,
  published_at: nullable(Integer),
  published_day: nullable(Text),
  fetched_at: Integer,
  size_bytes: Integer,
  truncated: Type.Boolean(),
  noindex: Type.Boolean(),
  /** What the page says of itself beyond these fields. */
  about: Type.Record(Type.String(), Type.Unknown()),
  /** The URLs that led to it, with their statuses. */
  redirects: Type.Array(Type.Object({ url: Text, status: Integer })),
  text: Type.Optional(Text),
  markdown: Type.Optional(Text),
  html: Type.Optional(Text),
  links: Type.Optional(
    Type.Array(Type.Object({ url: Text, anchor: Text, rel: Text, context: Text })),
  ),
  /** Images, tables, forms, lists, scripts and styles. */
  parts: Type.Optional(Type.Record(Type.String(), Rows)),
  /** By the rules of the request, by name. */
  fields: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type ScrapedPage = Static<typeof ScrapedPage>

/** The URLs of a site. */
export const SiteUrls = Type.Object({
  urls: Type.Array(Type.Object({ url: Text, title: Type.Optional(Text) })),
  /** Files that were read. */
  sitemaps: Integer,
  /** False: there may be more, since the limit or the time was reached. */
  complete: Type.Boolean(),
})
export type SiteUrls = Static<typeof SiteUrls>
