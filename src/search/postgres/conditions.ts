// Values of one statement as they are needed, and filters as conditions on `searched_pages`, which is
// called `page` here.
import { numberArray } from '../../db/postgres-array.ts'
import { primaryLanguage } from '../../text/text.ts'
import type { SearchFilter } from '../search-index.ts'

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
