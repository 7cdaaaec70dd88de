// A query in the language of FTS5. Every word is quoted and consists of letters, digits and
// apostrophes anyway (words.ts), so nothing that was typed is ever read as an operator.
import type { Field } from '../../core/search-field.ts'
import type { FormsOf } from '../forms-in-use.ts'
import { type Column, STEMS_OF } from '../page-columns.ts'
import type { Query, Term } from '../query.ts'
import { STEM_COLUMNS } from './columns.ts'

/** What must be there; null when there is nothing to look for. */
export function matchExpression({ all }: Query, formsOf: FormsOf): string | null {
  if (all.length === 0) return null
  return all.map((terms) => anyOf(terms.flatMap((term) => everyForm(term, formsOf)))).join(' AND ')
}

/** What matches this is not meant; null when nothing is excluded. */
export function unwantedExpression({ none }: Query): string | null {
  return none.length === 0 ? null : anyOf(none.map(itself))
}

function anyOf(expressions: readonly string[]): string {
  return `(${expressions.join(' OR ')})`
}

/**
 * Another form counts where the word itself is not. Were both added up, pages in languages that have a
 * stemmer would be ahead of all others that say the very same.
 */
function everyForm(term: Term, formsOf: FormsOf): string[] {
  const [word] = term.words
  if (!term.anyForm || word === undefined) return [itself(term)]
  const columns = stemColumns(term.fields)
  if (columns.length === 0) return [itself(term)]
  const exact = itself(term)
  return [exact, ...formsOf(word).map((form) => `(${within(columns, quoted(form))} NOT ${exact})`)]
}

function stemColumns(fields: readonly Field[] | null): readonly Column[] {
  return fields?.flatMap((field) => STEMS_OF[field] ?? []) ?? STEM_COLUMNS
}

/** The words as they are. */
function itself({ words, prefix, fields }: Term): string {
  const phrase = quoted(words.join(' ')) + (prefix ? ' *' : '')
  if (fields !== null) return within(fields, phrase)
  // The beginning of a word may be that of a stem, which is no word.
  return prefix ? `- ${within(STEM_COLUMNS, phrase)}` : phrase
}

function within(columns: readonly Column[], phrase: string): string {
  return `{${columns.join(' ')}} : ${phrase}`
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
