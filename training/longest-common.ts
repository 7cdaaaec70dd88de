/**
 * The longest common subsequence of two texts, as pairs of places, both ascending. Negative words
 * equal nothing. Takes as many steps as the product of the lengths: keep the texts short.
 */
export function longestCommon(a: readonly number[], b: readonly number[]): [number, number][] {
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = equal(a[i], b[j])
        ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
        : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
    }
  }
  const pairs: [number, number][] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    const below = lengths[(i + 1) * width + j] ?? 0
    const beside = lengths[i * width + j + 1] ?? 0
    if (equal(a[i], b[j])) pairs.push([i++, j++])
    else if (below >= beside) i++
    else j++
  }
  return pairs
}

function equal(a: number | undefined, b: number | undefined): boolean {
  return a === b && a !== undefined && a >= 0
}
