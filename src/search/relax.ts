// A query with fewer demands, for when hardly a page has all that was asked for: one of its words is
// enough. Who asks in a sentence, or remembers a word wrongly, finds what is nearest. Words that signs tie
// together are taken apart, words that are in every text are left out. What was asked for without
// exception stays as it is.
import { isStopWord } from '../text/stop-words.ts'
import type { Query, Term } from './query.ts'

/** The words of which one is enough come last. Null: it cannot ask for less. */
export function relaxed(query: Query, { exact }: { readonly exact: boolean }): Query | null {
  const loose = query.all.filter(isLoose).flat()
  const single = loose.flatMap((term) => apart(term, exact))
  if (single.length < 2) return null
  const telling = single.filter(({ words: [word = ''] }) => !isStopWord(word))
  const firm = query.all.filter((terms) => !isLoose(terms))
  return { ...query, all: [...firm, once(telling.length > 0 ? telling : single)] }
}

function isLoose(terms: readonly Term[]): boolean {
  return terms.every(({ loose }) => loose)
}

function apart(term: Term, exact: boolean): Term[] {
  return term.words.map((word) => ({ ...term, words: [word], anyForm: !exact }))
}

function once(terms: readonly Term[]): Term[] {
  return [...new Map(terms.map((term) => [term.words.join(' '), term])).values()]
}
