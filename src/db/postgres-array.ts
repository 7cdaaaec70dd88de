// Lists as one value, in the words of PostgreSQL: many rows go to the server in one statement, whose text
// does not depend on how many there are.
import { randomBytes } from 'node:crypto'

export function numberArray(numbers: readonly (number | null)[]): string {
  return `{${numbers.map((number) => number ?? 'NULL').join(',')}}`
}

/** Texts without NUL. */
export function textArray(texts: readonly (string | null)[]): string {
  return `{${texts.map((text) => (text === null ? 'NULL' : quoted(text))).join(',')}}`
}

function quoted(text: string): string {
  return `"${SPECIAL.test(text) ? text.replaceAll(EACH_SPECIAL, '\\$&') : text}"`
}

const SPECIAL = /["\\]/
const EACH_SPECIAL = /["\\]/g

/**
 * Stand between texts, and for none: for `string_to_array`, which finds them much faster than the server
 * reads an array whose texts are quoted. No author of a text can know them. Not of one character
 * only: the more they have, the more can be skipped in search of them.
 */
const SECRET = randomBytes(9).toString('base64url')
export const BETWEEN_TEXTS = `\x1f${SECRET}`
export const NO_TEXT = `\x1e${SECRET}`

/**
 * Texts without NUL, of any length: `string_to_array(texts, BETWEEN_TEXTS, NO_TEXT)`. It has an empty one
 * more at its end: else a single empty text would be none.
 */
export function joinedTexts(texts: readonly (string | null)[]): string {
  let joined = ''
  for (const text of texts) joined += (text ?? NO_TEXT) + BETWEEN_TEXTS
  return joined
}

export function hexOf(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('hex')
}

/** Bytes in base64: `decode(…, 'base64')` of each of `string_to_array(bytes, ',')`. None of them is empty. */
export function joinedBytes(all: Iterable<Uint8Array>): string {
  return Array.from(all, (bytes) => asBuffer(bytes).toString('base64')).join(',')
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

/** Without the methods of a buffer, whose slices are no copies. */
export function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) return new Uint8Array(0)
  return new Uint8Array(value.buffer, value.byteOffset, value.length)
}
