// What is looked for in vectors, in the language of `tsquery`. Every word is quoted and consists of
// letters, digits and apostrophes anyway (words.ts), so nothing that was typed is ever read as an operator.
import { FIELDS, type Field } from '../../core/search-field.ts'
import type { FormsOf } from '../forms-in-use.ts'
import { STEMS_OF } from '../page-columns.ts'
import type { Term } from '../query.ts'
import { quoted, SIGNS } from './page-vectors.ts'

/** In which of the two vectors of a page, and what. */
export type Lookup = { readonly vector: 'words' | 'stems'; readonly text: string }

/** One term of a query, and what counts in its place where it is not. */
export type TermLookups = { readonly itself: Lookup; readonly forms: readonly Lookup[] }

const STEM_FIELDS = FIELDS.filter((field) => STEMS_OF[field] !== undefined)

export function lookupsOf(term: Term, formsOf: FormsOf): TermLookups {
  const [word] = term.words
  const itself = lookupOf(term)
  const fields = (term.fields ?? STEM_FIELDS).filter((field) => STEM_FIELDS.includes(field))
  if (!term.anyForm || word === undefined || fields.length === 0) return { itself, forms: [] }
  return { itself, forms: formsOf(word).map((form) => stemLookup(form, fields)) }
}

/** The words as they are. */
export function lookupOf({ words, prefix, fields }: Term): Lookup {
  const phrases = (fields ?? FIELDS).map((field) => {
    const row = words.map((word) => quoted(SIGNS[field] + word)).join(' <-> ')
    return `(${row}${prefix ? ':*' : ''})`
  })
  return { vector: 'words', text: phrases.join(' | ') }
}

function stemLookup(stem: string, fields: readonly Field[] = STEM_FIELDS): Lookup {
  const stems = fields.map((field) => quoted(SIGNS[field] + stem))
  return { vector: 'stems', text: stems.join(' | ') }
}

/** A word or a stem, as an index has it, in any column. Stems have a low line, words never have. */
export function anywhere(word: string): Lookup {
  if (word.includes('_')) return stemLookup(word)
  return lookupOf({ words: [word], prefix: false, anyForm: false, fields: null, loose: false })
}

/** One for each vector that is looked into: what has one of these. */
export function anyOf(lookups: readonly Lookup[]): Lookup[] {
  return (['words', 'stems'] as const).flatMap((vector) => {
    const texts = lookups.filter((lookup) => lookup.vector === vector).map(({ text }) => text)
    return texts.length === 0 ? [] : [{ vector, text: [...new Set(texts)].join(' | ') }]
  })
}
