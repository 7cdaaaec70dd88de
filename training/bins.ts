// Values to bins. The trainer never looks at a value, only at which of at most 64 bins it is in;
// the forest asks about real values, so the border between two bins is a threshold of 32 bits
// such that a value is in the upper bins exactly when it is greater.

export const MAX_BINS = 64

export type BinnedColumn = {
  /** Ascending; a value is in the bin whose number is how many thresholds it is greater than. */
  readonly thresholds: Float32Array
  readonly bins: Uint8Array
}

/** How many values are looked at to find the borders; quantiles need no more. */
const LOOKED_AT = 50_000

export function binColumns(columns: readonly Float32Array[], maxBins = MAX_BINS): BinnedColumn[] {
  return columns.map((column) => binColumn(column, maxBins))
}

export function binColumn(values: Float32Array, maxBins = MAX_BINS): BinnedColumn {
  const thresholds = bordersOf(values, Math.min(maxBins, MAX_BINS))
  return { thresholds, bins: binsOf(values, thresholds) }
}

/** As the forest sees it: a value that is no number is greater than nothing. */
function binsOf(values: Float32Array, thresholds: Float32Array): Uint8Array {
  const bins = new Uint8Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN
    let low = 0
    let high = thresholds.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (value > (thresholds[middle] ?? 0)) low = middle + 1
      else high = middle
    }
    bins[i] = low
  }
  return bins
}

/** Borders between bins of about equal size; few values get a bin each. */
function bordersOf(values: Float32Array, maxBins: number): Float32Array {
  const step = Math.max(1, Math.floor(values.length / LOOKED_AT))
  const looked = Float32Array.from(
    { length: Math.ceil(values.length / step) },
    (_, i) => values[i * step] ?? 0,
  )
  const sorted = looked.filter((value) => !Number.isNaN(value)).sort()
  const steps: number[] = []
  for (let i = 1; i < sorted.length; i++) if (sorted[i] !== sorted[i - 1]) steps.push(i)
  const chosen = steps.length < maxBins ? steps : evenly(steps, sorted.length, maxBins)
  return Float32Array.from(chosen, (i) => between(sorted[i - 1] ?? 0, sorted[i] ?? 0))
}

/**
 * The steps at which a bin is full. What one frequent value takes is not taken from the others: the
 * size of the bins to come is worked out anew after each.
 */
function evenly(steps: readonly number[], total: number, maxBins: number): number[] {
  const chosen: number[] = []
  let from = 0
  for (const [at, step] of steps.entries()) {
    const left = maxBins - chosen.length
    if (left <= 1) break
    const next = steps[at + 1] ?? total
    const size = (total - from) / left
    // The step nearest to a full bin, be it a little before or behind.
    if (step - from >= size || next - from - size > size - (step - from)) {
      chosen.push(step)
      from = step
    }
  }
  return chosen
}

/** Midway, and below the upper value even where the two are neighbours or far out. */
function between(low: number, high: number): number {
  const middle = Math.fround(low / 2 + high / 2)
  return middle >= low && middle < high ? middle : low
}
