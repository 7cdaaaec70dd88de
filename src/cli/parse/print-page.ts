// A parsed page as people and programs see it: its fields, its main text, its parts. Whatever field or
// part the parser adds is shown without a change here.
import { fieldRows, fieldsObject } from '../../core/field-rules.ts'
import {
  aboutObject,
  type NewPage,
  PARTS,
  type PageFields,
  type Part,
  type PartRow,
  partRows,
} from '../../core/page.ts'
import { canonicalise, hostOf, siteOf } from '../../core/url.ts'
import { showBytes, showCount, showNumber, showTime } from '../../lib/format.ts'
import { jsonLine, snakeCased } from '../../lib/json-line.ts'
import { fit, safeLines, safeText } from '../../lib/terminal.ts'
import { PLAIN, type Style } from '../table.ts'

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
  const {
    about: _,
    markdown: _again,
    ...fields
  }: Readonly<Record<string, unknown>> = { ...page.fields }
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
    ...(page.parts.fields && { fields: fieldsObject(page.parts.fields) }),
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
    ...fieldLines(view.page, style),
    text === '' ? style.dim('(no text)') : text,
    '',
    ...sections.filter((section) => section !== ''),
  ].join('\n')
}

/** A line for each value of the fields, before the text. */
function fieldLines({ parts }: NewPage, style: Style): readonly string[] {
  const rows = parts.fields === undefined ? [] : fieldRows(parts.fields)
  if (rows.length === 0) return []
  const widest = Math.max(...rows.map(({ name }) => name.length))
  const lines = rows.flatMap(({ name, value, many }) =>
    (many && Array.isArray(value) ? value : [value]).map((one: unknown, at) => {
      const text = typeof one === 'string' ? one : JSON.stringify(one)
      const label = at === 0 ? name.padEnd(widest) : ' '.repeat(widest)
      return `  ${style.dim(label)}  ${fit(safeText(text), MAX_FIELD)}`
    }),
  )
  return [style.bold('fields'), ...lines, '']
}

const MAX_FIELD = 200
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
  'markdown',
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

type FactLine = readonly [name: string, value: string]

/** A fact for itself, else its general form; '' when another line says it already. */
type Show = (value: unknown, about: PartRow, fields: PageFields) => string

const FORMS: Readonly<Record<string, Show>> = {
  published_day: () => '',
  raw_title: (value, _about, { title }) => (value === title ? '' : factText(value)),
  open_graph: (value, about, fields) => factText(withoutKnown(value, about, fields)),
  feeds: (value) => listOf(value).map(feedText).join(', '),
}

export function aboutLines(about: PartRow, fields: PageFields): FactLine[] {
  return Object.entries(about).map(([name, value]) => {
    const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined
    const text = form === undefined ? timedText(name, value) : form(value, about, fields)
    return [spoken(name.replace(TIME, '')), text]
  })
}

/** The day it was published, in the page's own time zone, and the moment where it gives one. */
export function publishedText(
  { publishedAt }: PageFields,
  { published_day: day }: PartRow,
): string {
  if (publishedAt === null) return ''
  const shown = showTime(publishedAt)
  if (typeof day !== 'string') return shown
  return publishedAt % DAY_MS === 0 ? day : `${day} (${shown})`
}

/** `contentHash` and `content_hash` as people say them. */
function spoken(name: string): string {
  return name.replaceAll(/_|(?=[A-Z])/g, ' ').toLowerCase()
}

