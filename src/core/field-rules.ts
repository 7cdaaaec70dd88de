// Rules that say which values are taken from a page into named fields: by URL, then by CSS selectors or paths
// in JSON-LD. They are plain JSON, kept with the settings of a crawl.
import { createHash } from 'node:crypto'
import { InvalidInput, shown } from './errors.ts'

export const FIELD_TYPES = ['text', 'number', 'date', 'url', 'boolean', 'html', 'json'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export type FieldRule = {
  /** Starts with a letter; unique within its group. */
  readonly name: string
  /** A list of CSS selectors; a field has either this or `jsonld`. */
  readonly selector?: string
  /** The attribute to read; by default the element's text, or the attribute that its type suggests. */
  readonly attribute?: string
  /** A path in the JSON-LD of the page, such as `Product.offers.price`. */
  readonly jsonld?: string
  /** Default: text. */
  readonly type?: FieldType
  /** All values, as an array; by default the first one. */
  readonly many?: boolean
}

export type FieldGroup = {
  /** URL globs; pages that match one of them have these fields. None: all pages. */
  readonly match?: readonly string[]
  readonly fields: readonly FieldRule[]
}

export type FieldRules = {
  readonly rules: readonly FieldGroup[]
  /** The name of a file, or rules as they were given, that nobody has read yet: see fields/read-fields.ts. */
  readonly given?: unknown
}

/** Rules as people write them: for pages by their URL, or `{ fields }` alone for all pages. */
export type FieldRulesGiven = { readonly rules: readonly FieldGroupGiven[] } | FieldGroupGiven
type FieldGroupGiven = {
  readonly match?: string | readonly string[]
  readonly fields: readonly FieldRule[]
}

/** What an option was given. */
export function givenRules(raw: unknown, at: string): FieldRules {
  const isFile = typeof raw === 'string' && raw.trim() !== ''
  if (isFile || (typeof raw === 'object' && raw !== null)) return { rules: [], given: raw }
  throw new InvalidInput(at, `needs a file with rules, or the rules themselves, not ${shown(raw)}`)
}

/** `2 rules, 5 fields (3f9a01c2)`: equal for equal rules. */
export function shownRules(rules: FieldRules | null): string | null {
  if (rules === null) return null
  const fields = rules.rules.reduce((sum, group) => sum + group.fields.length, 0)
  const hash = createHash('sha256').update(JSON.stringify(rules.rules)).digest('hex')
  const groups = rules.rules.length
  return `${groups} rule${groups === 1 ? '' : 's'}, ${fields} field${fields === 1 ? '' : 's'} (${hash.slice(0, 8)})`
}

/** Limits of a set of rules. */
export const MAX_RULES_BYTES = 256 * 1024
export const MAX_GROUPS = 100
export const MAX_GLOBS = 50
export const MAX_FIELDS = 200

/** The fields of a page by name, from the JSON text that is stored: pairs of a name and its value. */
export function fieldsObject(json: string): Readonly<Record<string, unknown>> {
  const entries = fieldRows(json).map(({ name, value }): [string, unknown] => [name, value])
  return Object.fromEntries(entries)
}

export type FieldRow = {
  readonly name: string
  readonly value: unknown
  /** The value is an array of values. */
  readonly many: boolean
}

/** One for each field, in the order of the rules. */
export function fieldRows(json: string): readonly FieldRow[] {
  const rows: unknown = JSON.parse(json)
  if (!Array.isArray(rows)) return []
  return rows.flatMap((row: unknown) => {
    if (!Array.isArray(row) || typeof row[0] !== 'string') return []
    return [{ name: row[0], value: row[1] as unknown, many: row[2] === 1 }]
  })
}

/** The reverse of `fieldRows`. */
export function fieldsJson(rows: readonly FieldRow[]): string {
  return JSON.stringify(
    rows.map(({ name, value, many }) => (many ? [name, value, 1] : [name, value])),
  )
}
