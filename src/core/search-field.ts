import { InvalidInput, shown } from './errors.ts'

/** The searchable fields of a page. `anchor`: the texts of links that lead to it. */
export const FIELDS = [
  ...(['title', 'text', 'description', 'keywords', 'url', 'host'] as const),
  'anchor',
] as const
export type Field = (typeof FIELDS)[number]
/** Those that a page says itself. */
export type OwnField = Exclude<Field, 'anchor'>
export const OWN_FIELDS = FIELDS.filter((field) => field !== 'anchor')

const ALSO_CALLED: Readonly<Record<string, Field>> = {
  content: 'text',
  site: 'host',
  intitle: 'title',
  intext: 'text',
  inurl: 'url',
  inanchor: 'anchor',
}

/** The field with this name or alias; null if there is none. */
export function fieldNamed(name: string): Field | null {
  const lower = name.toLowerCase()
  const field = FIELDS.find((known) => known === lower)
  return field ?? (Object.hasOwn(ALSO_CALLED, lower) ? (ALSO_CALLED[lower] ?? null) : null)
}

/** The names in help; `text` and other names are accepted, too. */
export const COLUMN_NAMES = [
  ...(['title', 'description', 'keywords', 'content', 'url', 'host'] as const),
  'anchor',
] as const

/**
 * The fields that a search looks in, from a list such as `title,content`. InvalidInput at `at` names the
 * columns there are.
 */
export function searchColumns(text: string, at: string): readonly Field[] {
  const names = text.split(',').map((name) => name.trim())
  const fields = names.map((name) => fieldNamed(name))
  const unknown = names.filter((_, nth) => fields[nth] === null)
  if (unknown.length > 0) {
    const [first = ''] = unknown
    throw new InvalidInput(
      at,
      `there is no column ${shown(first)}; there are ${COLUMN_NAMES.join(', ')}`,
    )
  }
  return [...new Set(fields.filter((field) => field !== null))]
}
