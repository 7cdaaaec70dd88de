// "More like this": the words that tell most about a page, as a query. A word tells more the more often the page has it,
// most of all in its title, and the fewer other pages have it.
import { isStopWord } from '../text/stop-words.ts'
import type { BestMatches } from './best-matches.ts'
import type { Matcher } from './matcher.ts'
import type { Query, Term } from './query.ts'
import type { LikedPage } from './search-index.ts'
import { urlKey, wordsOf } from './words.ts'

/** The most words of a text that are read, words whose pages are counted, and words of the query. */
const MAX_CHARS = 200_000
const COUNTED = 400
const TELLING = 20
const IN_TITLE = 3
const MIN_LENGTH = 3
/** So often a word counts half of what it can. */
const HALF = 2
const LETTERS = /^[\p{L}\p{M}\p{N}']+$/u
const NUMBER = /^\p{N}+$/u

export async function likeQuery(matcher: Matcher, page: LikedPage): Promise<Query> {
  const often = countsOf(page)
  const most = [...often].sort((a, b) => b[1] - a[1]).slice(0, COUNTED)
  const words = most.map(([word]) => word)
  const pages = await matcher.words.pages(words)
  const all = Math.max(2, ...pages) * 2
  const telling = most
    .map(([word, count], at) => ({ word, worth: worthOf(count, pages[at] ?? 0, all) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : 1))
    .slice(0, TELLING)
    .map(({ word }) => word)
  const used = telling.join(' ')
  return { used, cut: false, all: telling.length === 0 ? [] : [telling.map(termOf)], none: [] }
}

function countsOf({ title, description, keywords, contentText }: LikedPage): Map<string, number> {
  const often = new Map<string, number>()
  const take = (text: string, weight: number) => {
    for (const word of wordsOf(text.slice(0, MAX_CHARS))) {
      if (isTelling(word)) often.set(word, (often.get(word) ?? 0) + weight)
    }
  }
  take(title, IN_TITLE)
  take(keywords, 1)
  take(description, 1)
  take(contentText, 1)
  return often
}

function isTelling(word: string): boolean {
  if (word.length < MIN_LENGTH && word.charCodeAt(0) < 0x2e80) return false
  return !isStopWord(word) && LETTERS.test(word) && !NUMBER.test(word)
}

/** `pages`: those that have the word at their beginning. A word of this page alone leads to no other. */
function worthOf(count: number, pages: number, all: number): number {
  return (count / (count + HALF)) * Math.log(all / Math.max(1, pages))
}

function termOf(word: string): Term {
  return {
    ...{ words: [word], prefix: false, anyForm: true, fields: null, loose: true, phrase: false },
    added: true,
  }
}

/** Without the page itself, its near-duplicates and its URL in other crawls. */
export function withoutItself(best: BestMatches, page: LikedPage): BestMatches {
  const key = urlKey(page.url)
  const cluster = best.matches.find(({ id }) => id === page.id)?.cluster ?? null
  const matches = best.matches.filter(
    (match) =>
      match.id !== page.id &&
      match.urlKey !== key &&
      (cluster === null || match.cluster !== cluster),
  )
  const pages = best.pages - (best.matches.length - matches.length)
  return { ...best, matches, pages, whole: pages, first: matches.length }
}
