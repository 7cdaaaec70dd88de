/**
 * The Levenshtein distance of two words, with two swapped neighbours as one step. A distance above `most` is
 * returned as Infinity, without computing it fully.
 */
export function editSteps(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const step = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const steps = swapped ? Math.min(step, at(beforeLast, j - 2) + 1) : step
      row.push(steps)
      if (steps < least) least = steps
    }
    // No later row contains less than the minimum of this one.
    if (least > most) return Number.POSITIVE_INFINITY
    beforeLast = last
    last = row
  }
  const steps = at(last, b.length)
  return steps > most ? Number.POSITIVE_INFINITY : steps
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}

/** The known word that was probably meant; null if none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const reach = Math.max(1, Math.floor(word.length / 3))
  const stepsTo = (other: string): number => {
    const isBegun = word.length > 2 && other.startsWith(word)
    return isBegun ? other.length - word.length : editSteps(word, other, reach)
  }
  const ranked = known
    .map((other) => ({ other, steps: stepsTo(other) }))
    .filter(({ steps }) => Number.isFinite(steps))
    .sort((a, b) => a.steps - b.steps)
  return ranked[0]?.other ?? null
}
