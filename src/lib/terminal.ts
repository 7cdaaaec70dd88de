// Makes text from the web safe for a terminal: nothing in it may move the cursor, change colours, set a
// title, or reverse a line.

const ESCAPES =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[PX^_][^\x1b\x9c]*(?:\x1b\\|\x9c)?/g
const WHITE = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
/** Control characters, and marks that reorder or hide the text after them. */
const UNSAFE =
  /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** One line of text that is safe to print. */
export function safeText(text: string): string {
  return text.replace(ESCAPES, '').replace(WHITE, ' ').replace(UNSAFE, '').replace(LONE, '\ufffd')
}

const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/** Joiners shape the letters of several scripts, so running text keeps them, and tab and line feed. */
const UNSAFE_IN_LINES =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** Text of several lines that is safe to print. */
export function safeLines(text: string): string {
  return text
    .replace(ESCAPES, '')
    .replace(LINE_END, '\n')
    .replace(UNSAFE_IN_LINES, '')
    .replace(LONE, '\ufffd')
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const NO_WIDTH = /\p{Mn}|\p{Me}/u

/** The width of a safe text in cells. */
export function cells(text: string): number {
  let width = 0
  for (const char of text) width += cellsOf(char)
  return width
}

/** The text cut to fit; an ellipsis marks the cut. */
export function fit(text: string, width: number): string {
  if (text.length <= width && /^[ -~]*$/.test(text)) return text
  if (text.length <= width * 8 && cells(text) <= width) return text
  let kept = ''
  let used = 1
  for (const char of text) {
    used += cellsOf(char)
    // Marks without a width could be repeated without end.
    if (used > width || kept.length > width * 8) break
    kept += char
  }
  return width < 1 ? '' : `${kept}…`
}

function cellsOf(char: string): number {
  if (char <= '~') return 1
  if (NO_WIDTH.test(char)) return 0
  return WIDE.test(char) ? 2 : 1
}
