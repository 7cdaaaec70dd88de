// A query in the language of FTS5. Every word is quoted and consists of letters, digits and
// apostrophes anyway (words.ts), so nothing that was typed is ever read as an operator.
import type { Query, Term } from '../query.ts'
import { type Column, STEM_COLUMNS, STEMS_OF } from './columns.ts'

/** The stems that a word is to be looked for by. */
export type FormsOf = (word: string) => readonly string[]

/** Null when there is nothing to look for. */
export function matchExpression(query: Query, formsOf: FormsOf): string | null {
  if (query.all.length === 0) return null
  const all = query.all.map((terms) => anyOf(terms.flatMap((term) => everyForm(term, formsOf))))
  const wanted = all.join(' AND ')
  if (query.none.length === 0) return wanted
  return `(${wanted}) NOT ${anyOf(query.none.map(itself))}`
}

function anyOf(expressions: readonly string[]): string {
  return `(${expressions.join(' OR ')})`
}

function everyForm(term: Term, formsOf: FormsOf): string[] {
  const [word] = term.words
  if (!term.anyForm || word === undefined) return [itself(term)]
  const columns = term.field === null ? STEM_COLUMNS : (STEMS_OF[term.field] ?? [])
  if (columns.length === 0) return [itself(term)]
  return [itself(term), ...formsOf(word).map((form) => within(columns, quoted(form)))]
}

/** The words as they are. */
function itself({ words, prefix, field }: Term): string {
  const phrase = quoted(words.join(' ')) + (prefix ? ' *' : '')
  if (field !== null) return within([field], phrase)
  // The beginning of a word may be that of a stem, which is no word.
  return prefix ? `- ${within(STEM_COLUMNS, phrase)}` : phrase
}

function within(columns: readonly Column[], phrase: string): string {
  return `{${columns.join(' ')}} : ${phrase}`
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
