// Notes taken from `<html>`, `<meta>`, `<link>`, `<base>` and JSON-LD while the page is read.
// about.ts evaluates them afterwards.
import { isRobotsMeta, type RobotsTag } from '../../core/robots-directives.ts'
import { ATTRIBUTE } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import { truncate } from '../html/text-sink.ts'
import { MAX_REFRESH_SECONDS, parseRefresh, REFRESH } from '../parts/link-list.ts'
import { collapseWhiteSpace } from './clean-text.ts'

const MAX_META = 2048
const MAX_REL = 200
const MAX_TAGS = 32
const MAX_FEEDS = 8
const MAX_LD_TEXTS = 24
/** Limits of one text and of all; more is a catalogue, not a description. */
const MAX_LD_BYTES = 384 * 1024
const HTML_TYPES = new Set(['', 'text/html', 'application/xhtml+xml'])
const FEED_TYPES = new Set([
  'application/rss+xml',
  'application/atom+xml',
  'application/rdf+xml',
  'application/feed+json',
])
/** Roughly a BCP 47 language tag: `id`, `en-us`, `zh-hant-tw`. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}$/

/** Prefix of the name of a `<meta>` that has an itemprop instead. */
export const ITEMPROP = 'itemprop:'

export type Feed = {
  /** As written in the notes, absolute in About. */
  readonly url: string
  readonly title: string
  readonly type: string
}

/** A `<meta>`: the name in lower case, the content with white space collapsed. */
export type Meta = readonly [name: string, content: string]

export class PageNotes {
  title = ''
  description = ''
  keywords = ''
  language = ''
  html5 = false
  /** The first rel=canonical in the head, as written. */
  canonicalHref = ''
  /** The first `<base>` with a href, as written; null without one. */
  baseHref: string | null = null
  /** Targets of meta refresh and of rel=next, prev and alternate: href and rel. */
  readonly links: (readonly [href: string, rel: string])[] = []
  readonly robots: RobotsTag[] = []
  readonly feeds: Feed[] = []
  readonly ldTexts: string[] = []
  readonly #metas = new Map<MetaUse, Meta[]>()
  #metaLanguage = ''
  #ldBytes = 0

  /** All with one use and some content, in page order. */
  metas(use: MetaUse): readonly Meta[] {
    return this.#metas.get(use) ?? []
  }

  takeHtml(tag: HtmlScanner): void {
    if (this.language !== '') return
    const value = tag.value(ATTRIBUTE.lang) || tag.value(ATTRIBUTE['xml:lang'])
    this.language = languageTag(value)
  }

  takeBase(tag: HtmlScanner): void {
    if (tag.has(ATTRIBUTE.href)) this.baseHref ??= tag.value(ATTRIBUTE.href)
  }

  takeMeta(tag: HtmlScanner): void {
    if (!tag.has(ATTRIBUTE.content)) return
    const pragma = tag.has(ATTRIBUTE['http-equiv'])
      ? tag.value(ATTRIBUTE['http-equiv']).trim().toLowerCase()
      : ''
    if (pragma !== '') this.#takePragma(pragma, tag)
    const name = tag.value(ATTRIBUTE.name) || tag.value(ATTRIBUTE.property)
    if (name !== '' && name.length < 64) this.#takeNamed(name.trim().toLowerCase(), tag)
    else if (tag.has(ATTRIBUTE.itemprop)) this.#takeItemprop(tag)
  }

  takeLink(tag: HtmlScanner, inHead: boolean): void {
    if (!tag.has(ATTRIBUTE.rel) || !tag.has(ATTRIBUTE.href)) return
    const rel = relOf(tag)
    const tokens = rel.split(' ')
    if (tokens.includes('canonical')) {
      // In the body it may come from a user: a comment, a forum post.
      if (inHead && this.canonicalHref === '') this.canonicalHref = tag.value(ATTRIBUTE.href)
    } else if (leadsToPage(tokens, tag)) {
      this.#addLink(tag.value(ATTRIBUTE.href), rel)
    } else if (tokens.includes('alternate')) {
      this.#takeFeed(tag)
    }
  }

  /** The text of a script between two offsets of the page. */
  takeScript(tag: HtmlScanner, from: number, to: number): void {
    if (!tag.has(ATTRIBUTE.type) || this.ldTexts.length === MAX_LD_TEXTS) return
    if (!isJsonLd(tag.value(ATTRIBUTE.type))) return
    this.#ldBytes += to - from
    if (this.#ldBytes <= MAX_LD_BYTES) this.ldTexts.push(tag.slice(from, to))
  }

  /** After the whole page was read: uses the second-best sources. */
  finish(): void {
    this.description = this.#best('description', 'description')
    this.keywords = this.#best('keywords', 'keywords')
    if (this.language === '') this.language = this.#metaLanguage || this.#localeLanguage()
  }

  #best(use: MetaUse, name: string): string {
    const metas = this.metas(use)
    return (metas.find((meta) => meta[0] === name) ?? metas[0])?.[1] ?? ''
  }

