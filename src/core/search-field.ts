/** The parts of a page that words can be looked for in. */
export const FIELDS = ['title', 'text', 'description', 'keywords', 'url', 'host'] as const
export type Field = (typeof FIELDS)[number]

const ALSO_CALLED: Readonly<Record<string, Field>> = {
  content: 'text',
  site: 'host',
  intitle: 'title',
  intext: 'text',
  inurl: 'url',
}

/** The field somebody means, by its name or another one that is used for it; null: none. */
export function fieldNamed(name: string): Field | null {
  const lower = name.toLowerCase()
  const field = FIELDS.find((known) => known === lower)
  return field ?? (Object.hasOwn(ALSO_CALLED, lower) ? (ALSO_CALLED[lower] ?? null) : null)
}
