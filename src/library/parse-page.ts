// `parsePage()`: what the parser sees in one page, without a crawl.
import { InvalidInput, shown } from '../core/errors.ts'
import { type FieldRules, type FieldRulesGiven, fieldsObject } from '../core/field-rules.ts'
import {
  aboutObject,
  PARTS,
  type PageFields,
  type Part,
  type PartRow,
  partRows,
} from '../core/page.ts'
import { canonicalise } from '../core/url.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { anything, type Checks, checkFields, count, someOf, text } from './check-arguments.ts'

export type ParseOptions = {
  /** Where the page is: relative links start from there. */
  readonly url: string
  /** The header of that name. Default: HTML, in UTF-8 where a string is given. */
  readonly contentType?: string
  /** The parts to read; all of them by default. */
  readonly parts?: readonly Part[]
  /** Rules that take values from the page into fields: see docs/FIELDS.md. */
  readonly fields?: FieldRulesGiven
  /** Longer bodies are cut there. */
  readonly maxBodyBytes?: number
}

export type ParsedPage = Omit<PageFields, 'about'> & {
  /** What the page says about itself beyond the other fields. */
  readonly about: Readonly<Record<string, unknown>>
  /** The main content as Markdown. */
  readonly markdown: string
  /** By the rules of `fields`, by name. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The rows of each part that was asked for. */
  readonly parts: Readonly<Partial<Record<Part, readonly PartRow[]>>>
}

const OPTIONS: Checks = {
  ...{ url: anything, contentType: text, parts: someOf(PARTS), fields: anything },
  maxBodyBytes: count(1),
}

/** Rejects with `InvalidInput` if the URL is none, the body is no page, or another option is wrong. */
export async function parsePage(
  body: string | Uint8Array,
  options: ParseOptions,
): Promise<ParsedPage> {
  checkFields(options, OPTIONS)
  const { url: written, parts = PARTS, maxBodyBytes = DEFAULT_SETTINGS.maxBodyBytes } = options
  const url = typeof written === 'string' ? canonicalise(written) : null
  if (url === null) throw new InvalidInput('url', `${shown(written)} is not an http or https URL`)
  const isText = typeof body === 'string'
  if (!isText && !(body instanceof Uint8Array) && !(Object(body) instanceof ArrayBuffer)) {
    throw new InvalidInput('body', `needs a text or bytes, not ${shown(body)}`)
  }
  const { contentType = isText ? 'text/html; charset=utf-8' : 'text/html' } = options
  const head = {
    ...({ kind: 'page', id: 0, token: 0, url, depth: 0, status: 200, contentType } as const),
    ...{ contentEncoding: '', robotsTag: [], etag: '', lastModified: '' },
    ...{ fetchedAt: Date.now(), fetchMs: 0, truncated: false },
  }
  const limits = { maxBodyBytes, maxLinksBytes: maxBodyBytes }
  const reading = { salt: 0, parts, keepHtml: false, markdown: true, readsNoindex: true }
  // Loaded when it is needed: it knows words and models.
  const { createPageParser, openFields } = await import('../parser/parse-page.ts')
  const reader = await openFields(
    options.fields === undefined ? {} : { fields: await rulesOf(options.fields) },
  )
  const parsed = createPageParser({ ...reading, ...limits }, undefined, reader)(head, bytesOf(body))
  if (parsed.outcome !== 'page') {
    const reason = 'reason' in parsed ? parsed.reason : parsed.outcome
    throw new InvalidInput('body', `is no page that can be read (${reason})`)
  }
  const { page } = parsed
  const { about, ...fields } = page.fields
  const taken = fieldsObject(page.parts.fields ?? '[]')
  return { ...fields, about: aboutObject(about), fields: taken, parts: rowsOf(page.parts) }
}

async function rulesOf(given: FieldRulesGiven): Promise<FieldRules> {
  const { checkedFieldRules } = await import('../fields/decode-rules.ts')
  return checkedFieldRules(given, 'fields')
}

/** The parser may change the bytes it is given. */
function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : new Uint8Array(body)
}

function rowsOf(parts: Readonly<Partial<Record<Part, string>>>): ParsedPage['parts'] {
  const rows: Partial<Record<Part, readonly PartRow[]>> = {}
  for (const part of PARTS) {
    const json = parts[part]
    if (json !== undefined) rows[part] = partRows(part, json)
  }
  return rows
}
