/** The searchable fields of a page. */
export const FIELDS = ['title', 'text', 'description', 'keywords', 'url', 'host'] as const
export type Field = (typeof FIELDS)[number]

const ALSO_CALLED: Readonly<Record<string, Field>> = {
  content: 'text',
  site: 'host',
  intitle: 'title',
  intext: 'text',
  inurl: 'url',
}

/** The field with this name or alias; null if there is none. */
export function fieldNamed(name: string): Field | null {
  const lower = name.toLowerCase()
  const field = FIELDS.find((known) => known === lower)
  return field ?? (Object.hasOwn(ALSO_CALLED, lower) ? (ALSO_CALLED[lower] ?? null) : null)
}
