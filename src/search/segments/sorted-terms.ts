// Sorts terms as `sort()` does, several times as fast for the hundred thousand terms of a batch: their first
// seven letters are a number, numbers are sorted first, and only terms with the same number are compared.

const LETTERS = 7
/** For all letters from here on. What follows one of them is not part of the number. */
const OTHER = 127

export function sortedTerms(terms: readonly string[]): string[] {
  const lastOf = new Map<number, number>()
  const before = new Int32Array(terms.length)
  for (const [at, term] of terms.entries()) {
    const number = numberOf(term)
    before[at] = lastOf.get(number) ?? -1
    lastOf.set(number, at)
  }
  const sorted: string[] = []
  for (const number of Float64Array.from(lastOf.keys()).sort()) {
    const last = lastOf.get(number) ?? -1
    if (before[last] === -1) {
      sorted.push(terms[last] ?? '')
      continue
    }
    const alike: string[] = []
    for (let at = last; at !== -1; at = before[at] ?? -1) alike.push(terms[at] ?? '')
    for (const term of alike.sort()) sorted.push(term)
  }
  return sorted
}

function numberOf(term: string): number {
  let number = 0
  let isOther = false
  for (let at = 0; at < LETTERS; at++) {
    const letter: number = at < term.length && !isOther ? term.charCodeAt(at) : 0
    isOther ||= letter >= OTHER
    number = number * 128 + Math.min(OTHER, letter)
  }
  return number
}
