// Looking things up in numbers that are in order.

/** Where the first number greater than `value` is; the length when there is none. */
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
