// What differs from run to run, or with every improvement of the parser and of the topic code, gets a
// word in its place. Keys, types, small whole numbers, short texts and the order of rows stay.

/** Places in this run, longest first, and what they are called. */
export type Names = ReadonlyMap<string, string>

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/(^|_)(at|since|until)$|At$/, '<time>'],
  [/(^|_)(ms|seconds|per_second)$|Ms$|PerSecond$/, '<duration>'],
  [/^pid$/, '<pid>'],
  [/hash$|fingerprint$|^etag$/, '<hash>'],
  [/^(bytes|size_bytes|rssBytes)$/, '<size>'],
  [/^(cpu|machine|cores|result|detail|advice)$/, '<of this machine>'],
  [/^(version|protocol)$/, '<version>'],
]
const UUID = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g
/** Settings with such a name have a value that somebody chose. */
const CHOSEN = /^(settings|options|limits)$/
const MAX_TEXT = 80
/** More numbers in one array are a curve. */
const MAX_NUMBERS = 8
/** What fits is printed on one line. */
const WIDTH = 100

export function normalise(value: unknown, names: Names): unknown {
  return walk(value, { names, key: '', isChosen: false })
}

/** One JSON text, or one in every line, as readable JSON. */
export function normaliseJson(text: string, names: Names): string {
  const values = text.trim() === '' ? [] : parseAll(text)
  const shown = values.length === 1 ? values[0] : values
  return `${layOut(normalise(shown, names))}\n`
}

/** JSON with as few lines as the width allows. */
export function layOut(value: unknown, indent = ''): string {
  const short = JSON.stringify(value)
  if (indent.length + short.length <= WIDTH) return short
  const deeper = `${indent}  `
  if (Array.isArray(value)) {
    const entries = value.map((entry) => `${deeper}${layOut(entry, deeper)}`)
    return `[\n${entries.join(',\n')}\n${indent}]`
  }
  if (typeof value !== 'object' || value === null) return short
  const entries = Object.entries(value).map(
    ([key, inner]) => `${deeper}${JSON.stringify(key)}: ${layOut(inner, deeper)}`,
  )
  return `{\n${entries.join(',\n')}\n${indent}}`
}

function parseAll(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
}

type Around = { readonly names: Names; readonly key: string; readonly isChosen: boolean }

function walk(value: unknown, around: Around): unknown {
  const { names, key, isChosen } = around
  if (typeof value === 'string') return isChosen ? named(value, names) : textOf(value, around)
  if (Array.isArray(value)) return isCurve(value) ? '<numbers>' : value.map((v) => walk(v, around))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, inner]) => [
      named(name, names),
      walk(inner, { names, key: name, isChosen: isChosen || CHOSEN.test(name) }),
    ])
    return Object.fromEntries(entries)
  }
  if (typeof value !== 'number' || isChosen) return value
  return kindOf(key) ?? (Number.isInteger(value) ? value : '<fraction>')
}

function textOf(text: string, { names, key }: Around): string {
  const kind = kindOf(key)
  if (kind !== null) return kind
  // A column of a table may hold JSON as text.
  if (/^\{.*\}$/s.test(text)) return JSON.stringify(normalise(JSON.parse(text), names))
  const shown = named(text, names).replaceAll(UUID, '<uuid>')
  return shown.length > MAX_TEXT ? '<long text>' : shown
}

function isCurve(values: readonly unknown[]): boolean {
  return values.length > MAX_NUMBERS && values.every((value) => typeof value === 'number')
}

function kindOf(key: string): string | null {
  return KINDS.find(([pattern]) => pattern.test(key))?.[1] ?? null
}

function named(text: string, names: Names): string {
  let shown = text
  for (const [given, name] of names) shown = shown.replaceAll(given, name)
  return shown
}