  #localeLanguage(): string {
    const locale = this.metas('openGraph').find(([name]) => name === 'og:locale')
    return languageTag(locale?.[1] ?? '')
  }

  #takePragma(pragma: string, tag: HtmlScanner): void {
    const content = tag.value(ATTRIBUTE.content)
    if (pragma === 'content-language' && this.#metaLanguage === '') {
      this.#metaLanguage = languageTag(content.slice(0, 64).split(',')[0] ?? '')
    } else if (pragma === 'refresh') {
      const refresh = parseRefresh(content)
      if (refresh !== null && refresh.delaySeconds <= MAX_REFRESH_SECONDS) {
        this.#addLink(refresh.href, REFRESH)
      }
    }
  }

  #takeNamed(name: string, tag: HtmlScanner): void {
    const use = metaUse(name)
    if (use !== null) this.#addMeta(use, name, tag)
    else if (isRobotsMeta(name) && this.robots.length < MAX_TAGS) {
      this.robots.push({ name, content: contentOf(tag) })
    }
  }

  /** Microdata describes the element it is in, so the prefix keeps it apart. */
  #takeItemprop(tag: HtmlScanner): void {
    const name = tag.value(ATTRIBUTE.itemprop).slice(0, 64).trim().toLowerCase()
    const use = metaUse(name)
    if (use === 'published' || use === 'modified' || use === 'author') {
      this.#addMeta(use, ITEMPROP + name, tag)
    }
  }

  #addMeta(use: MetaUse, name: string, tag: HtmlScanner): void {
    const metas = this.#metas.get(use)
    if (metas !== undefined && metas.length >= MAX_TAGS) return
    const content = contentOf(tag)
    if (content === '') return
    if (metas === undefined) this.#metas.set(use, [[name, content]])
    else metas.push([name, content])
  }

  #takeFeed(tag: HtmlScanner): void {
    const type = tag.value(ATTRIBUTE.type).trim().toLowerCase()
    if (!FEED_TYPES.has(type) || this.feeds.length === MAX_FEEDS) return
    const title = truncate(
      collapseWhiteSpace(truncate(tag.value(ATTRIBUTE.title), MAX_REL * 4)),
      MAX_REL,
    )
    this.feeds.push({ url: tag.value(ATTRIBUTE.href), title, type })
  }

  #addLink(href: string, rel: string): void {
    if (this.links.length < 4 * MAX_TAGS) this.links.push([href, rel])
  }
}

/** The tag's rel tokens, lower case, separated by one space. */
export function relOf(tag: HtmlScanner): string {
  if (!tag.has(ATTRIBUTE.rel)) return ''
  return collapseWhiteSpace(truncate(tag.value(ATTRIBUTE.rel), MAX_REL)).toLowerCase()
}

function contentOf(tag: HtmlScanner): string {
  return truncate(
    collapseWhiteSpace(truncate(tag.value(ATTRIBUTE.content), 4 * MAX_META)),
    MAX_META,
  )
}

function leadsToPage(tokens: readonly string[], tag: HtmlScanner): boolean {
  if (tokens.includes('next') || tokens.includes('prev')) return true
  if (!tokens.includes('alternate') || tokens.includes('stylesheet')) return false
  return HTML_TYPES.has(tag.value(ATTRIBUTE.type).trim().toLowerCase())
}

function isJsonLd(type: string): boolean {
  return /^\s*application\/ld\+json\s*(?:;|$)/i.test(type)
}

function languageTag(value: string): string {
  const tag = value.trim().toLowerCase().replaceAll('_', '-')
  return LANGUAGE.test(tag) ? tag : ''
}

type MetaUse =
  | 'description'
  | 'keywords'
  | 'tag'
  | 'author'
  | 'published'
  | 'modified'
  | 'date'
  | 'openGraph'
  | 'generator'
  | 'label'

const USES = new Map<string, MetaUse>()
const add = (use: MetaUse, names: string): void => {
  for (const name of names.split(' ')) USES.set(name, use)
}
add('description', 'description og:description twitter:description dc.description')
add('description', 'dcterms.description sailthru.description')
add('keywords', 'keywords news_keywords')
add('tag', 'article:tag')
add('author', 'author article:author article:author_name og:article:author og:author byl')
add('author', 'parsely-author sailthru.author dc.creator dc:creator dcterms.creator creator')
add('author', 'citation_author cxenseparse:author shareaholic:article_author_name')
add('date', 'date dc.date dcterms.date dc:date sailthru.date citation_date')
add('date', 'citation_publication_date article.date')
add('openGraph', 'og:title og:type og:image og:url og:site_name og:locale twitter:title')
add('openGraph', 'twitter:image twitter:card application-name')
add('generator', 'generator')
add('label', 'twitter:label1 twitter:data1 twitter:label2 twitter:data2')

/** The most reliable names first; the others follow in page order. */
export const AUTHOR_ORDER: readonly string[] = [
  'author',
  'parsely-author',
  'sailthru.author',
  'article:author_name',
  'article:author',
]

const MODIFIED = /modif|updat|lastmod/
const PUBLISHED = /publi(?!sher)|pubdate|issued|created|release_?date|upload_?date/
const NO_DAY = /expir|publisher|render|timestamp|config/

/**
 * The use of a `<meta>` name in lower case; null when it is not needed. Many systems invent names; names of
 * dates are recognised by the words in them.
 */
function metaUse(name: string): MetaUse | null {
  const use = USES.get(name)
  if (use !== undefined) return use
  if (!/dat|time|publi|modif|creat|issued/.test(name) || NO_DAY.test(name)) return null
  if (MODIFIED.test(name)) return 'modified'
  return PUBLISHED.test(name) ? 'published' : null
}
