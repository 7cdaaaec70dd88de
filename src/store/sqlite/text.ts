// Text on its way into a column. SQLite's own functions stop at a NUL and PostgreSQL refuses one,
// so none is ever written. Lone surrogates need no care: the driver writes U+FFFD for them.

const NUL = '\u0000'
const ESCAPED_NUL = '\\u0000'

export function withoutNul(text: string): string {
  return text.includes(NUL) ? text.replaceAll(NUL, '') : text
}

/** The same for a JSON text, where a NUL hides behind an escape. */
export function jsonWithoutNul(json: string): string {
  if (!json.includes(ESCAPED_NUL)) return json
  return JSON.stringify(JSON.parse(json), (_key, value: unknown) =>
    typeof value === 'string' ? withoutNul(value) : value,
  )
}
