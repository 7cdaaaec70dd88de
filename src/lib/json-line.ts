// Objects as lines of JSON, named as SQL names columns.

/** An object in the spelling of SQL: `contentText` becomes `content_text`. */
export function snakeCased(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const spelled = Object.entries(row).map(([key, value]) => [
    key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return Object.fromEntries(spelled)
}

/** Controls that JSON leaves as they are, but a terminal or a reader's eye does not. */
const UNSEEN = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** One line of `--json` output. */
export function jsonLine(row: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(snakeCased(row)).replace(UNSEEN, escaped)}\n`
}
