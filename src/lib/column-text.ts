// Text to be written to a column. SQLite's own functions stop at a NUL and PostgreSQL refuses one, so none is
// ever written. Lone surrogates need no care, since the drivers write U+FFFD for them; escaped ones in JSON
// do, since PostgreSQL refuses to read them.

const NUL = '\u0000'
const ESCAPE = '\\u'
const REFUSED_IN_JSON = /\\u(?:0000|d[89a-f])/i

export function withoutNul(text: string): string {
  return text.includes(NUL) ? text.replaceAll(NUL, '') : text
}

/** The same for a JSON text, where a NUL or a lone surrogate may be escaped. */
export function jsonWithoutNul(json: string): string {
  // Hardly any has an escape by number, and looking for two characters is much quicker.
  if (!json.includes(ESCAPE)) return json
  return REFUSED_IN_JSON.test(json) ? JSON.stringify(JSON.parse(json), cleaned) : json
}

function cleaned(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return wholeText(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [wholeText(key), each]))
}

/** The text as a column returns it. */
export function wholeText(text: string): string {
  return withoutNul(text.toWellFormed())
}
