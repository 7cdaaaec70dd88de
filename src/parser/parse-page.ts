// Turns the bytes of a response into a page record and its links. Pure: the same bytes give the
// same record, and nothing is fetched or stored here.
import type { FieldRules } from '../core/field-rules.ts'
import type { NewPage, PageKind, PageParts, PartChoice } from '../core/page.ts'
import { type RobotsDirectives, readRobotsDirectives } from '../core/robots-directives.ts'
import { type CanonicalUrl, canonicalise, createIdentity } from '../core/url.ts'
import { parseMediaType, toUtf8 } from '../lib/decode.ts'
import { decompress } from '../lib/decompress.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import { detectLanguage, pickLanguage } from '../text/language.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { encodeFound } from '../wire/receipt.ts'
import { type About, aboutJson, aboutPage } from './about/about.ts'
import { ContentJudge } from './content/main-content.ts'
import { codeBlock, markdown } from './content/markdown.ts'
import { pageText } from './content/page-text.ts'
import { postAuthors, postsOf } from './content/post-authors.ts'
import type { FieldReader, PageFieldsRead } from './fields/field-reader.ts'
import { type Focus, type FocusResult, resultWithoutFocus } from './focus.ts'
import { HtmlReader, type HtmlReading } from './html/html-reader.ts'
import { addLinksAfterCut } from './html/links-after-cut.ts'
import { judgeType } from './media-type.ts'
import {
  contentHashOf,
  type DecodedBody,
  likenessOf,
  NO_CONTENT,
  type PageContent,
  type PageRow,
  pageFields,
} from './page-fields.ts'
import type { ParseResult } from './parse-result.ts'
import type { ResolvedLinks } from './parts/link-list.ts'
import { LinkResolver } from './parts/link-resolver.ts'
import { type TakenParts, takeParts } from './parts/take-parts.ts'

export type PageParserOptions = {
  /** The job's salt for the hashes of found URLs. */
  readonly salt: number
  /** Query parameters to remove from URLs; none by default. */
  readonly stripParams?: readonly string[]
  readonly parts: readonly PartChoice[]
  readonly keepHtml: boolean
  /** Limit of the decoded body; longer bodies are cut. */
  readonly maxBodyBytes: number
  /**
   * Links are read up to this limit; by default, or when it is the smaller limit, not beyond
   * `maxBodyBytes`.
   */
  readonly maxLinksBytes?: number
  /** For users who inspect one page: a page with noindex is parsed all the same. */
  readonly readsNoindex?: boolean
  /** Also writes the main content as Markdown. */
  readonly markdown?: boolean
  /** Rules for `openFields`. */
  readonly fields?: FieldRules
}

export type PageParser = (head: HandoverHead, body: Uint8Array) => ParseResult

/** The content of a page, and the blocks that are its main content. */
type Chosen = { readonly content: PageContent; readonly chosen: Uint8Array }
const NOTHING_CHOSEN: Chosen = { content: NO_CONTENT, chosen: new Uint8Array(0) }
const NO_LINKS: ResolvedLinks = { rows: [], found: [] }
const NO_PARTS: TakenParts = { parts: {}, cut: [] }
/** Kinds of pages that are written on one day. */
const DATED: ReadonlySet<PageKind> = new Set(['article', 'thread', 'documentation'])
/** A shorter text is not enough to detect its language. */
const MIN_LANGUAGE_CHARACTERS = 200
/** Most decoded bytes per received byte, beyond the limit for text. */
const MAX_RATIO = 200

/** The fields of a page are stored with its parts. */
function withFields(
  { parts, cut }: TakenParts,
  { json, isCut }: PageFieldsRead = { json: null, isCut: false },
): TakenParts {
  return {
    parts: json === null ? parts : { ...parts, fields: json },
    cut: isCut ? [...cut, 'fields'] : cut,
  }
}

/** Creates a parser for one thread; it reuses its buffers from page to page. */
export function createPageParser(
  options: PageParserOptions,
  focus?: Pick<Focus, 'judge'>,
  fields?: FieldReader | null,
): PageParser {
  const parser = new BodyParser(options, focus ?? null, fields ?? null)
  return (head, body) => parser.parse(head, body)
}

/** Takes the fields of pages; null, and nothing of it is loaded, without rules. */
export async function openFields({ fields }: Pick<PageParserOptions, 'fields'>) {
  if (fields === undefined || fields.rules.length === 0) return null
  return new (await import('./fields/field-reader.ts')).FieldReader(fields)
}

class BodyParser {
  readonly #options: PageParserOptions
  readonly #focus: Pick<Focus, 'judge'> | null
  readonly #fields: FieldReader | null
  readonly #reader = new HtmlReader()
  readonly #resolver: LinkResolver
  readonly #judge = new ContentJudge()
  readonly #hashUrl: ReturnType<typeof createUrlHasher>

