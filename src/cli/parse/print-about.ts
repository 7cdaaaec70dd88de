// What a page says of itself beyond the columns of `pages`, as lines for people. Whatever the parser
// adds is shown without a change here; a few facts read better in a form of their own.
import type { PageFields } from '../../core/page.ts'
import type { PartRow } from '../../core/part-columns.ts'
import { showCount, showTime } from '../../lib/format.ts'

export type FactLine = readonly [name: string, value: string]

/** A fact for itself, else its general form; '' when another line says it already. */
type Show = (value: unknown, about: PartRow, fields: PageFields) => string

const FORMS: Readonly<Record<string, Show>> = {
  published_day: () => '',
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
export function spoken(name: string): string {
  return name.replaceAll(/_|(?=[A-Z])/g, ' ').toLowerCase()
}

/** '' for what is not there. */
export function factText(value: unknown): string {
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
