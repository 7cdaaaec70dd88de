// The values of one statement, and filters as conditions on `searched_pages`, with the alias `page`.
import { type Field, OWN_FIELDS, type OwnField } from '../../core/search-field.ts'
import { numberArray } from '../../db/postgres-array.ts'
import { primaryLanguage } from '../../text/text.ts'
import type { FormsOf } from '../matcher.ts'
import { STEMS_OF } from '../page-columns.ts'
import type { Term } from '../query.ts'
import type { SearchFilter } from '../search-index.ts'
import { quoted, SIGNS } from './page-vectors.ts'

export class Values {
  readonly #values: (string | number)[] = []

  /** Adds a value and returns its placeholder. Equal values share one. */
  add(value: string | number, type: string): string {
    const known = this.#values.indexOf(value)
    const place = known === -1 ? this.#values.push(value) : known + 1
    return `$${place}::text::${type}`
  }

  /** The statement with only the values it uses: the server accepts no others. */
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

/** `topics`: the topics of crawls, by crawl number. */
export function conditionsOf(
  filter: SearchFilter,
  topics: ReadonlyMap<number, string>,
  values: Values,
): string {
  const { crawlId, host, language, kind, hot, topic, changedAfter } = filter
  const { since, until, publishedSince, publishedUntil } = filter
  const conditions: string[] = []
  const is = (column: string, value: string | number, type: string, sign = '=') =>
    conditions.push(`page.${column} ${sign} ${values.add(value, type)}`)
  if (crawlId !== undefined) is('crawl_id', crawlId, 'bigint')
  if (host !== undefined) is('host', askable(host.toLowerCase()), 'text')
  if (language !== undefined) is('language', askable(primaryLanguage(language)), 'text')
  if (kind !== undefined) is('kind', askable(kind), 'text')
  if (hot !== undefined) is('hot', Number(hot), 'smallint')
  if (since !== undefined) is('fetched_at', since, 'double precision', '>=')
  if (until !== undefined) is('fetched_at', until, 'double precision', '<')
  if (publishedSince !== undefined) is('published_at', publishedSince, 'double precision', '>=')
  if (publishedUntil !== undefined) is('published_at', publishedUntil, 'double precision', '<')
  if (changedAfter !== undefined) is('changed', changedAfter, 'double precision', '>')
  if (topic !== undefined) {
    is('hot', 1, 'smallint')
    const crawls = [...topics].filter(([, about]) => about === topic).map(([id]) => id)
    conditions.push(`page.crawl_id = ANY (${values.add(numberArray(crawls), 'bigint[]')})`)
  }
  return conditions.join(' AND ') || 'true'
}

/** Replaces characters that the server cannot store; no page has them. */
function askable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

/** The vector of a page to search, and the queries for it. */
export type Lookup = {
  readonly vector: 'words' | 'stems'
  /** For what the page says itself; '' if that was not asked for. */
  readonly text: string
  /** For what links say about it; '' if that was not asked for. */
  readonly said: string
}

/** One term of a query. A page counts by the first of these that it has. */
export type TermLookups = readonly Lookup[]

const STEM_FIELDS = OWN_FIELDS.filter((field) => STEMS_OF[field] !== undefined)

/**
 * Query terms in the syntax of `tsquery`. Every word is quoted and consists only of letters, digits and
 * apostrophes (words.ts), so user input is never read as an operator.
 */
export function lookupsOf(term: Term, formsOf: FormsOf): TermLookups {
  const [word] = term.words
  const itself = lookupOf(term)
  if (!term.anyForm || word === undefined) return [itself]
  const stems = formsOf(word).map((form) => stemLookup(form, term.fields))
  return [...stems.filter(({ text, said }) => text !== '' || said !== ''), itself]
}

/** The words themselves, without other forms. */
export function lookupOf({ words, prefix, fields }: Term): Lookup {
  const phraseWith = (sign: string) => {
    const row = words.map((word) => quoted(sign + word)).join(' <-> ')
    return `(${row}${prefix ? ':*' : ''})`
  }
  const phrases = ownOf(fields, OWN_FIELDS).map((field) => phraseWith(SIGNS[field]))
  return { vector: 'words', text: phrases.join(' | '), said: isSaid(fields) ? phraseWith('') : '' }
}

function stemLookup(stem: string, fields: readonly Field[] | null = null): Lookup {
  const stems = ownOf(fields, STEM_FIELDS).map((field) => quoted(SIGNS[field] + stem))
  return { vector: 'stems', text: stems.join(' | '), said: isSaid(fields) ? quoted(stem) : '' }
}

/** Those of some fields that a page says itself. */
function ownOf(fields: readonly Field[] | null, own: readonly OwnField[]): readonly OwnField[] {
  return fields === null ? own : own.filter((field) => fields.includes(field))
}

function isSaid(fields: readonly Field[] | null): boolean {
  return fields?.includes('anchor') ?? true
}

/** A word or a stem of the index, in any column. Stems contain an underscore, words never do. */
export function anywhere(word: string): Lookup {
  if (word.includes('_')) return stemLookup(word)
  return lookupOf({
    words: [word],
    prefix: false,
    anyForm: false,
    fields: null,
    loose: false,
    phrase: false,
  })
}

/** One lookup per vector that matches any of the given ones. */
export function anyOf(lookups: readonly Lookup[]): Lookup[] {
  return (['words', 'stems'] as const).flatMap((vector) => {
    const all = lookups.filter((lookup) => lookup.vector === vector)
    const one = (texts: readonly string[]) =>
      [...new Set(texts)].filter((text) => text !== '').join(' | ')
    const [text, said] = [one(all.map((each) => each.text)), one(all.map((each) => each.said))]
    return text === '' && said === '' ? [] : [{ vector, text, said }]
  })
}
