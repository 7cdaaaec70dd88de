// Runs of words that two texts share, longest first, each word used once: greedy tiling. What a run
// loses to a longer one it may still be worth in pieces.

/** `length` words from `left` in one text are those from `right` in the other. */
export type Run = { readonly left: number; readonly right: number; readonly length: number }

/** For each word its place in the other text, or -1. */
export type Matches = { readonly ofLeft: Int32Array; readonly ofRight: Int32Array }

/** Four words in a row are seldom the same by chance. */
export const SHORTEST_RUN = 4
/** Words in a row that the right text has more often than this say nothing about their place. */
const MOST_PLACES = 64
/** Steps to find and lay runs, some tenths of a second: far more than honest pages need. */
const MAX_STEPS = 40_000_000

/** Texts are numbers for words, 0 and up; a negative number is a word that equals nothing. */
export function tile(left: Int32Array, right: Int32Array): Matches {
  const matches: Matches = {
    ofLeft: new Int32Array(left.length).fill(-1),
    ofRight: new Int32Array(right.length).fill(-1),
  }
  const byLength: Run[][] = []
  const put = (run: Run): void => {
    byLength[run.length] ??= []
    byLength[run.length]?.push(run)
  }
  const budget = { steps: MAX_STEPS }
  for (const run of maximalRuns(left, right, budget)) put(run)
  for (let length = byLength.length - 1; length >= SHORTEST_RUN; length--) {
    for (const run of nearestFirst(byLength[length] ?? [], matches)) {
      budget.steps -= length
      if (budget.steps < 0) return matches
      const free = freeParts(run, matches)
      if (free[0]?.length === length) lay(run, matches)
      else for (const part of free) put(part)
    }
  }
  return matches
}

export function lay({ left, right, length }: Run, { ofLeft, ofRight }: Matches): void {
  for (let i = 0; i < length; i++) {
    ofLeft[left + i] = right + i
    ofRight[right + i] = left + i
  }
}

/** All runs that can be made no longer on either side. */
function maximalRuns(left: Int32Array, right: Int32Array, budget: { steps: number }): Run[] {
  const runs: Run[] = []
  const places = placesOf(left, right)
  let before: readonly number[] = []
  for (let i = 0; i + SHORTEST_RUN <= left.length; i++) {
    const here = places(i)
    for (const j of here) {
      // Part of the run that began one word earlier, unless that place said nothing.
      if (before.length > 0 && same(left, i - 1, right, j - 1)) continue
      let back = 0
      while (same(left, i - back - 1, right, j - back - 1)) back++
      let length = SHORTEST_RUN
      while (same(left, i + length, right, j + length)) length++
      runs.push({ left: i - back, right: j - back, length: length + back })
      budget.steps -= length + back
      if (budget.steps < 0) return runs
    }
    before = here
  }
  return runs
}

function same(left: Int32Array, i: number, right: Int32Array, j: number): boolean {
  const word = left[i] ?? -1
  return word >= 0 && word === right[j]
}

/** Tells where the four words at a place of `left` stand in `right`. */
function placesOf(left: Int32Array, right: Int32Array): (i: number) => readonly number[] {
  const pairs = new Map<number, number>()
  const pairAt = (text: Int32Array, i: number): number | undefined =>
    pairs.get((text[i] ?? -1) * WORDS + (text[i + 1] ?? -1))
  for (let j = 0; j + 1 < right.length; j++) {
    const key = (right[j] ?? -1) * WORDS + (right[j + 1] ?? -1)
    if (!pairs.has(key)) pairs.set(key, pairs.size)
  }
  const foursAt = (text: Int32Array, i: number): number =>
    (pairAt(text, i) ?? Number.NaN) * WORDS + (pairAt(text, i + 2) ?? Number.NaN)
  const places = new Map<number, number[]>()
  for (let j = 0; j + SHORTEST_RUN <= right.length; j++) {
    const fours = foursAt(right, j)
    const known = places.get(fours)
    if (known === undefined) places.set(fours, [j])
    else known.push(j)
  }
  return (i) => {
    const found = places.get(foursAt(left, i))
    return found === undefined || found.length > MOST_PLACES ? [] : found
  }
}
/** More than there are different words or pairs; its square is still a whole number. */
const WORDS = 2 ** 26

/** The parts of a run of which neither side is taken. */
function freeParts(run: Run, { ofLeft, ofRight }: Matches): Run[] {
  const parts: Run[] = []
  let from = 0
  for (let i = 0; i <= run.length; i++) {
    const free = i < run.length && ofLeft[run.left + i] === -1 && ofRight[run.right + i] === -1
    if (free) continue
    if (i - from >= SHORTEST_RUN) {
      parts.push({ left: run.left + from, right: run.right + from, length: i - from })
    }
    from = i + 1
  }
  return parts
}

/** Of runs of one length first the one that continues where its neighbours are. */
function nearestFirst(runs: readonly Run[], matches: Matches): readonly Run[] {
  if (runs.length < 2) return runs
  const distances = new Map(runs.map((run) => [run, distance(run, matches)]))
  return runs.toSorted(
    (a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0) || a.left - b.left,
  )
}

/** How many words a run is away from where the matched words around it would have it. */
function distance({ left, right, length }: Run, { ofRight }: Matches): number {
  let nearest = FAR
  for (let gap = 1; gap <= FAR && gap < nearest; gap++) {
    const before = ofRight[right - gap] ?? -1
    if (before >= 0) nearest = Math.min(nearest, Math.abs(left - before - gap))
    const after = ofRight[right + length - 1 + gap] ?? -1
    if (after >= 0) nearest = Math.min(nearest, Math.abs(after - (left + length - 1) - gap))
    if (before >= 0 && after >= 0) break
  }
  return nearest
}
const FAR = 200
