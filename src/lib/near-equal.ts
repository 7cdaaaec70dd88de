// Whether two texts are equal except for small differences: a date, a counter, a name in the header.

/** Words per shingle, a usual value in the literature on duplicate detection. */
const SHINGLE = 3
/** Share of common shingles (Jaccard) from which two texts count as one. */
const RESEMBLANCE = 0.9
/** Longer texts are cut here to bound the time. */
const MAX_LENGTH = 100_000

export function nearEqual(a: string, b: string): boolean {
  if (a === b) return true
  // The common shingles cannot be more than those of the smaller text.
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < RESEMBLANCE * long.length * 0.8) return false
  const [left, right] = [shinglesOf(a), shinglesOf(b)]
  let common = 0
  for (const shingle of left) if (right.has(shingle)) common++
  return common >= RESEMBLANCE * (left.size + right.size - common)
}

function shinglesOf(text: string): Set<string> {
  const words =
    text
      .slice(0, MAX_LENGTH)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const shingles = new Set<string>()
  for (let at = 0; at === 0 || at + SHINGLE <= words.length; at++) {
    shingles.add(words.slice(at, at + SHINGLE).join(' '))
  }
  return shingles
}
