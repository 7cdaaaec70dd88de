// The best matches of a search: pages that have all that was asked for, and where there are few of them,
// after them pages that have some of it.
import type { Match, Matcher, Sought } from './matcher.ts'
import type { Query } from './query.ts'
import { rareTerms } from './rare-words.ts'
import { relaxed } from './relax.ts'

/** Who finds less than two screens of hits is shown more. */
const FEW = 20

export type BestMatches = {
  readonly matches: readonly Match[]
  /** What was looked for at last: what is marked in hits. */
  readonly query: Query
  /** Pages that have everything. */
  readonly whole: number
  /** All pages that match. */
  readonly pages: number
}

export type BestOptions = {
  readonly search: Sought
  /** So many at most. */
  readonly limit: number
}

export async function bestMatches(
  matcher: Matcher,
  query: Query,
  options: BestOptions,
): Promise<BestMatches> {
  const { search, limit } = options
  const matching = await matcher.matching(query, search)
  if (matching === null) return { matches: [], query, whole: 0, pages: 0 }
  const matches = await matching.best(limit)
  const whole = matches.length < limit ? matches.length : await matching.count()
  const strict = { matches, query, whole, pages: whole }
  return whole < FEW ? ((await withPartial(matcher, strict, options)) ?? strict) : strict
}

async function withPartial(
  matcher: Matcher,
  strict: BestMatches,
  { search, limit }: BestOptions,
): Promise<BestMatches | null> {
  const less = relaxed(strict.query, { exact: search.scoring?.stems === false })
  if (less === null) return null
  const rare = await rareTerms(matcher, less.all.at(-1) ?? [])
  const matching = await matcher.matching({ ...less, all: less.all.with(-1, rare) }, search)
  if (matching === null) return null
  const best = await matching.best(limit)
  const pages = best.length < limit ? best.length : await matching.count()
  const known = new Set(strict.matches.map(({ id }) => id))
  const others = best.filter(({ id }) => !known.has(id))
  const matches = [...strict.matches, ...below(strict.matches, others)].slice(0, limit)
  return { matches, query: less, whole: strict.whole, pages }
}

/** With scores that fall where they come after others. */
function below(first: readonly Match[], others: readonly Match[]): Match[] {
  const [lowest, highest] = [first.at(-1)?.score ?? Number.POSITIVE_INFINITY, others[0]?.score ?? 0]
  const factor = highest > lowest ? (lowest / highest) * BELOW : 1
  return others.map((match) => ({ ...match, score: match.score * factor }))
}

const BELOW = 0.99
