// Help and messages name options as flags (`--max-pages`). Over HTTP the same option is a field
// (`max_pages`), so messages there must name fields.

/** `max_pages` of `max-pages`. */
export function fieldName(option: string): string {
  return option.replaceAll('-', '_')
}

/** A text with its flags replaced by fields. Quoted parts stay: they repeat what the user gave. */
export function withFieldNames(text: string): string {
  return text.replaceAll(QUOTED_OR_FLAG, (whole, end?: string, option?: string) => {
    if (option !== undefined) return fieldName(option)
    // An open quote has no end: the rest of the text is searched for flags once.
    return end === '"' ? whole : whole.replaceAll(FLAG, (_, open: string) => fieldName(open))
  })
}

const QUOTED_OR_FLAG = /"(?:[^"\\]|\\.)*("?)|--([a-z][a-z0-9-]*)/gs
const FLAG = /--([a-z][a-z0-9-]*)/g
