// The results of a random and of an ideal order, for measures where they can be computed. Both ignore links:
// the ideal fetches the best pages first whether or not it could know of them, so no crawl can beat it and
// few come close.
import { HOT_SHARE } from './importance.ts'
import type { CurveKey } from './measures.ts'
import { meanCurve } from './measures.ts'
import { hotCount, type Ranking } from './ranking.ts'
import { pagesAt, type Yardstick } from './yardstick.ts'

export type Reference = { readonly ideal: Float64Array; readonly random: Float64Array }
export type References = ReadonlyMap<CurveKey, Reference>

export function referencesFor(yardstick: Yardstick, grid: Float64Array): References {
  const whole = yardstick.reachable
  const random = grid.map((share) => (100 * pagesAt(share, whole)) / whole)
  const full = grid.map(() => 100)
  const found = new Map<CurveKey, Reference>([
    ['pagerankSum', { ideal: richestFirst(yardstick, grid), random }],
    ['csPagerank', { ideal: full, random }],
    ['csInDegree', { ideal: full, random }],
    ['stPagerank', { ideal: hottestFirst(yardstick.byPagerank, grid), random }],
    ['stInDegree', { ideal: hottestFirst(yardstick.byInDegree, grid), random }],
  ])
  if (yardstick.relevant > 0) addRelevance(found, yardstick, grid)
  return found
}

/** The mean over topics; it includes a measure if any topic has it. */
export function meanReferences(each: readonly References[], points: number): References {
  const keys = new Set(each.flatMap((references) => [...references.keys()]))
  return new Map(
    [...keys].map((key) => {
      const having = each.flatMap((references) => references.get(key) ?? [])
      const ideal = meanCurve(
        having.map((reference) => reference.ideal),
        points,
      )
      const random = meanCurve(
        having.map((reference) => reference.random),
        points,
      )
      return [key, { ideal, random }]
    }),
  )
}

function addRelevance(
  found: Map<CurveKey, Reference>,
  { reachable, leftOut, relevant }: Yardstick,
  grid: Float64Array,
): void {
  const whole = reachable - leftOut
  const counts = grid.map((share) => pagesAt(share, whole))
  const best = counts.map((n) => Math.min(n, relevant))
  const byChance = counts.map((n) => (n * relevant) / whole)
  const per = (values: Float64Array, of: (at: number) => number) =>
    values.map((value, at) => (100 * value) / of(at))
  for (const [key, of] of [
    ['harvest', (at: number) => counts[at] ?? 1],
    ['recall', () => relevant],
    ['ofIdeal', (at: number) => best[at] ?? 1],
  ] as const) {
    found.set(key, { ideal: per(best, of), random: per(byChance, of) })
  }
}

function richestFirst(
  { world, byPagerank, pagerankSum }: Yardstick,
  grid: Float64Array,
): Float64Array {
  let sum = 0
  let at = 0
  return grid.map((share) => {
    const count = pagesAt(share, byPagerank.size)
    while (at < count) sum += world.pagerank[byPagerank.order[at++] ?? 0] ?? 0
    return (100 * sum) / pagerankSum
  })
}

function hottestFirst(ranking: Ranking, grid: Float64Array): Float64Array {
  const hot = hotCount(ranking, pagesAt(HOT_SHARE, ranking.size))
  return grid.map((share) => (100 * Math.min(hot, pagesAt(share, ranking.size))) / hot)
}
