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
  if (!REFUSED_IN_JSON.test(json)) return json
  return JSON.stringify(JSON.parse(json), (_key, value: unknown) =>
    typeof value === 'string' ? withoutNul(value.toWellFormed()) : value,
  )
}
