// Options are named as flags in help and messages (`--max-pages`). Over HTTP the same option is a field
// (`max_pages`), and nobody there should read about flags.

/** `max_pages` of `max-pages`. */
export function fieldName(option: string): string {
  return option.replaceAll('-', '_')
}

/** A text with the flags in it as fields; what stands in quotes was given by somebody and stays. */
export function withFieldNames(text: string): string {
  return text.replaceAll(QUOTED_OR_FLAG, (whole, end?: string, option?: string) => {
    if (option !== undefined) return fieldName(option)
    // No quote after one that is open closes either: what follows is looked at once.
    return end === '"' ? whole : whole.replaceAll(FLAG, (_, open: string) => fieldName(open))
  })
}

const QUOTED_OR_FLAG = /"(?:[^"\\]|\\.)*("?)|--([a-z][a-z0-9-]*)/gs
const FLAG = /--([a-z][a-z0-9-]*)/g