  constructor(
    options: PageParserOptions,
    focus: Pick<Focus, 'judge'> | null,
    fields: FieldReader | null,
  ) {
    this.#options = options
    this.#focus = focus
    this.#fields = fields
    this.#hashUrl = createUrlHasher(options.salt)
    this.#resolver = new LinkResolver(createIdentity(options.stripParams ?? []))
  }

  parse(head: HandoverHead, wire: Uint8Array): ParseResult {
    const startedAt = performance.now()
    const { maxBodyBytes } = this.#options
    const decoded = decompress(wire, head.contentEncoding, this.#mostBytes(wire))
    if (!decoded.ok) return { outcome: 'failed', reason: `decode: ${decoded.reason}` }
    const isCut = decoded.bytes.byteLength > maxBodyBytes
    const bytes = isCut ? decoded.bytes.subarray(0, maxBodyBytes) : decoded.bytes
    if (!isCut && isSame(head, bytes)) return { outcome: 'same' }
    const declared = parseMediaType(head.contentType)
    const { reading, type } = judgeType(declared.essence, bytes, declared.charset)
    if (reading === null) return refused(`type: ${type}`, resultWithoutFocus([]), 0)
    const body: DecodedBody = {
      ...toUtf8(bytes, declared.charset, reading === 'xhtml'),
      bytes,
      type,
      truncated: head.truncated || decoded.truncated || isCut,
      sizeBytes: bytes.byteLength,
      whole:
        isCut && reading !== 'text'
          ? toUtf8(decoded.bytes, declared.charset, reading === 'xhtml').utf8
          : null,
    }
    if (reading === 'text') return this.#text(head, body, startedAt)
    return this.#html(head, body, startedAt, reading === 'xhtml')
  }

  /** Limit of the decoded size: a body that grows far beyond its received size is no list of links. */
  #mostBytes({ byteLength }: Uint8Array): number {
    const { maxBodyBytes, maxLinksBytes = 0 } = this.#options
    return Math.max(maxBodyBytes, Math.min(maxLinksBytes, MAX_RATIO * byteLength))
  }

  #text(head: HandoverHead, body: DecodedBody, startedAt: number): ParseResult {
    const directives = readRobotsDirectives([], head.robotsTag)
    const text = plainText(body.utf8)
    const noindex = directives.noindex || isPast(directives.unavailableAfter, head)
    const likeness = likenessOf(body.utf8, head.url)
    const read = { ...NO_CONTENT, contentText: text, language: languageOf('', text) }
    const seen = this.#look(head, read, NO_LINKS)
    if (seen.refusal !== null) return refused(seen.refusal, seen, likeness)
    const content = this.#leavesOut(noindex) ? NO_CONTENT : read
    const { contentText } = content
    const markdown = this.#asked(() =>
      body.type === 'text/markdown' ? contentText : codeBlock(contentText),
    )
    const row = { head, body, content, seen, noindex, startedAt, markdown }
    const page = this.#page(row, {}, directives)
    const { judged } = seen
    return { outcome: 'page', page, foundBlock: encodeFound([]), likeness, judged }
  }

  #html(head: HandoverHead, body: DecodedBody, startedAt: number, isXml: boolean): ParseResult {
    const reading = this.#reader.read(body.utf8, { isXml, parts: this.#options.parts })
    const { notes, text } = reading
    if (body.whole !== null) addLinksAfterCut(body.whole, body.utf8.length, reading.links)
    const directives = readRobotsDirectives(notes.robots, head.robotsTag)
    const noindex = directives.noindex || isPast(directives.unavailableAfter, head)
    const resolver = this.#resolver
    resolver.rebase(baseOf(notes.baseHref, head.url))
    const links = reading.links.resolve(resolver, head.url, directives.nofollow, this.#hashUrl)
    const likeness = likenessOf(text.bytes, head.url, reading.likenessOfLong)
    const leftOut = this.#leavesOut(noindex)
    const taken = leftOut
      ? NO_PARTS
      : withFields(
          takeParts({ reading, page: head.url, resolver, links: links.rows }),
          this.#fields?.read({
            url: head.url,
            reading,
            isXml,
            resolve: (href) => resolver.resolve(href),
          }),
        )
    // A page with noindex gives signals for its links, and its content is then dropped.
    const read =
      leftOut && this.#focus === null
        ? NOTHING_CHOSEN
        : this.#content(head, reading, { cut: taken.cut, robots: namesOf(directives) })
    const seen = this.#look(head, read.content, links)
    if (seen.refusal !== null) return refused(seen.refusal, seen, likeness)
    const { content, chosen } = leftOut ? NOTHING_CHOSEN : read
    const whole = { ...body, truncated: body.truncated || reading.outline.cut }
    const written = this.#asked(() =>
      markdown(reading, {
        ...{ title: content.title, chosen, resolver, isXml },
        ...(content.kind === 'thread' ? { posts: postsOf(reading, chosen) } : {}),
      }),
    )
    const row = { head, body: whole, content, seen, noindex, startedAt, markdown: written }
    const page = this.#page(row, taken.parts, directives)
    const foundBlock = encodeFound(seen.found)
    const { judged } = seen
    return { outcome: 'page', page, foundBlock, likeness, judged }
  }

  #look({ url }: HandoverHead, content: PageContent, links: ResolvedLinks): FocusResult {
    if (this.#focus === null) return resultWithoutFocus(links.found)
    return this.#focus.judge({ ...content, url }, links)
  }

  #asked(write: () => string): string {
    return this.#options.markdown === true ? write() : ''
  }

  #leavesOut(noindex: boolean): boolean {
    return noindex && this.#options.readsNoindex !== true
  }

  /** Metadata, kind and text of the page. */
  #content(head: HandoverHead, reading: HtmlReading, more: Record<string, unknown>): Chosen {
    const { notes } = reading
    const resolve = (href: string) => this.#resolver.resolve(href)
    const { url, fetchedAt } = head
    const said = aboutPage({ ...reading, url, fetchedAt, resolve })
    const { title, description, keywords, author, jsonLdTypes, generator } = said
    const openGraphType = said.openGraph.type ?? ''
    const main = this.#judge.judge(reading, title, {
      url,
      openGraphType,
      jsonLdTypes,
      generator,
    })
    const about = DATED.has(main.kind) ? said : withoutShownDate(said)
    const contentText = pageText(reading, main.chosen)
    const content = {
      canonicalUrl: notes.canonicalHref === '' ? null : this.#resolver.page(notes.canonicalHref),
      ...{ title, description, keywords, author },
      publishedAt: about.publishedAt,
      language: languageOf(about.language, contentText, [title, description]),
      html5: notes.html5,
      contentText,
      kind: main.kind,
      about: aboutJson(about, {
        kind_confidence: Math.round(100 * main.confidence) / 100,
        other_links: reading.links.others,
        post_authors: main.kind === 'thread' ? postAuthors(reading, main.chosen) : [],
        ...more,
      }),
    }
    return { content, chosen: main.chosen }
  }

  #page(row: PageRow, parts: PageParts, { noarchive }: RobotsDirectives): NewPage {
    const keepsHtml = this.#options.keepHtml && !noarchive && !row.noindex
    // A copy, so that it can leave this thread without the buffer it lies in.
    const html = keepsHtml ? new Uint8Array(row.body.bytes) : null
    return { fields: pageFields(row), parts, html }
  }
}

