// What a piece of a page is as a value of a type. Null: it is none.
import type { FieldType } from '../../core/field-rules.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { type DateOrder, readDate } from '../about/written-date.ts'

export type ValueHabits = {
  readonly dates: DateOrder
  /** Decimals follow a comma, as the page's language writes them. */
  readonly hasDecimalComma: boolean
  readonly resolve: (href: string) => CanonicalUrl | null
}

/** Nested deeper, databases refuse a JSON text. */
const MAX_JSON_DEPTH = 32
const NO = new Set(['false', 'no', '0', 'off', 'none', 'tidak', 'bukan'])
const NUMBER = /[-+\u2212]?(?:\d[\d.,'\u2019\u00a0\u202f ]*\d|\d)(?:[eE][-+]?\d{1,3}(?![\w]))?/
const DAY_MS = 86_400_000

export function typedValue(type: FieldType, text: string, habits: ValueHabits): unknown {
  switch (type) {
    case 'text':
    case 'html':
      return text === '' ? null : text
    case 'number':
      return numberIn(text, habits.hasDecimalComma)
    case 'date':
      return dateIn(text, habits.dates)
    case 'url':
      return text === '' ? null : habits.resolve(text.trim())
    case 'boolean':
      return !NO.has(text.trim().toLowerCase())
    case 'json':
      return jsonIn(text)
  }
}

/** The same for a value of JSON-LD, where numbers are written with a point. */
export function valueOfJson(type: FieldType, value: unknown, habits: ValueHabits): unknown {
  if (type === 'json') return isShallow(value) ? value : null
  if (typeof value === 'boolean')
    return type === 'boolean' ? value : type === 'text' ? String(value) : null
  if (typeof value === 'number') {
    return type === 'number' ? value : typedValue(type, String(value), habits)
  }
  const text = textOfJson(value)
  if (text === null) return null
  if (type === 'number' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text)
  return typedValue(type, text, habits)
}

/** A text, or what an object is called. */
function textOfJson(value: unknown): string | null {
  if (typeof value === 'string') return value.replace(/\s+/g, ' ').trim()
  if (typeof value !== 'object' || value === null) return null
  for (const key of ['@value', 'name', 'url', '@id']) {
    const inner: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : null
    if (typeof inner === 'string') return inner.trim()
  }
  return null
}

/**
 * The first number in a text. Of two kinds of separators the last one is that of the decimals. A single comma
 * before exactly three digits separates thousands, and so does a point in languages with a decimal comma.
 */
export function numberIn(text: string, hasDecimalComma: boolean): number | null {
  const match = NUMBER.exec(text.slice(0, 1000))
  if (match === null) return null
  const written = match[0].replace('\u2212', '-').replace(/['\u2019\u00a0\u202f ]/g, '')
  const comma = written.lastIndexOf(',')
  const point = written.lastIndexOf('.')
  let decimal = ''
  if (comma >= 0 && point >= 0) decimal = comma > point ? ',' : '.'
  else if (comma >= 0 || point >= 0) {
    const sign = comma >= 0 ? ',' : '.'
    decimal = isThousands(written, sign, hasDecimalComma) ? '' : sign
  }
  const plain = decimal === '' ? written.replace(/[.,]/g, '') : withPoint(written, decimal)
  const value = Number(plain)
  return Number.isFinite(value) ? value : null
}

function isThousands(written: string, sign: string, hasDecimalComma: boolean): boolean {
  const groups = written.replace(/^[-+]/, '').split(sign)
  const [first = '', ...rest] = groups
  const isGrouped =
    first.length <= 3 && first !== '0' && rest.every((group) => /^\d{3}$/.test(group))
  if (groups.length > 2) return true
  return isGrouped && (sign === ',' ? !hasDecimalComma : hasDecimalComma)
}

function withPoint(written: string, decimal: string): string {
  const at = written.lastIndexOf(decimal)
  return `${written.slice(0, at).replace(/[.,]/g, '')}.${written.slice(at + 1)}`
}

/** A day as 2026-01-12, a moment as 2026-01-12T09:30:00.000Z. */
function dateIn(text: string, order: DateOrder): string | null {
  const date = readDate(text, order)
  if (date === null || Math.abs(date.at) > 8.64e15) return null
  const isDay = date.at === date.dayAt && date.at % DAY_MS === 0 && date.inUtc !== true
  const written = new Date(date.at).toISOString()
  return isDay ? written.slice(0, 10) : written
}

function jsonIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value) ? value : null
  } catch {
    return null
  }
}

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH) return false
    level = level.flatMap((inner) =>
      typeof inner === 'object' && inner !== null ? Object.values(inner) : [],
    )
  }
  return true
}

/** Languages that write 1.234,50. */
const DECIMAL_COMMA = new Set(
  'id de fr es it nl pt da sv nb no fi pl cs sk sl hr sr hu ro bg ru uk tr el vi ca eu gl lt lv et is sq'.split(
    ' ',
  ),
)

/** `language`: a tag such as `id` or `en-gb`; '' if unknown. */
export function hasDecimalComma(language: string): boolean {
  const [base = '', region = ''] = language.toLowerCase().split('-')
  return DECIMAL_COMMA.has(base) && !(base === 'es' && (region === 'mx' || region === 'us'))
}
