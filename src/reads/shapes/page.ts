// Pages, URLs, the graph and search results as the API speaks of them. All texts are what the web
// said: hostile wherever they are shown.
import { type Static, Type } from 'typebox'
import { URL_STATES } from '../../core/visit.ts'
import { JobId } from './job.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()])
const Integer = Type.Integer()
const Text = Type.String()

/** A page in a table. */
export const PageRow = Type.Object({
  id: Integer,
  url: Text,
  host: Text,
  title: Text,
  status_code: Integer,
  content_type: Text,
  kind: Text,
  language: Text,
  depth: Integer,
  size_bytes: Integer,
  hot: Type.Boolean(),
  relevance: nullable(Type.Number()),
  noindex: Type.Boolean(),
  truncated: Type.Boolean(),
  duplicate_of: nullable(Integer),
  fetched_at: Integer,
})
export type PageRow = Static<typeof PageRow>
export const PageRows = Type.Object({
  pages: Type.Array(PageRow),
  /** For `after` of the next request; null: that was all. */
  next: nullable(Integer),
})
export type PageRows = Static<typeof PageRows>

/** Ids of all pages that match, in the order that was asked for: what a table scrolls over. */
export const PageIds = Type.Object({
  ids: Type.Array(Integer),
  total: Integer,
  /** True when there are more than were sent. */
  cut: Type.Boolean(),
})
export type PageIds = Static<typeof PageIds>

const PageImportance = Type.Object({
  importance: Type.Number(),
  pagerank: Type.Number(),
  backlinks: Integer,
  location: Type.Number(),
  similarity: nullable(Type.Number()),
})

const LinkOut = Type.Object({
  url: Text,
  anchor: Text,
  rel: Text,
  context: Text,
  /** The stored page at that URL; null or absent when there is none. */
  page_id: Type.Optional(nullable(Integer)),
})
const LinkIn = Type.Object({ id: Integer, url: Text, title: Text, anchor: Text })

