// Values of one statement as they are needed, and filters as conditions on `searched_pages`, which is
// called `page` here.

import { FIELDS, type Field } from '../../core/search-field.ts'
import { numberArray } from '../../db/postgres-array.ts'
import { primaryLanguage } from '../../text/text.ts'
import type { FormsOf } from '../forms-in-use.ts'
import { STEMS_OF } from '../page-columns.ts'
import type { Term } from '../query.ts'
import type { SearchFilter } from '../search-index.ts'
import { quoted, SIGNS } from './page-vectors.ts'

export class Values {
  readonly #values: (string | number)[] = []

  /** Where the value is to stand. The same one stands there once. */
  add(value: string | number, type: string): string {
    const known = this.#values.indexOf(value)
    const place = known === -1 ? this.#values.push(value) : known + 1
    return `$${place}::text::${type}`
  }

  /** A statement with those values that it uses: the server wants no others. */
  bound(statement: string): [text: string, values: string[]] {
    const places = new Map<string, number>()
    const text = statement.replace(PLACE, (_, place: string) => {
      if (!places.has(place)) places.set(place, places.size + 1)
      return `$${places.get(place)}::text`
    })
    return [text, [...places.keys()].map((place) => String(this.#values[Number(place) - 1]))]
  }
}

const PLACE = /\$(\d+)::text/g

/** `topics`: what crawls are about, by number. */
export function conditionsOf(
  filter: SearchFilter,
  topics: ReadonlyMap<number, string>,
  values: Values,
): string {
  const { crawlId, host, language, kind, hot, topic, since } = filter
  const conditions: string[] = []
  const is = (column: string, value: string | number, type: string, sign = '=') =>
    conditions.push(`page.${column} ${sign} ${values.add(value, type)}`)
  if (crawlId !== undefined) is('crawl_id', crawlId, 'bigint')
  if (host !== undefined) is('host', askable(host.toLowerCase()), 'text')
  if (language !== undefined) is('language', askable(primaryLanguage(language)), 'text')
  if (kind !== undefined) is('kind', askable(kind), 'text')
  if (hot !== undefined) is('hot', Number(hot), 'smallint')
  if (since !== undefined) is('fetched_at', since, 'double precision', '>=')
  if (topic !== undefined) {
    is('hot', 1, 'smallint')
    const crawls = [...topics].filter(([, about]) => about === topic).map(([id]) => id)
    conditions.push(`page.crawl_id = ANY (${values.add(numberArray(crawls), 'bigint[]')})`)
  }
  return conditions.join(' AND ') || 'true'
}

/** No page has what the server cannot read. */
function askable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

// What is looked for in vectors, in the language of `tsquery`. Every word is quoted and consists of
// letters, digits and apostrophes anyway (words.ts), so nothing that was typed is ever read as an operator.

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