/** '' for what is not there. */
function factText(value: unknown): string {
  if (value === null || value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map(factText).filter(Boolean).join(', ')
  if (typeof value === 'number') return Number.isInteger(value) ? showCount(value) : String(value)
  return typeof value === 'object' ? namedText(value) : String(value)
}

const DAY_MS = 86_400_000
/** Names of moments in epoch milliseconds. */
const TIME = /_at$/
/** The furthest moment that a Date can be. */
const LAST_MS = 8.64e15

function timedText(name: string, value: unknown): string {
  const isTime = TIME.test(name) && typeof value === 'number' && Math.abs(value) <= LAST_MS
  return isTime ? showTime(value) : factText(value)
}

/** `price 19.5, currency EUR`. */
function namedText(facts: object): string {
  const known = Object.entries(facts).map(([name, value]) => [spoken(name), factText(value)])
  return known.flatMap(([name, text]) => (text === '' ? [] : [`${name} ${text}`])).join(', ')
}

function feedText(feed: unknown): string {
  if (typeof feed !== 'object' || feed === null || !('url' in feed)) return factText(feed)
  const title = 'title' in feed ? factText(feed.title) : ''
  return title === '' ? factText(feed.url) : `${factText(feed.url)} (${title})`
}

/** Without what the page's own lines say in the same words. */
function withoutKnown(graph: unknown, about: PartRow, fields: PageFields): unknown {
  if (typeof graph !== 'object' || graph === null) return graph
  const { title, description, url, canonicalUrl } = fields
  const known = new Set<unknown>([title, description, url, canonicalUrl, about.site_name])
  return Object.fromEntries(Object.entries(graph).filter(([, value]) => !known.has(value)))
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

const MAX_CELLS = 500

/** `site` is the one the page belongs to. */
export function partText(part: Part, rows: readonly PartRow[], site: string, style: Style): string {
  const groups = part === 'links' ? linkGroups(rows, site) : [{ title: part, rows }]
  return groups
    .filter((group) => group.rows.length > 0)
    .map((group) => {
      const title = style.bold(`${safeText(group.title)} (${showCount(group.rows.length)})`)
      return [title, ...group.rows.flatMap((row) => rowLines(row, style)), ''].join('\n')
    })
    .join('\n')
}

type Group = { readonly title: string; readonly rows: readonly PartRow[] }

function linkGroups(rows: readonly PartRow[], site: string): readonly Group[] {
  const isWithin = ({ url }: PartRow): boolean => {
    const target = canonicalise(String(url))
    return target !== null && siteOf(hostOf(target)) === site
  }
  return [
    { title: `links within ${site}`, rows: rows.filter(isWithin) },
    { title: 'links elsewhere', rows: rows.filter((row) => !isWithin(row)) },
  ]
}

/** The first value says what it is; short ones stand behind it, lists below. */
function rowLines(row: PartRow, style: Style): string[] {
  const entries = Object.entries(row)
  const below = entries.map(([, value]) => value).filter(Array.isArray)
  const beside = entries.filter(([, value]) => !isEmpty(value) && !Array.isArray(value))
  const first = entries[0]?.[0]
  const head = beside[0]?.[0] === first ? cell(beside.shift()?.[1]) : NO_NAME
  const notes = beside.map(([name, value]) => `  ${style.dim(name)} ${cell(value)}`).join('')
  return [`  ${head}${notes}`, ...belowLines(below).map((line) => `    ${line}`)]
}

const NO_NAME = '-'

/** Lists one entry a line; but beside the rows of a table a list is one of its rows, the first. */
function belowLines(lists: readonly (readonly unknown[])[]): string[] {
  const isTable = lists.length > 1 && lists.some((list) => list.some(Array.isArray))
  return lists
    .filter((list) => list.length > 0)
    .flatMap((list) =>
      isTable && !list.some(Array.isArray) ? [entryText(list)] : list.map(entryText),
    )
}

/** A row of a table, an entry of a list, a field of a form. */
function entryText(entry: unknown): string {
  if (Array.isArray(entry)) return entry.map(cell).join(' | ')
  if (typeof entry !== 'object' || entry === null) return cell(entry)
  const known = Object.entries(entry).filter(([, value]) => !isEmpty(value))
  return known.map(([name, value]) => `${safeText(name)} ${cell(value)}`).join('  ')
}

function cell(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return fit(safeText(text ?? ''), MAX_CELLS)
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || value === false
}
