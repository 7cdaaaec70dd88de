// The words that labels and measures count, by the rules of the extraction data: letters, digits
// and the underscore; in scripts that write without spaces each character is a word.

const WORD = /[\p{L}\p{N}_]+/gu
const DENSE_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const DENSE = DENSE_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')
const DENSE_CHARACTER = new RegExp(`[${DENSE}]`, 'u')
const DENSE_PARTS = new RegExp(`[${DENSE}]|[^${DENSE}]+`, 'gu')

/** The words of a text as they are written. Without `dense`, every script is taken to have spaces. */
export function wordsOf(text: string, dense = true): string[] {
  const words = text.match(WORD) ?? []
  if (!dense || !DENSE_CHARACTER.test(text)) return words
  return words.flatMap((word) => word.match(DENSE_PARTS) ?? [])
}
