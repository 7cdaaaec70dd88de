/** The known word somebody probably meant; null when none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const reach = Math.max(1, Math.floor(word.length / 3))
  const ranked = known
    .map((other) => ({ other, steps: distance(word, other) }))
    .filter(({ other, steps }) => steps <= reach || (word.length > 2 && other.startsWith(word)))
    .sort((a, b) => a.steps - b.steps)
  return ranked[0]?.other ?? null
}

/** Levenshtein's distance, two neighbours in the wrong order counting as one step. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const step = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(swapped ? Math.min(step, at(beforeLast, j - 2) + 1) : step)
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
