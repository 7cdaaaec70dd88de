// Lists as one value, in the words of PostgreSQL: many rows go to the server in one statement, whose text
// does not depend on how many there are.

export function numberArray(numbers: readonly (number | null)[]): string {
  return `{${numbers.map((number) => number ?? 'NULL').join(',')}}`
}

/** Texts without NUL. */
export function textArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(SPECIAL, '\\$&')}"`).join(',')}}`
}

const SPECIAL = /["\\]/g
