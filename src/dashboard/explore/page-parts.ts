// The parts of a page as they are shown. Rows are what some parser made of a hostile page, perhaps an
// older one than ours: each field is looked at before it is used.

type Row = Readonly<Record<string, unknown>>
type Rows = readonly Row[] | null

export type ImageRow = { readonly src: string; readonly alt: string; readonly size: string }
export type TableRow = {
  readonly caption: string
  readonly headers: readonly string[]
  readonly rows: readonly (readonly string[])[]
}
type FormField = {
  readonly name: string
  readonly type: string
  readonly label: string
  readonly required: boolean
}
export type FormRow = {
  readonly action: string
  readonly method: string
  readonly fields: readonly FormField[]
}
export type ListRow = { readonly ordered: boolean; readonly entries: readonly string[] }

export function imageRows(rows: Rows): ImageRow[] {
  return (rows ?? []).map(({ src, alt, width, height }) => ({
    src: text(src),
    alt: text(alt),
    size: isSize(width) && isSize(height) ? `${width} × ${height}` : '',
  }))
}

export function tableRows(rows: Rows): TableRow[] {
  return (rows ?? []).map(({ caption, headers, rows: lines }) => ({
    caption: text(caption),
    headers: list(headers).map(text),
    rows: list(lines).map((line) => list(line).map(text)),
  }))
}

export function formRows(rows: Rows): FormRow[] {
  return (rows ?? []).map(({ action, method, fields }) => ({
    action: text(action),
    method: text(method).toUpperCase() || 'GET',
    fields: list(fields).map(formField),
  }))
}

function formField(field: unknown): FormField {
  const { name, type, label, required }: Row = { ...Object(field) }
  return { name: text(name), type: text(type), label: text(label), required: required === true }
}

export function listRows(rows: Rows): ListRow[] {
  return (rows ?? []).map(({ kind, entries }) => ({
    ordered: kind === 'ol',
    entries: list(entries).map((entry) =>
      Array.isArray(entry) ? entry.map(text).filter(Boolean).join(': ') : text(entry),
    ),
  }))
}

export type CodeRow = { readonly url: string; readonly facts: string }

/** Scripts and styles: where they are from, and what kind. */
export function codeRows(rows: Rows): CodeRow[] {
  return (rows ?? []).map(({ src, href, type, load, media, length }) => ({
    url: text(src) || text(href),
    facts: [type, load, media, length].map(text).filter(Boolean).join(', '),
  }))
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && value > 0
}

type JsonLine = {
  readonly depth: number
  /** Name of the field or number of the entry; '' at the top. */
  readonly name: string
  /** Null for what only holds others. */
  readonly text: string | null
}

export type JsonLines = { readonly lines: readonly JsonLine[]; readonly cut: boolean }

const MAX_LINES = 500
const MAX_DEPTH = 8

/**
 * A JSON value as lines to read, one value each, indented by how deep it is. Values come from pages, so
 * lines, depth and texts have limits: a million keys are shown as five hundred and a word.
 */
export function jsonLines(value: unknown): JsonLines {
  const lines: JsonLine[] = []
  let cut = false
  const add = (name: string, inner: unknown, depth: number): void => {
    if (isEmpty(inner)) return
    if (lines.length >= MAX_LINES) {
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
