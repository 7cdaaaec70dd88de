// Which of a word's stems are worth looking for. Every language would cut something off any word: in
// Indonesian "person" would be a form of "son". And a stem that is rare, because its language is,
// would count as a find: pages in English would come after the few in Indonesian that quote them. So a
// word is taken to be of the language where it is common, of several only if it is in all of them.
import type { DatabaseSync } from 'node:sqlite'
import type { FormsOf } from './match-expression.ts'

/** Common enough to need no more counting. */
const COMMON = 1000
/** Less than this share of the most common one: a word that pages of that language only quote. */
const LEAST_SHARE = 0.2

/** `formsOf`: all stems of a word. */
export function formsInUse(db: DatabaseSync, formsOf: FormsOf): FormsOf {
  const count = db.prepare(`
    SELECT count(*) AS pages
    FROM (SELECT 1 FROM page_words WHERE page_words MATCH ? LIMIT ${COMMON})`)
  return (word) => {
    const forms = formsOf(word)
    if (forms.length < 2) return forms
    const pages = forms.map((form) => Number(count.get(`"${form}"`)?.pages ?? 0))
    const least = Math.max(1, Math.max(...pages) * LEAST_SHARE)
    return forms.filter((_, at) => (pages[at] ?? 0) >= least)
  }
}