/** One page in full. Parts that the crawl does not keep are null. */
export const PageInFull = Type.Object({
  ...PageRow.properties,
  crawl: JobId,
  canonical_url: nullable(Text),
  charset: Text,
  /** The text of `<title>` as it is; `title` is without the name of the site. */
  raw_title: Text,
  description: Text,
  keywords: Text,
  author: Text,
  published_at: nullable(Integer),
  /** The day as the page writes it, `2026-01-12`: `published_at` may be on another one in UTC. */
  published_day: nullable(Text),
  content_text: Text,
  /** The main content as Markdown; '' unless the crawl keeps it. */
  markdown: Text,
  html5: Type.Boolean(),
  content_hash: Text,
  fetch_ms: Integer,
  parse_ms: Type.Number(),
  /** What the page says of itself beyond these fields. */
  about: Type.Record(Type.String(), Type.Unknown()),
  importance: nullable(PageImportance),
  has_html: Type.Boolean(),
  links: nullable(Type.Array(LinkOut)),
  images: nullable(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
  tables: nullable(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
  forms: nullable(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
  lists: nullable(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
  scripts: nullable(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
  styles: nullable(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
  /** Taken from the page by the rules of the crawl, by name; null if there are none. */
  fields: nullable(Type.Record(Type.String(), Type.Unknown())),
  /** Stored pages that link here: how many, and the first of them. */
  links_in: Type.Object({ total: Integer, pages: Type.Array(LinkIn) }),
})
export type PageInFull = Static<typeof PageInFull>

/** A row of `urls`. */
const UrlRow = Type.Object({
  position: Integer,
  url: Text,
  host: Text,
  state: Type.Enum([...URL_STATES]),
  reason: Text,
  depth: Integer,
  found_on: nullable(Text),
  priority: Type.Number(),
  tries: Integer,
  next_at: nullable(Integer),
})
export const UrlRows = Type.Object({ urls: Type.Array(UrlRow), next: nullable(Integer) })
export type UrlRows = Static<typeof UrlRows>

/** How many URLs ended for which reason, by its code; most first. */
export const Reasons = Type.Object({
  reasons: Type.Array(
    Type.Object({
      state: Type.Enum([...URL_STATES]),
      code: Text,
      count: Integer,
      /** One URL of them, and its whole reason. */
      example: Type.Object({ url: Text, reason: Text }),
    }),
  ),
})
export type Reasons = Static<typeof Reasons>

/** The story of one URL, as `jelajah explain --json` tells it. */
export const Explained = Type.Record(Type.String(), Type.Unknown())

const PageNode = Type.Object({
  id: Integer,
  url: Text,
  title: Text,
  host: Text,
  depth: Integer,
  hot: Type.Boolean(),
  relevance: nullable(Type.Number()),
  pagerank: Type.Number(),
  in: Integer,
  out: Integer,
})
const Edge = Type.Object({ source: Integer, target: Integer })
export const PageGraph = Type.Object({
  nodes: Type.Array(PageNode),
  edges: Type.Array(Edge),
  /** Counts of the whole crawl, or of the host that was asked for. */
  total_nodes: Integer,
  total_edges: Integer,
})
export type PageGraph = Static<typeof PageGraph>

const SiteNode = Type.Object({
  id: Integer,
  host: Text,
  site: Text,
  pages: Integer,
  hot: Integer,
  /** Mean over its pages; null where no topic judged them. */
  relevance: nullable(Type.Number()),
  /** Sum over its pages. */
  pagerank: Type.Number(),
  in: Integer,
  out: Integer,
})
export const SiteGraph = Type.Object({
  nodes: Type.Array(SiteNode),
  /** `links`: how many links of pages there to pages here. */
  edges: Type.Array(Type.Object({ source: Integer, target: Integer, links: Integer })),
  total_nodes: Integer,
  total_edges: Integer,
})
export type SiteGraph = Static<typeof SiteGraph>

/** A host that a crawl leads to and does not enter. */
export const BeyondHost = Type.Object({
  host: Text,
  site: Text,
  /** Its front page: a seed for another crawl. */
  url: Text,
  /** Stored pages that link there, and hosts that have such pages. */
  pages: Integer,
  hosts: Integer,
  /** The words of a link there; ''. */
  text: Text,
  /** A URL there that is linked to. */
  example: Text,
  /** The hosts with the most linking pages. */
  from: Type.Array(Type.Object({ host: Text, pages: Integer })),
})
export type BeyondHost = Static<typeof BeyondHost>
export const Beyond = Type.Object({
  hosts: Type.Array(BeyondHost),
  /** How many there are. */
  total: Integer,
  /** True if there were too many links or hosts to count them all. */
  cut: Type.Boolean(),
})
export type Beyond = Static<typeof Beyond>

export const Ranked = Type.Object({
  pages: Type.Array(
    Type.Object({ id: Integer, url: Text, title: Text, ...PageImportance.properties }),
  ),
})
export type Ranked = Static<typeof Ranked>

/**
 * How much of the store can be searched: all of it; not the newest changes; nothing yet, though pages are
 * stored; nothing, since nothing is stored.
 */
export const INDEX_STATES = ['ready', 'behind', 'none', 'empty'] as const

const Facet = Type.Array(Type.Object({ value: Text, count: Integer }))
export const SearchResult = Type.Object({
  /** The part of the text that was used; `cut`: there was more. */
  query: Text,
  cut: Type.Boolean(),
  /** Hits that can be paged through. */
  total: Integer,
  /** Pages that match: the hits, and the `others` that are folded into them. */
  pages: Integer,
  /** Of these, the pages that have all words; they come first. */
  whole: Integer,
  /** Another query that finds more, where next to nothing was found. */
  suggestion: nullable(Text),
  /** Words that hardly any page has, and words near them that were searched, too, with about how many pages. */
  typos: Type.Array(
    Type.Object({
      word: Text,
      pages: Integer,
      meant: Type.Array(Type.Object({ word: Text, pages: Integer })),
    }),
  ),
  hits: Type.Array(
    Type.Object({
      id: Integer,
      crawl: JobId,
      url: Text,
      host: Text,
      title: Text,
      /** Plain text. */
      snippet: Text,
      /** Where it matches: [start, end) in UTF-16 units of `title`, of `snippet` and of `url`. */
      title_marks: Type.Array(Type.Array(Integer)),
      snippet_marks: Type.Array(Type.Array(Integer)),
      url_marks: Type.Array(Type.Array(Integer)),
      /** Texts of links to the page with words that it does not have itself. */
      link_texts: Type.Array(Type.Object({ text: Text, marks: Type.Array(Type.Array(Integer)) })),
      score: Type.Number(),
      /** Further matches with nearly the same text, or of the same URL in other crawls. */
      others: Integer,
      language: Text,
      kind: Text,
      hot: Type.Boolean(),
      fetched_at: Integer,
      /** As the page says; null if it does not. */
      published_at: nullable(Integer),
    }),
  ),
  /** How many hits there are of each value. */
  facets: Type.Object({
    hosts: Facet,
    languages: Facet,
    kinds: Facet,
    crawls: Facet,
    topics: Facet,
  }),
  /** Pages stored but not searchable yet. */
  behind: Integer,
  index: Type.Enum([...INDEX_STATES]),
  /** The change of the store up to which pages can be found; `changed_after` finds what came later. */
  cursor: Integer,
})
export type SearchResult = Static<typeof SearchResult>

export const Suggestions = Type.Object({
  query: Text,
  /** The text with its last word completed, the most common first; `pages`: about how many have the word. */
  words: Type.Array(Type.Object({ text: Text, word: Text, pages: Integer })),
  /** Pages whose titles have all the words, the most linked first. */
  titles: Type.Array(
    Type.Object({
      id: Integer,
      crawl: JobId,
      url: Text,
      title: Text,
      title_marks: Type.Array(Type.Array(Integer)),
    }),
  ),
})
export type Suggestions = Static<typeof Suggestions>
