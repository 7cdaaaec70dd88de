// Parses the JSON of a request. It refuses what `JSON.parse` silently accepts: endless nesting, a field given
// twice (which one counts?), and names that address an object's prototype.
import { InvalidInput } from '../core/errors.ts'

export const MAX_JSON_DEPTH = 32
const AT = 'body'
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Undefined for an empty body. */
export function readJson(bytes: Uint8Array): unknown {
  const text = decodeText(bytes)
  if (text.trim() === '') return undefined
  const json = parse(text)
  checkStructure(text)
  return json
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new InvalidInput(AT, 'is not valid UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'it is nested too deeply'
    throw new InvalidInput(AT, `is not valid JSON: ${why}`)
  }
}

/** The names of an object so far; null for an array. */
type Level = Set<string> | null

/** One pass over text that is known to be JSON. */
function checkStructure(text: string): void {
  const levels: Level[] = []
  // True where a string would be a name: after `{`, and after `,` inside an object.
  let atName = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      if (atName) addName(levels, text.slice(at, end + 1))
      atName = false
      at = end
    } else if (code === 0x7b || code === 0x5b) {
      levels.push(code === 0x7b ? new Set() : null)
      atName = code === 0x7b
      if (levels.length > MAX_JSON_DEPTH) {
        throw new InvalidInput(AT, `is nested more than ${MAX_JSON_DEPTH} levels deep`)
      }
    } else if (code === 0x7d || code === 0x5d) {
      levels.pop()
      atName = false
    } else if (code === 0x2c) atName = levels.at(-1) !== null
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  }
  return at
}

function addName(levels: readonly Level[], quoted: string): void {
  const name = String(JSON.parse(quoted))
  const names = levels.at(-1) ?? null
  // At the top level it is one more unknown field, reported together with the others.
  if (name === '__proto__' && levels.length > 1) {
    throw new InvalidInput(name, 'there is no such field')
  }
  if (names?.has(name)) {
    const shown = name.length > 80 ? `${name.slice(0, 79)}…` : name
    throw new InvalidInput(shown, 'is given twice')
  }
  names?.add(name)
}
