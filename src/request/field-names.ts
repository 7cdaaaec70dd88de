// Options are named as flags in help and messages (`--max-pages`). Over HTTP the same option is a field
// (`max_pages`), and nobody there should read about flags.

/** `max_pages` of `max-pages`. */
export function fieldName(option: string): string {
  return option.replaceAll('-', '_')
}

/** A text with the flags in it as fields; what stands in quotes was given by somebody and stays. */
export function withFieldNames(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|--([a-z][a-z0-9-]*)/g, (whole, option?: string) =>
    option === undefined ? whole : fieldName(option),
  )
}
