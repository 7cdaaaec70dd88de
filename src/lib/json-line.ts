// Objects as lines of JSON, with SQL-style names.

/** An object with SQL-style names: `contentText` becomes `content_text`. */
export function snakeCased(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const spelled = Object.entries(row).map(([key, value]) => [
    key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return Object.fromEntries(spelled)
}

/** What JSON allows, but could mislead a terminal or a reader, or is refused by readers of YAML. */
const UNSEEN = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g

/** A character of UTF-16 as JSON escapes it. */
export function escapedChar(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** One line of `--json` output. */
export function jsonLine(row: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(snakeCased(row)).replace(UNSEEN, escapedChar)}\n`
}
