// The strings of JSON and of code that looks like it, with the keys they stand under, found without
// parsing: what surrounds them may be a program, cut off, or text within a string again.

export type Literal = {
  /** The last key before it; '' when there was none. */
  readonly key: string
  /** Between the quotes, as written. */
  readonly written: string
}

const BACKSLASH = 92
const COLON = 58
const SPACE = 32
const MAX_KEY = 64
const CONTROLS = /[\u0000-\u001f]+/g

/** Every string of at least `minLength` characters that is a value; each character is looked at once. */
export function* stringLiterals(text: string, minLength: number): Generator<Literal> {
  let key = ''
  let start = text.indexOf('"')
  while (start >= 0) {
    const end = literalEnd(text, start + 1)
    if (end < 0) return
    const length = end - start - 1
    if (isKey(text, end + 1)) key = length <= MAX_KEY ? text.slice(start + 1, end) : ''
    else if (length >= minLength) yield { key, written: text.slice(start + 1, end) }
    start = text.indexOf('"', end + 1)
  }
}

/** What is written between the quotes; null when it is no string after all. */
export function decodeLiteral(written: string): string | null {
  if (!written.includes('\\')) return written
  try {
    const text: unknown = JSON.parse(`"${written.replace(CONTROLS, ' ')}"`)
    return typeof text === 'string' ? text : null
  } catch {
    return null
  }
}

/** Where the quote stands that ends a string; -1 when none does. */
function literalEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = end
    while (escapes > from && text.charCodeAt(escapes - 1) === BACKSLASH) escapes--
    if ((end - escapes) % 2 === 0) return end
  }
  return -1
}

function isKey(text: string, behind: number): boolean {
  let at = behind
  while (text.charCodeAt(at) <= SPACE) at++
  return text.charCodeAt(at) === COLON
}
