// Metadata of a page: title, description, author, dates, site, feeds. Declared facts come from the
// notes taken while the page was read (page-notes.ts, json-ld.ts); the others are looked for around
// the heading (surroundings.ts). Nothing here judges the content, and nothing is invented: a
// missing fact is '' or null.
import { isFrontPage } from '../content/page-kinds.ts'
import { truncate } from '../html/text-sink.ts'
import { withoutMarkup } from './clean-text.ts'
import { type JsonLd, type JsonLdProduct, readJsonLd } from './json-ld.ts'
import { type AuthorSources, authorOf } from './page-author.ts'
import { type DateSources, datesOf } from './page-dates.ts'
import { AUTHOR_ORDER, type Feed, ITEMPROP, type Meta, type PageNotes } from './page-notes.ts'
import { type Heading, headingOf, openingOf, titleOf } from './page-title.ts'
import { headingsOf, LazySurroundings, type ReadPage, titleLineAt } from './surroundings.ts'
import { isMonthFirst } from './written-date.ts'

export type About = {
  readonly title: string
  /** The text of `<title>` as it is, in one line; '' without one. */
  readonly rawTitle: string
  readonly description: string
  readonly keywords: string
  /** Names, joined by a comma. */
  readonly author: string
  /** Epoch milliseconds; midnight in UTC for a day without a time. */
  readonly publishedAt: number | null
  /** Declared for programs, not only found in the text, so it holds for any kind of page. */
  readonly publishedDeclared: boolean
  /** The day as the page writes it, `2026-01-12`: in UTC the moment may be on another day. */
  readonly publishedDay: string
  readonly modifiedAt: number | null
  /** The declared language, in lower case. */
  readonly language: string
  readonly siteName: string
  readonly generator: string
  readonly openGraph: OpenGraph
  readonly jsonLdTypes: readonly string[]
  readonly product: JsonLdProduct | null
  readonly feeds: readonly Feed[]
}

type AboutSources = ReadPage & {
  readonly notes: PageNotes
  readonly url: string
  readonly fetchedAt: number
  /** Returns an absolute URL; null when there is none. */
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
  const titleTag = withoutMarkup(notes.title)
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
    rawTitle: notes.title,
    description: withoutMarkup(notes.description || ld.description),
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

type TitleFacts = {
  readonly titleTag: string
  readonly heading: Heading | null
  readonly siteName: string
  readonly host: string
}

/** Facts that a page may declare or only show. */
function shownFacts(
  sources: AboutSources,
  ld: JsonLd,
  { titleTag, heading, siteName, host }: TitleFacts,
): Pick<About, 'author' | 'publishedAt' | 'publishedDeclared' | 'publishedDay' | 'modifiedAt'> {
  const { notes, url, fetchedAt } = sources
  const headingAt = heading?.at ?? titleLineAt(sources, openingOf(titleTag))
  const surroundings = new LazySurroundings(sources, headingAt)
  const { published, modified, declared } = datesOf({
    ...declaredDates(notes),
    ldPublished: ld.published,
    ldModified: ld.modified,
    monthFirst: isMonthFirst(notes.language, host),
    url,
    fetchedAt,
    surroundings,
    headingAt,
  })
  const authors = { ...declaredAuthors(notes), ldAuthors: ld.authors }
  return {
    author: authorOf({ ...authors, siteName, host, surroundings, headingAt }),
    publishedAt: published?.at ?? null,
    publishedDeclared: declared,
    publishedDay: published === null ? '' : dayOf(published.dayAt),
    modifiedAt: modified?.at ?? null,
  }
}

/**
 * JSON for the column `about`: facts without a column of their own, and `more`. Empty values are left out.
 */
export function aboutJson(about: About, more: Readonly<Record<string, unknown>> = {}): string {
  const facts = {
    published_day: about.publishedDay,
    raw_title: about.rawTitle,
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
  return JSON.stringify(withoutEmpty(facts))
}

/** A copy without the empty values at any depth; in a list they become null. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.map((entry) => (isEmpty(entry) ? null : withoutEmpty(entry)))
  }
  const kept: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(value)) {
    if (!isEmpty(entry)) kept[name] = withoutEmpty(entry)
  }
  return kept
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

/** By name without `og:`; values of a Twitter card fill in missing ones. */
type OpenGraph = Readonly<Record<string, string>>

const MAX_VALUE = 1024
const MAX_TAGS = 24
const PREFIX = /^(?:og|twitter):/
/** Labels of a Twitter card whose value is the author. */
const WRITTEN_BY =
  /written|author|\bby\b|verfasst|geschrieben|\bvon\b|ditulis|oleh|escrit|écrit|auteur|autor|scritto|geschreven|yazan|автор/i

function openGraphOf(notes: PageNotes): OpenGraph {
  const graph: Record<string, string> = {}
  const metas = notes.metas('openGraph')
  for (const [name, content] of metas) if (name.startsWith('og:')) put(graph, name, content)
  for (const [name, content] of metas) if (!name.startsWith('og:')) put(graph, name, content)
  return graph
}

function put(graph: Record<string, string>, name: string, content: string): void {
  graph[name.replace(PREFIX, '')] ??= truncate(withoutMarkup(content), MAX_VALUE)
}

type DeclaredDates = Pick<
  DateSources,
  'metaPublished' | 'metaModified' | 'metaDates' | 'itemPublished' | 'itemModified'
>

function declaredDates(notes: PageNotes): DeclaredDates {
  const published = notes.metas('published')
  const modified = notes.metas('modified')
  return {
    metaPublished: contents(published, false),
    metaModified: contents(modified, false),
    metaDates: contents(notes.metas('date'), false),
    itemPublished: contents(published, true),
    itemModified: contents(modified, true),
  }
}

/** Several values of one name are several authors. */
function declaredAuthors(notes: PageNotes): Pick<AuthorSources, 'metaAuthors' | 'itemAuthors'> {
  const byName = new Map<string, string>()
  for (const name of AUTHOR_ORDER) byName.set(name, '')
  const metas = notes.metas('author')
  for (const [name, content] of metas) {
    if (name.startsWith(ITEMPROP)) continue
    const others = byName.get(name) ?? ''
    byName.set(name, others === '' ? content : `${others}, ${content}`)
  }
  return {
    metaAuthors: [...byName.values(), ...labelled(notes)].map(withoutMarkup),
    itemAuthors: contents(metas, true).map(withoutMarkup),
  }
}

/** `twitter:label1` names the meaning of `twitter:data1`. */
function labelled(notes: PageNotes): readonly string[] {
  const labels = new Map(notes.metas('label'))
  const names: string[] = []
  for (const number of ['1', '2']) {
    const label = labels.get(`twitter:label${number}`) ?? ''
    if (WRITTEN_BY.test(label)) names.push(labels.get(`twitter:data${number}`) ?? '')
  }
  return names
}

function keywordsOf(notes: PageNotes): string {
  if (notes.keywords !== '') return withoutMarkup(notes.keywords)
  const tags = new Set(notes.metas('tag').map(([, content]) => withoutMarkup(content)))
  return [...tags].slice(0, MAX_TAGS).join(', ')
}

function contents(metas: readonly Meta[], byItemprop: boolean): readonly string[] {
  return metas
    .filter(([name]) => name.startsWith(ITEMPROP) === byItemprop)
    .map(([, content]) => content)
}
