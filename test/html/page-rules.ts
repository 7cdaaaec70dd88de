// What holds for the record of any page, whatever bytes it came from.
import {
  type NewPage,
  PAGE_KINDS,
  PART_COLUMNS,
  PARTS,
  type PageFields,
  type Part,
  type PartRow,
  partRows,
} from '../../src/core/page.ts'
import { canonicalise } from '../../src/core/url.ts'
import type { ParseResult } from '../../src/parser/parse-result.ts'
import { decodeFound } from '../../src/wire/receipt.ts'

/** Of one part, in characters of JSON. */
const MAX_PART = 8 << 20
const MAX_ABOUT = 1 << 18
const MAX_FOUND = 10_000
/** Each line of code in quotes in quotes has the marks of all of them before it. */
const MAX_TEXT_GROWTH = 10
/** Neither in a line nor in a text, but for line ends and tabs. */
const NOT_IN_TEXT = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/
const NOT_IN_LINE = /[\0-\x1f\x7f-\x9f\u2028\u2029]/
const LINES = ['title', 'description', 'keywords', 'author', 'language', 'charset'] as const
const URL_COLUMNS = new Set(['url', 'src', 'best', 'href', 'action'])

/** What is wrong with it; empty when all is well. */
export function brokenRules(parsed: ParseResult, body: Uint8Array): string[] {
  if (parsed.outcome === 'refused' || parsed.outcome === 'failed') {
    return parsed.reason === '' ? ['no reason'] : []
  }
  if (parsed.outcome !== 'page') return [`outcome ${parsed.outcome}`]
  const { fields, parts } = parsed.page
  return [
    ...brokenFields(fields, body),
    ...brokenText(fields, body),
    ...brokenAbout(fields.about),
    ...PARTS.flatMap((part) => brokenPart(part, parts)),
    ...brokenLinks(parsed.foundBlock, parts),
  ]
}

function brokenFields(fields: PageFields, body: Uint8Array): string[] {
  const broken: string[] = []
  for (const name of LINES) {
    if (NOT_IN_LINE.test(fields[name])) broken.push(`${name}: ${JSON.stringify(fields[name])}`)
  }
  if (!isSound(fields)) broken.push('half a character or a NUL in a field')
  if (!PAGE_KINDS.includes(fields.kind)) broken.push(`kind ${fields.kind}`)
  if (fields.title.length > 1024) broken.push('a long title')
  // Of a page that was cut, what was kept of it.
  const size = fields.truncated ? Math.min(fields.sizeBytes, body.byteLength) : body.byteLength
  if (fields.sizeBytes !== size) broken.push(`size ${fields.sizeBytes}`)
  if (fields.canonicalUrl !== null && !isCanonical(fields.canonicalUrl)) broken.push('canonical')
  const { publishedAt } = fields
  if (publishedAt !== null && !Number.isSafeInteger(publishedAt)) broken.push(`at ${publishedAt}`)
  return broken
}

function brokenText({ contentText: text }: PageFields, body: Uint8Array): string[] {
  const broken: string[] = []
  const odd = NOT_IN_TEXT.exec(text)
  if (odd !== null)
    broken.push(`text: ${JSON.stringify(text.slice(odd.index - 20, odd.index + 20))}`)
  if (text.length > MAX_TEXT_GROWTH * (body.byteLength + 64)) broken.push('more text than page')
  return broken
}

function brokenAbout(json: string): string[] {
  const about: unknown = JSON.parse(json)
  if (typeof about !== 'object' || about === null || Array.isArray(about)) return ['about']
  if (json.length > MAX_ABOUT) return [`about of ${json.length} characters`]
  return isSound(about) ? [] : ['half a character or a NUL in about']
}

function brokenPart(part: Part, parts: NewPage['parts']): string[] {
  const json = parts[part]
  if (json === undefined) return []
  if (json.length > MAX_PART) return [`${part} of ${json.length} characters`]
  const rows = partRows(part, json)
  if (!isSound(JSON.parse(json))) return [`half a character or a NUL in ${part}`]
  const known = PART_COLUMNS[part]
  return rows.flatMap((row) => {
    const odd = known === undefined ? [] : Object.keys(row).filter((name) => !known.includes(name))
    return [...odd.map((name) => `${part}: ${name}`), ...brokenUrls(part, row)]
  })
}

function brokenUrls(part: Part, row: PartRow): string[] {
  const broken: string[] = []
  for (const [name, value] of Object.entries(row)) {
    if (!URL_COLUMNS.has(name) || value === null || value === '') continue
    if (typeof value !== 'string' || !isCanonical(value)) broken.push(`${part}.${name}: ${value}`)
  }
  return broken
}

/** The links that are stored are those that are found. */
function brokenLinks(foundBlock: Uint8Array, { links }: NewPage['parts']): string[] {
  const found = decodeFound(foundBlock).map(({ url }) => url)
  if (found.length > MAX_FOUND) return [`${found.length} links`]
  const broken = found.filter((url) => !isCanonical(url)).map((url) => `found: ${url}`)
  if (links === undefined) return broken
  const rows = partRows('links', links).map(({ url }) => url)
  return rows.join() === found.join() ? broken : [...broken, 'other links found than stored']
}

function isCanonical(url: string): boolean {
  return canonicalise(url) === url
}

/** Every string in it is whole characters and none of them NUL. */
function isSound(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, within]) => isSound(name) && isSound(within))
}
