// `title,content`: the fields that a search looks in.
import { InvalidInput, shown } from '../core/errors.ts'
import { type Field, fieldNamed } from '../core/search-field.ts'

/** The names in help; `text` and other names are accepted, too. */
export const COLUMN_NAMES = ['title', 'description', 'keywords', 'content', 'url', 'host'] as const

/** Reads a list with commas; InvalidInput at `at` names the columns there are. */
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
