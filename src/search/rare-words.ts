// The words of a query that few pages have. Where one of many words is enough, the common ones would bring
// most of the pages and all of the work, and hardly ever one that belongs among the best: on 550 queries
// made from link texts, over 28,591 pages, leaving them out changed no measure by more than 0.004.
import type { Matcher } from './matcher.ts'
import type { Term } from './query.ts'

/** Pages that all words together may bring. */
const MAX_PAGES = 10_000

/** The rarest terms, in the order they came; one at least that some page has, if there is one. */
export async function rareTerms(
  matcher: Pick<Matcher, 'pagesWith'>,
  terms: readonly Term[],
): Promise<readonly Term[]> {
  const counts = await matcher.pagesWith(
    terms.map(({ words }) => words.slice(0, 1)),
    MAX_PAGES + 1,
  )
  const counted = terms.map((term, at) => ({ term, pages: counts[at] ?? 0 }))
  const kept = new Set<Term>()
  let sum = 0
  for (const { term, pages } of counted.toSorted((a, b) => a.pages - b.pages)) {
    if (sum > 0 && sum + pages > MAX_PAGES) break
    kept.add(term)
    sum += pages
  }
  return terms.filter((term) => kept.has(term))
}
