// Which of a word's stems are worth looking for. Every language would cut something off any word: in
// Indonesian "person" would be a form of "son". And a stem that is rare, because its language is,
// would count as a find: pages in English would come after the few in Indonesian that quote them. So a
// word is taken to be of the language where it is common, of several only if it is in all of them.
import type { Matcher } from './matcher.ts'
import type { Query } from './query.ts'

/** The stems that a word is to be looked for by. */
export type FormsOf = (word: string) => readonly string[]

/** Common enough to need no more counting. */
const COMMON = 1000
/** Less than this share of the most common one: a word that pages of that language only quote. */
const LEAST_SHARE = 0.2

/**
 * `formsOf`: all stems of a word. Those in use of the words of a query. None that no page has: FTS5 would count
 * the word itself twice in the first page that has it.
 */
export async function formsInUse(
  matcher: Pick<Matcher, 'pagesWith'>,
  query: Query,
  formsOf: FormsOf,
): Promise<FormsOf> {
  const forms = new Map<string, readonly string[]>()
  for (const { anyForm, words } of query.all.flat()) {
    const [word] = words
    if (anyForm && word !== undefined) forms.set(word, formsOf(word))
  }
  const all = [...new Set([...forms.values()].flat())]
  const counts = await matcher.pagesWith(
    all.map((form) => [form]),
    COMMON,
  )
  const pages = new Map(all.map((form, at) => [form, counts[at] ?? 0]))
  return (word) => common(forms.get(word) ?? [], pages)
}

function common(forms: readonly string[], pages: ReadonlyMap<string, number>): readonly string[] {
  const most = Math.max(0, ...forms.map((form) => pages.get(form) ?? 0))
  const least = Math.max(1, most * LEAST_SHARE)
  return forms.filter((form) => (pages.get(form) ?? 0) >= least)
}
