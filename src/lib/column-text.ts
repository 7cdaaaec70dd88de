// Text on its way into a column. SQLite's own functions stop at a NUL and PostgreSQL refuses one,
// so none is ever written. Lone surrogates need no care, the drivers write U+FFFD for them; but escaped
// ones in JSON do, which PostgreSQL refuses to read.

const NUL = '\u0000'
const REFUSED_IN_JSON = /\\u(?:0000|d[89a-f])/i

export function withoutNul(text: string): string {
  return text.includes(NUL) ? text.replaceAll(NUL, '') : text
}

/** The same for a JSON text, where a NUL or half a pair of surrogates hides behind an escape. */
export function jsonWithoutNul(json: string): string {
  return REFUSED_IN_JSON.test(json) ? JSON.stringify(JSON.parse(json), cleaned) : json
}

function cleaned(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return wholeText(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [wholeText(key), each]))
}

/** As it is when it has come back from a column. */
export function wholeText(text: string): string {
  return withoutNul(text.toWellFormed())
}
