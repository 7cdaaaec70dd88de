// What a page says about itself: title, description, author, dates, site, feeds. Declared facts come
// from the notes that were taken while the page was read (page-notes.ts, json-ld.ts); what is not
// declared is looked for around the heading (surroundings.ts). Nothing here judges the content, and
// nothing is made up: what a page does not say is '' or null.

import { isFrontPage } from '../front-page.ts'
import { isMonthFirst } from './date-habits.ts'
import {
  declaredAuthors,
  declaredDates,
  keywordsOf,
  type OpenGraph,
  openGraphOf,
} from './declared.ts'
import { type JsonLd, type JsonLdProduct, readJsonLd } from './json-ld.ts'
import { authorOf } from './page-author.ts'
import { datesOf } from './page-dates.ts'
import type { Feed, PageNotes } from './page-notes.ts'
import { type Heading, headingOf, openingOf, titleOf } from './page-title.ts'
import { headingsOf, LazyPlaces, type Reading, titleLineAt } from './surroundings.ts'
import { plain } from './tidied.ts'

export type About = {
  readonly title: string
  readonly description: string
  readonly keywords: string
  /** Names, joined by a comma. */
  readonly author: string
  /** Epoch milliseconds; of a day without a time its midnight in UTC. */
  readonly publishedAt: number | null
  /** Said to programs, not only seen in the text: then it holds for any kind of page. */
  readonly publishedDeclared: boolean
  /** The same day as the page writes it, `2026-01-12`: a moment may be on another one in UTC. */
  readonly publishedDay: string
  readonly modifiedAt: number | null
  /** The language the page declares, in lower case. */
  readonly language: string
  readonly siteName: string
  readonly generator: string
  readonly openGraph: OpenGraph
  readonly jsonLdTypes: readonly string[]
  readonly product: JsonLdProduct | null
  readonly feeds: readonly Feed[]
}

export type AboutSources = Reading & {
  readonly notes: PageNotes
  readonly url: string
  readonly fetchedAt: number
  /** An absolute URL; null when it leads nowhere. */
  readonly resolve: (href: string) => string | null
}

const MAX_LANGUAGE = 35
/** Types of JSON-LD: `NewsArticle`, `BlogPosting`. */
const ARTICLE = /Article$|BlogPosting$/

export function aboutPage(sources: AboutSources): About {
  const { notes } = sources
  const ld = readJsonLd(notes.ldTexts, sources.url)
  const openGraph = openGraphOf(notes)
  const host = hostOf(sources.url)
  const siteName = openGraph.site_name || ld.publisher
  const titleTag = plain(notes.title)
  const headings = headingsOf(sources)
  const heading = headingOf(headings, titleTag, openGraph.title ?? '')
  return {
    title:
      titleOf({
        titleTag,
        ogTitle: openGraph.title ?? '',
        heading: heading?.text ?? '',
        isOnlyHeading: headings.filter(({ level }) => level === 1).length < 2,
        isTopHeading: heading?.level === 1,
        headline: ld.headline,
        isArticle: openGraph.type === 'article' || ld.types.some((type) => ARTICLE.test(type)),
        siteName,
        host,
        isFrontPage: isFrontPage(sources.url),
      }) || ld.headline,
    description: plain(notes.description || ld.description),
    keywords: keywordsOf(notes) || ld.keywords,
    ...shownFacts(sources, ld, { titleTag, heading, siteName, host }),
    language: notes.language || ld.language.toLowerCase().slice(0, MAX_LANGUAGE),
    siteName,
    generator: notes.metas('generator')[0]?.[1] ?? '',
    openGraph,
    jsonLdTypes: ld.types,
    product: ld.product,
    feeds: feedsOf(sources),
  }
}

type Place = {
  readonly titleTag: string
  readonly heading: Heading | null
  readonly siteName: string
  readonly host: string
}

/** What a page may declare or only show. */
function shownFacts(
  sources: AboutSources,
  ld: JsonLd,
  { titleTag, heading, siteName, host }: Place,
): Pick<About, 'author' | 'publishedAt' | 'publishedDeclared' | 'publishedDay' | 'modifiedAt'> {
  const { notes, url, fetchedAt } = sources
  const headingAt = heading?.at ?? titleLineAt(sources, openingOf(titleTag))
  const places = new LazyPlaces(sources, headingAt)
  const { published, modified, declared } = datesOf({
    ...declaredDates(notes),
    ldPublished: ld.published,
    ldModified: ld.modified,
    monthFirst: isMonthFirst(notes.language, host),
    url,
    fetchedAt,
    places,
    headingAt,
  })
  const authors = { ...declaredAuthors(notes), ldAuthors: ld.authors }
  return {
    author: authorOf({ ...authors, siteName, host, places, headingAt }),
    publishedAt: published?.at ?? null,
    publishedDeclared: declared,
    publishedDay: published === null ? '' : dayOf(published.dayAt),
    modifiedAt: modified?.at ?? null,
  }
}

/** For the column `about`: what has no column of its own, and more; what is empty is left out. */
export function aboutJson(about: About, more: Readonly<Record<string, unknown>> = {}): string {
  const facts = {
    published_day: about.publishedDay,
    modified_at: about.modifiedAt,
    site_name: about.siteName,
    open_graph: about.openGraph,
    json_ld_types: about.jsonLdTypes,
    product: about.product,
    feeds: about.feeds,
    generator: about.generator,
    declared_language: about.language,
    ...more,
  }
  return JSON.stringify(facts, (_, value) => (isEmpty(value) ? undefined : value))
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === null) return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value ?? {}).length === 0
}

function feedsOf({ notes, resolve }: AboutSources): readonly Feed[] {
  const feeds: Feed[] = []
  for (const feed of notes.feeds) {
    const url = resolve(feed.url)
    if (url !== null) feeds.push({ ...feed, url })
  }
  return feeds
}

function dayOf(dayAt: number): string {
  return new Date(dayAt).toISOString().slice(0, 10)
}

function hostOf(url: string): string {
  return /^https?:\/\/(?:[^/?#]*@)?([^/?#:]+)/.exec(url)?.[1] ?? ''
}
