// The best matches of a search: pages that have all that was asked for, and where there are few of them,
// after them pages that have some of it.
import type { DatabaseSync } from 'node:sqlite'
import type { Query } from '../query.ts'
import { relaxed } from '../relax.ts'
import type { Search } from '../search-index.ts'
import { bestOf, countOf, type Match, type MatchesOptions, matchingOf } from './matching.ts'
import { rareTerms } from './rare-words.ts'

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

export type BestOptions = MatchesOptions & {
  readonly search: Pick<Search, 'filter' | 'scoring'>
  /** So many at most. */
  readonly limit: number
}

export function bestMatches(db: DatabaseSync, query: Query, options: BestOptions): BestMatches {
  const { search, limit } = options
  const matching = matchingOf(db, query, search, options)
  if (matching === null) return { matches: [], query, whole: 0, pages: 0 }
  const matches = bestOf(db, matching, limit)
  const whole = matches.length < limit ? matches.length : countOf(db, matching)
  const strict = { matches, query, whole, pages: whole }
  return whole < FEW ? (withPartial(db, strict, options) ?? strict) : strict
}

function withPartial(
  db: DatabaseSync,
  strict: BestMatches,
  options: BestOptions,
): BestMatches | null {
  const { search, limit } = options
  const less = relaxed(strict.query, { exact: search.scoring?.stems === false })
  if (less === null) return null
  const query = { ...less, all: less.all.with(-1, rareTerms(db, less.all.at(-1) ?? [])) }
  const matching = matchingOf(db, query, search, options)
  if (matching === null) return null
  const best = bestOf(db, matching, limit)
  const pages = best.length < limit ? best.length : countOf(db, matching)
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
