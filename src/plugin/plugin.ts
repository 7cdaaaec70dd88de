// A plug-in: one module whose default export has any of the hooks below. Hooks run in threads of the
// processes that fetch and parse, which are watched: a hook that throws, takes too long or answers nonsense
// costs its page a reason, never the crawl.
import type { PageKind } from '../core/page.ts'
import type { Exporter } from '../export/exporter.ts'
import type { Ordering } from '../ordering/ordering.ts'

/** An answer, now or soon. */
export type Answer<T> = T | Promise<T>

/** A link on a page, or an entry of a sitemap. */
export type PluginLink = {
  readonly url: string
  /** '' for an entry of a sitemap, as are `rel` and `context`. */
  readonly anchor: string
  readonly rel: string
  readonly context: string
  /** The page or sitemap that it is on. */
  readonly page: string
  /** Links from a seed to the target. */
  readonly depth: number
  readonly via: 'link' | 'sitemap'
}

/** A request that is about to be sent for a page or a sitemap. */
export type PluginRequest = {
  readonly url: string
  readonly kind: 'page' | 'sitemap'
  readonly depth: number
  /** From 1. */
  readonly tries: number
}

export type RequestChanges = {
  /** Added to ours. Those of HTTP itself, `user-agent` and conditions cannot be set. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as one `cookie` header. */
  readonly cookies?: Readonly<Record<string, string>>
}

/** A page as the parser read it. */
export type PluginPage = {
  readonly url: string
  readonly depth: number
  readonly statusCode: number
  readonly contentType: string
  readonly title: string
  readonly description: string
  readonly keywords: string
  readonly author: string
  readonly language: string
  readonly kind: PageKind
  /** Epoch ms. */
  readonly publishedAt: number | null
  readonly contentText: string
  /** What the page says about itself beyond the other fields. */
  readonly about: Readonly<Record<string, unknown>>
  readonly links: readonly Pick<PluginLink, 'url' | 'anchor' | 'rel' | 'context'>[]
}

/** What is stored otherwise than the parser read it. */
export type PageChanges = Partial<
  Pick<
    PluginPage,
    | 'title'
    | 'description'
    | 'keywords'
    | 'author'
    | 'language'
    | 'kind'
    | 'publishedAt'
    | 'contentText'
  >
> & {
  /** Further facts, as JSON; stored in `about` under `fields`. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Why the page is not stored. Its links are followed nevertheless. */
  readonly drop?: string
}

export interface Plugin {
  /** Letters, digits, `-`, `_`, `.`, `/` and `@`. */
  readonly name: string
  readonly version?: string
  /** False or a reason: the link is not followed. Asked for links and entries of sitemaps, not for seeds. */
  admit?(link: PluginLink): Answer<boolean | string | undefined>
  /** Changes a request before it is sent. Not asked for robots.txt. */
  request?(request: PluginRequest): Answer<RequestChanges | undefined>
  /** Changes or drops a page before it is judged and stored. Not asked for pages that say noindex. */
  parsed?(page: PluginPage): Answer<PageChanges | undefined>
  /** How relevant a page is, 0 to 1. At most one plug-in of a crawl may have it. */
  judge?(page: PluginPage): Answer<number>
  /** Which URL goes first; chosen by `--ordering` with the path of this module, by jobs of a server by its name. */
  readonly ordering?: Ordering
  /** A format of `jelajah export`. */
  readonly exporter?: Exporter
}