/** A date shown on a listing or a front page belongs to one of its entries. */
function withoutShownDate(about: About): About {
  return about.publishedDeclared ? about : { ...about, publishedAt: null, publishedDay: '' }
}

/** The robots directives other than noindex, which has a column. */
function namesOf(directives: RobotsDirectives): string[] {
  const asked = ['nofollow', 'noarchive', 'nosnippet', 'noimageindex'] as const
  return asked.filter((name) => directives[name])
}

function languageOf(declared: string, text: string, around: readonly string[] = []): string {
  const isShort = text.length < MIN_LANGUAGE_CHARACTERS
  return pickLanguage(declared, detectLanguage(isShort ? [...around, text].join(' ') : text))
}

/** The base of relative links: only the first `<base>` counts, and only if it is http(s). */
function baseOf(href: string | null, url: CanonicalUrl): CanonicalUrl {
  return href === null ? url : (canonicalise(href, url) ?? url)
}

/** Whether these bytes are already stored; robots directives in the header may be new, though. */
function isSame({ again, robotsTag }: HandoverHead, bytes: Uint8Array): boolean {
  if (again === undefined || again.contentHash === '' || robotsTag.length > 0) return false
  return again.contentHash === contentHashOf(bytes)
}

function isPast(moment: number | null, { fetchedAt }: HandoverHead): boolean {
  return moment !== null && moment <= fetchedAt
}

function refused(
  reason: string,
  { found, judged, relevance }: FocusResult,
  likeness: number,
): ParseResult {
  const foundBlock = encodeFound(found)
  return { outcome: 'refused', reason, foundBlock, likeness, judged, relevance }
}

/** Line ends of all kinds and invisible characters, which are not stored. */
const ODD = /\r\n?|[\0-\x08\x0b\f\x0e-\x1f\x7f-\x9f\u2028\u2029]/g
const LINE_ENDS = new Set(['\r', '\r\n', '\v', '\f', '\x85', '\u2028', '\u2029'])

/** The stored form of a plain text body: with plain line ends and without control characters. */
export function plainText(utf8: Buffer): string {
  return utf8.toString('utf8').replace(ODD, (odd) => (LINE_ENDS.has(odd) ? '\n' : ''))
}
