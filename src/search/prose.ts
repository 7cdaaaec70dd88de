// Tells prose from a query. In a text that somebody pasted, quotes, "-x", "|", "*" and "title:" are signs of the text
// itself: taken as operators, they would leave out the very pages that it is about.
import { isStopWord } from '../text/stop-words.ts'
import { wordsOf } from './words.ts'

/** More words that tell something are a sentence. */
export const MAX_TOGETHER = 4
/** Words such as "the" that a sentence has at least; a list of terms hardly has any. */
const LEAST_STOP_WORDS = 2
/** Prose without a full stop or a comma has at least so many words. */
const LONG = 16

/** The same pieces as those of queries. */
const RUN = /[-+]?(?:[a-z]+:)?"[^"]*"|[^\s"]+/gi
const OPERATORS = new Set(['OR', 'NOT', 'AND', '|'])
/** Signs and fields that may follow a question: "… in the world? -wine site:a.test". */
const ADDED = /^(?:[-+]|[a-z]+:).*[^.,;?!]$/is
const ENDS_CLAUSE = /(?:^|[\p{L}\p{N}%)])[.,;?!][)\]]*$/u

/** How much of a text is prose, from its beginning; 0 if it is a query. */
export function proseIn(typed: string): number {
  const quote = unclosedQuote(typed)
  const text = quote === null ? typed : `${typed.slice(0, quote)} ${typed.slice(quote + 1)}`
  // A sentence that was cut out of a quotation. Without a full stop or a comma it is a phrase.
  const isCut = quote !== null && typed.slice(0, quote).trim() === ''
  const runs = [...text.matchAll(RUN)]
  while (ADDED.test(runs.at(-1)?.[0] ?? '')) runs.pop()
  const plain = runs.map(([run]) => run).filter((run) => !OPERATORS.has(run) && !run.includes('"'))
  const words = plain.flatMap(wordsOf)
  const telling = words.filter((word) => !isStopWord(word))
  const isSentence =
    new Set(telling).size > MAX_TOGETHER && words.length - telling.length >= LEAST_STOP_WORDS
  if (!isSentence) return 0
  if ((words.length < LONG || isCut) && !plain.some((run) => ENDS_CLAUSE.test(run))) return 0
  const last = runs.at(-1)
  return last === undefined ? 0 : last.index + last[0].length
}

/** The place of a quote that never ends: a sign of something cut. */
function unclosedQuote(text: string): number | null {
  return text.split('"').length % 2 === 1 ? null : text.lastIndexOf('"')
}
