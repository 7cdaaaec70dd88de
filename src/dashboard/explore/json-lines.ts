// A JSON value as lines to read, one value each, indented by how deep it is. Values come from pages, so
// lines, depth and texts have limits: a million keys are shown as five hundred and a word.

export type JsonLine = {
  readonly depth: number
  /** Name of the field or number of the entry; '' at the top. */
  readonly name: string
  /** Null for what only holds others. */
  readonly text: string | null
}

export type JsonLines = { readonly lines: readonly JsonLine[]; readonly cut: boolean }

const MAX_LINES = 500
const MAX_DEPTH = 8

export function jsonLines(value: unknown, most = MAX_LINES): JsonLines {
  const lines: JsonLine[] = []
  let cut = false
  const add = (name: string, inner: unknown, depth: number): void => {
    if (isEmpty(inner)) return
    if (lines.length >= most) {
      cut = true
      return
    }
    if (typeof inner !== 'object' || inner === null) {
      lines.push({ depth, name, text: String(inner) })
      return
    }
    if (isFlat(inner)) {
      lines.push({ depth, name, text: inner.map(String).join(', ') })
      return
    }
    lines.push({ depth, name, text: depth < MAX_DEPTH ? null : '…' })
    if (depth < MAX_DEPTH) addAll(inner, depth + 1)
  }
  const addAll = (holder: object, depth: number): void => {
    const numbered = Array.isArray(holder)
    for (const [name, inner] of Object.entries(holder)) {
      add(numbered ? String(Number(name) + 1) : name, inner, depth)
      if (cut) return
    }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) addAll(value, 0)
  else add('', value, 0)
  return { lines, cut }
}

/** Says nothing: left out. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** A short list of plain values reads best in one line. */
function isFlat(value: object): value is readonly (string | number | boolean)[] {
  return (
    Array.isArray(value) &&
    value.length <= 20 &&
    value.every((entry) => typeof entry !== 'object' && String(entry).length <= 100)
  )
}
