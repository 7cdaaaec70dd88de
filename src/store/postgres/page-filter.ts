// Which pages a table of them is to show.
import { MAX_FILTER_TEXT, type PageFilter } from '../page-browser.ts'
import { Conditions } from './conditions.ts'

const PLAIN = /^[\x01-\x7f]*$/
/** What LIKE would take for more than itself. */
const WILDCARDS = /[\\%_]/g
/** What a regular expression would. */
const NOT_A_LETTER = /[^\p{L}\p{N}]/u
const ASCII = /^[\x01-\x7f]$/

export function conditionsOf(crawlId: number, filter: PageFilter = {}): Conditions {
  const wanted = new Conditions().add('crawl_id = ?', crawlId)
  if (filter.duplicates !== true) wanted.add('duplicate_of IS NULL')
  if (filter.text !== undefined && filter.text !== '') addText(wanted, filter.text)
  if (filter.host !== undefined) wanted.add('host = ?', filter.host)
  if (filter.kind !== undefined) wanted.add('kind = ?', filter.kind)
  if (filter.language !== undefined) wanted.add('language = ?', filter.language)
  if (filter.hot !== undefined) wanted.add('hot = ?', Number(filter.hot))
  if (filter.minRelevance !== undefined) wanted.add('relevance >= ?', filter.minRelevance)
  return wanted
}

function addText(wanted: Conditions, text: string): void {
  const part = text.slice(0, MAX_FILTER_TEXT)
  if (PLAIN.test(part)) {
    const pattern = `%${part.replace(WILDCARDS, '\\$&')}%`
    wanted.add('(url COLLATE "C" ILIKE ? OR title COLLATE "C" ILIKE ?)', pattern, pattern)
  } else {
    const pattern = eitherCase(part)
    wanted.add('(url COLLATE "C" ~ ? OR title COLLATE "C" ~ ?)', pattern, pattern)
  }
}

/**
 * A regular expression for a text without regard to case. What a database takes for the other case of
 * a letter depends on how it was made; so both are named.
 */
export function eitherCase(text: string): string {
  return Array.from(text.toLowerCase().toWellFormed(), (letter) => {
    const upper = letter.toUpperCase()
    if (upper !== letter && isUpperOf(upper, letter)) return `(?:${letter}|${upper})`
    return ASCII.test(letter) && NOT_A_LETTER.test(letter) ? `\\${letter}` : letter
  }).join('')
}

/** Some letters are small in another way at the end of a word. */
function isUpperOf(upper: string, letter: string): boolean {
  return upper.toLowerCase() === letter || `a${upper}`.toLowerCase() === `a${letter}`
}
