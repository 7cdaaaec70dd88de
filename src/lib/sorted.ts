// Sorted values, and lookup in them.

/** The index of the first number greater than `value`; the length if there is none. */
export function firstAfter(sorted: ArrayLike<number>, value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) > value) high = middle
    else low = middle + 1
  }
  return low
}

export function isAmong(sorted: ArrayLike<number>, value: number): boolean {
  return sorted[firstAfter(sorted, value) - 1] === value
}

/** For `sort`: by code units, as `sort` without a function does with texts. */
export function byOrder<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
