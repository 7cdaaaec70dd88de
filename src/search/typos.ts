// Words that hardly any page has are searched together with the words that may have been meant. Pages with the words
// as they were typed come first.
import type { FormsOf, Match, Matcher } from './matcher.ts'
import { byWorth, type Near, type NearWord } from './near-words.ts'
import { mayBeMistaken, type Query, type Term } from './query.ts'
import type { Typo } from './search-index.ts'
import { FEW_HITS, MUCH_MORE } from './suggestion.ts'

type WithTypos = { readonly query: Query; readonly typos: readonly Typo[] }

/** Shorter words are near too many others; from the second length on, two letters may be wrong. */
const MIN_LENGTH = 4
const TWO_STEPS_FROM = 8
/** The most words of a query that are looked up so, and the most words for each. */
const MAX_TYPOS = 4
const MAX_MEANT = 3
const LETTERS = /^[\p{L}\p{M}']+$/u

export type TypoOptions = { readonly formsOf: FormsOf; readonly near: Near }

/** The query with the words that may be meant; null if every word is known. */
export async function withTypos(
  matcher: Matcher,
  query: Query,
  options: TypoOptions,
): Promise<WithTypos | null> {
  const terms = mayBeMistaken(query).filter(mayBeTypo)
  const words = [...new Set(terms.flatMap((term) => term.words))]
  const counts = await matcher.pagesWith(
    words.map((word) => [word, ...options.formsOf(word)]),
    FEW_HITS + 1,
  )
  const typos: Typo[] = []
  for (const [at, word] of words.entries()) {
    const pages = counts[at] ?? 0
    if (pages > FEW_HITS || typos.length === MAX_TYPOS) continue
    const meant = await meantFor(matcher, { word, pages }, options.near)
    if (meant.length > 0) typos.push({ word, pages, meant })
  }
  return typos.length === 0 ? null : { query: extended(query, typos), typos }
}

async function meantFor(
  matcher: Matcher,
  { word, pages }: Omit<Typo, 'meant'>,
  near: Near,
): Promise<Typo['meant']> {
  const most = word.length < TWO_STEPS_FROM ? 1 : 2
  const offered = (await near(word)).filter((each) => each.steps <= most)
  const counted = (await exactCounts(matcher, offered)).sort(byWorth)
  return counted
    .filter((each) => each.pages > pages * MUCH_MORE)
    .slice(0, MAX_MEANT)
    .map((each) => ({ word: each.text, pages: each.pages }))
}

/** Counting stops here: this is common enough. */
const COMMON = 10_000

/** The list of words knows roughly how many pages have a word; suggestions must not depend on the order of pages. */
async function exactCounts(matcher: Matcher, near: readonly NearWord[]): Promise<NearWord[]> {
  const parts = near.map(({ text }) => text.split(' '))
  const words = [...new Set(parts.flat())]
  const counts = await matcher.pagesWith(
    words.map((word) => [word]),
    COMMON,
  )
  const pages = new Map(words.map((word, at) => [word, counts[at] ?? 0]))
  return near.map((each, at) => ({
    ...each,
    pages: Math.min(...(parts[at] ?? []).map((word) => pages.get(word) ?? 0)),
  }))
}

/** Words in quotes and beginnings of words are meant as they are. */
function mayBeTypo({ anyForm, words, added = false }: Term): boolean {
  const [word = ''] = words
  return anyForm && !added && word.length >= MIN_LENGTH && LETTERS.test(word)
}

function extended(query: Query, typos: readonly Typo[]): Query {
  const meantFor = new Map(typos.map(({ word, meant }) => [word, meant]))
  const all = query.all.map((terms) => [
    ...terms,
    ...terms.flatMap((term) => {
      const meant = (mayBeTypo(term) && meantFor.get(term.words[0] ?? '')) || []
      return meant.map(({ word }) => meantTerm(term, word.split(' ')))
    }),
  ])
  return { ...query, all }
}

function meantTerm({ written: _, ...term }: Term, words: readonly string[]): Term {
  return { ...term, words, anyForm: words.length === 1, added: true }
}

/** The same matches with some of them first. */
export function putFirst(matches: readonly Match[], ids: ReadonlySet<number>): readonly Match[] {
  if (ids.size === 0) return matches
  const isFirst = ({ id }: Match) => ids.has(id)
  return [...matches.filter(isFirst), ...matches.filter((match) => !isFirst(match))]
}
