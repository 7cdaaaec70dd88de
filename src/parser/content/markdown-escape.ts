// Escapes characters of a page that would be markup in Markdown, by CommonMark and GitHub's tables and
// strikethrough. Characters that those read as text stay as they are, so that text stays readable.

const SPECIAL = /[\\`*_[\]<|~&]/g
/** A character reference, or text that could become one together with the following text. */
const REFERENCE = /&#?[0-9a-z]*(?:;|$)/iy
const ALPHANUMERIC = /^[0-9A-Za-z]$/

/** Escapes text within a line. */
export function escapeText(text: string): string {
  return text.replace(SPECIAL, (char, at: number) => (isPlain(char, at, text) ? char : `\\${char}`))
}

function isPlain(char: string, at: number, text: string): boolean {
  // An underscore within a word is text.
  if (char === '_') return isAlphanumeric(text[at - 1]) && isAlphanumeric(text[at + 1])
  if (char !== '&') return false
  REFERENCE.lastIndex = at
  return !REFERENCE.test(text)
}

function isAlphanumeric(char: string | undefined): boolean {
  return char !== undefined && ALPHANUMERIC.test(char)
}

/** Headings, list items, quotes, rules, underlines of headings and of the first row of a table. */
const LINE_START = /^(?:#{1,6}(?=\s|$)|[+-](?=\s|$)|>|=+\s*$|[-:][-:\s]*$)/
const NUMBER = /^(\d{1,9})(?=[.)](?:\s|$))/

/** Escapes the start of a line where a block may begin. */
export function escapeLineStart(line: string): string {
  return LINE_START.test(line) ? `\\${line}` : line.replace(NUMBER, '$1\\')
}

const IN_URL = /[<>\\`|\s]/g

/** Escapes the URL between the parentheses of a link. */
export function escapeUrl(url: string): string {
  const safe = url.replace(IN_URL, encodeURIComponent).replace(/&(?=#?[0-9a-z]*;)/gi, '&amp;')
  return /[()]/.test(safe) ? `<${safe}>` : safe
}

/** Code within a line, between more backticks than it has in a row. */
export function codeSpan(code: string): string {
  const ticks = '`'.repeat(longestTicks(code) + 1)
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${code}${pad}${ticks}`
}

/**
 * A formula. Characters that Markdown readers without formulas would take for code, links or HTML
 * are written in another way that means the same in TeX.
 */
export function mathSpan(
  tex: string,
  how: { readonly inCell: boolean; readonly isDisplay: boolean },
): string {
  let isInner = false
  const safe = tex
    .replace(/\\?\$/g, (dollar) => {
      if (dollar !== '$') return dollar
      isInner = !isInner
      return isInner ? '\\(' : '\\)'
    })
    .replaceAll('<', '\\lt ')
    .replaceAll('`', '‘')
    .replace(/\](?=[([:])/g, '] ')
    .replace(/(?<!\\)((?:\\\\)*)\\$/, '$1')
    .trim()
  const cell = safe.replaceAll('\\|', '\\Vert ').replaceAll('|', '\\vert ').trim()
  const sign = how.isDisplay ? '$$' : '$'
  return safe === '' ? '' : `${sign}${how.inCell ? cell : safe}${sign}`
}

export function longestTicks(text: string): number {
  let longest = 0
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  return longest
}

const PUNCTUATION = /^\p{P}$/u
const SYMBOL = /^[\p{P}\p{S}]$/u

/** Every version of the delimiter rules counts it as punctuation. */
export function isPunctuation(char: string): boolean {
  return PUNCTUATION.test(char) || (SYMBOL.test(char) && char < '\x7f')
}

/** Some version counts it as punctuation. */
export function mayBePunctuation(char: string): boolean {
  return SYMBOL.test(char)
}
