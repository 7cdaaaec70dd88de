// A parsed page as people and programs see it: its fields, its main text, its parts. Whatever field or
// part the parser adds is shown without a change here.
import { aboutObject, type NewPage, PARTS, type PageFields, type Part } from '../../core/page.ts'
import { type PartRow, partRows } from '../../core/part-columns.ts'
import { hostOf, siteOf } from '../../core/url.ts'
import { showBytes, showNumber } from '../../lib/format.ts'
import { jsonLine, snakeCased } from '../../lib/json-line.ts'
import { fit, safeLines, safeText } from '../../lib/terminal.ts'
import { PLAIN, type Style } from '../style.ts'
import { aboutLines, type FactLine, factText, publishedText, spoken } from './print-about.ts'
import { partText } from './print-part.ts'

export type PageView = {
  readonly page: NewPage
  /** The URLs that led to it, with their statuses. */
  readonly redirects: readonly { readonly url: string; readonly status: number }[]
  /** It came from a file without an address of its own. */
  readonly addressAssumed: boolean
  /** Null when nobody asked for it. */
  readonly markdown: string | null
}

/** One object: the columns of `pages` that the parser fills, then all that belongs to the page. */
export function parsedJson({ page, redirects, markdown }: PageView): string {
  const { about: _, ...fields }: Readonly<Record<string, unknown>> = { ...page.fields }
  const parts = PARTS.flatMap((part) => {
    const json = page.parts[part]
    return json === undefined ? [] : [[part, partRows(part, json)]]
  })
  const about = aboutOf(page)
  return jsonLine({
    ...fields,
    publishedDay: about.published_day ?? null,
    ...(markdown === null ? {} : { contentMarkdown: markdown }),
    about,
    redirects,
    parts: Object.fromEntries(parts),
  })
}

/** The page for a terminal; `listed` are the parts shown row by row. */
export function pageText(view: PageView, listed: readonly Part[], style: Style = PLAIN): string {
  const { fields, parts } = view.page
  const lines = headLines(view)
    .filter(([, value]) => value !== '')
    .map(
      ([name, value]) => [fit(safeText(name), MAX_NAME), fit(safeText(value), MAX_VALUE)] as const,
    )
  const widest = Math.max(...lines.map(([name]) => name.length))
  const text = safeLines(fields.contentText).trim()
  const sections = listed.flatMap((part) => {
    const json = parts[part]
    return json === undefined ? [] : [partText(part, partRows(part, json), siteIn(fields), style)]
  })
  return [
    style.bold(safeText(fields.title) || '(no title)'),
    safeText(fields.url),
    '',
    ...lines.map(([name, value]) => `  ${style.dim(name.padEnd(widest))}  ${value}`),
    '',
    text === '' ? style.dim('(no text)') : text,
    '',
    ...sections.filter((section) => section !== ''),
  ].join('\n')
}

const MAX_NAME = 30
const MAX_VALUE = 2000

/** Shown in a place of their own, or of no use for one page alone. */
const PLACED: ReadonlySet<string> = new Set<keyof PageFields | 'about'>([
  'url',
  'title',
  'kind',
  'language',
  'author',
  'publishedAt',
  'description',
  'keywords',
  'canonicalUrl',
  'contentType',
  'charset',
  'sizeBytes',
  'html5',
  'truncated',
  'noindex',
  'contentText',
  'statusCode',
  'hot',
  'relevance',
  'depth',
  'contentHash',
  'fetchedAt',
  'fetchMs',
  'parseMs',
  'etag',
  'lastModified',
  'about',
])

function headLines(view: PageView): FactLine[] {
  const { page, redirects, addressAssumed } = view
  const { fields } = page
  const { canonicalUrl } = fields
  const others = Object.entries(fields).filter(([name]) => !PLACED.has(name))
  const about = aboutOf(page)
  return [
    ['address', addressAssumed ? `made up; --url ${canonicalUrl ?? 'URL'} gives the true one` : ''],
    ['redirected', redirects.map(({ url, status }) => `${status} from ${url}`).join(', ')],
    ['canonical', canonicalUrl === fields.url ? '' : (canonicalUrl ?? '')],
    ['kind', fields.kind],
    ['language', fields.language],
    ['author', fields.author],
    ['published', publishedText(fields, about)],
    ['description', fields.description],
    ['keywords', fields.keywords],
    ...others.map(([name, value]): FactLine => [spoken(name), factText(value)]),
    ...aboutLines(about, fields),
    ['type', typeText(fields)],
    ['flags', flagsText(fields)],
    ['text', showNumber(fields.contentText.length, 'character')],
    ['parts', partsText(page)],
    ['parsed in', `${fields.parseMs.toFixed(1)} ms, without warming up`],
  ]
}

function typeText({ contentType, charset, sizeBytes, html5 }: PageFields): string {
  return `${contentType}, ${charset}, ${showBytes(sizeBytes)}${html5 ? ', HTML5' : ''}`
}

function flagsText({ truncated, noindex }: PageFields): string {
  return [
    ...(truncated ? ['truncated (cut at --max-body, or larger than is read of one page)'] : []),
    ...(noindex ? ['noindex (a crawl keeps no text of it)'] : []),
  ].join(', ')
}

function partsText({ parts }: NewPage): string {
  const counts = PARTS.flatMap((part) => {
    const json = parts[part]
    const count = json === undefined ? 0 : partRows(part, json).length
    return count === 0 ? [] : [showNumber(count, part.slice(0, -1), part)]
  })
  return counts.join(', ')
}

function siteIn({ url }: PageFields): string {
  return siteOf(hostOf(url))
}

/** What the parser learned beyond the columns of `pages`; empty when it says nothing. */
function aboutOf({ fields }: NewPage): PartRow {
  return snakeCased(aboutObject(fields.about))
}
