// Values of crawl options as people write them, read and checked. What cannot be accepted is thrown as
// `Refused`, with what is needed instead.
import { isIP } from 'node:net'
import type { ConnectTo } from '../core/crawl-terms.ts'
import { InvalidInput, Refused, shown } from '../core/errors.ts'
import { compileGlob } from '../core/glob.ts'
import { LANGUAGE_CODES, languageCode } from '../core/languages.ts'
import { PARTS, type Part } from '../core/page.ts'
import { type AllowPrivate, allowedEntry } from '../core/private-access.ts'
import { type Field, fieldNamed } from '../core/search-field.ts'
import { tooLongForTopic } from '../core/topic-text.ts'
import { VERSION } from '../core/version.ts'

/** Every link is held against all of them. */
const MAX_GLOBS = 1000
const MAX_KEYWORDS = 1000
const MAX_KEYWORD_CHARACTERS = 200

/** The name that servers see. Without a contact it says so: an operator should know. */
export function userAgentFor(contact: string | null): string {
  return `Jelajah/${VERSION} (+${contact ?? 'no-contact-given'})`
}

export function headerText(value: string, form: RegExp, needs: string): string {
  if (form.test(value) && value.length <= 512) return value
  throw new Refused(`needs ${needs} of at most 512 characters`)
}

/** The globs as given, once each is known to compile. */
export function globsOf(globs: readonly string[]): readonly string[] {
  if (globs.length > MAX_GLOBS) throw new Refused(`takes at most ${MAX_GLOBS} globs`)
  for (const glob of globs) compileGlob(glob)
  return globs
}

export function pairOf(pair: string): [string, string] {
  const at = pair.indexOf('=')
  if (at <= 0) throw new Refused(`needs KEY=VALUE, not "${pair}"`)
  return [pair.slice(0, at), pair.slice(at + 1)]
}

export function proxyOf(given: string): string {
  const url = URL.parse(given)
  // Without the value: a proxy often carries a password.
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new Refused('needs http://host:port or https://host:port')
  }
  return given
}

export function connectToOf(given: string): ConnectTo {
  const parts = /^([^=\s]+)=(\[[0-9a-f:.]+\]|[^=\s:[\]]+):(\d{1,5})$/i.exec(given)
  const [, pattern = '', address = '', digits = '0'] = parts ?? []
  const port = Number(digits)
  if (port < 1 || port > 65_535) {
    throw new Refused(`needs PATTERN=ADDR:PORT such as *.test=127.0.0.1:8080, not "${given}"`)
  }
  return { pattern, address, port }
}

export function connectToText({ pattern, address, port }: ConnectTo): string {
  return `${pattern}=${address}:${port}`
}

export function nameServerOf(given: string): string {
  const [, v6 = '', v4 = '', digits = '53'] =
    /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(given) ?? []
  const port = Number(digits)
  const isValid = port >= 1 && port <= 65_535
  if (isIP(given) === 6) return `[${given}]:53`
  if (isIP(v4) === 4 && isValid) return `${v4}:${port}`
  if (isIP(v6) === 6 && isValid) return `[${v6}]:${port}`
  throw new Refused(`needs an address such as 9.9.9.9, 127.0.0.1:5353 or [::1]:53, not "${given}"`)
}

export function allowPrivateOf(allowed: boolean | readonly string[]): AllowPrivate {
  return typeof allowed === 'boolean' ? allowed : [...new Set(allowed.map(allowedEntry))]
}

export function stripParamsOf(entries: readonly string[]): readonly string[] {
  const names = split(entries)
  const wrong = names.filter((name) => !/^[\w.\-[\]]{1,64}\*?$/.test(name))
  if (wrong.length > 0) {
    throw new Refused(`needs names of parameters, tracking, session or none, not "${wrong[0]}"`)
  }
  return names.includes('none') ? [] : [...new Set(names)]
}

export function partsOf(entries: readonly string[]): readonly Part[] {
  const names = split(entries)
  if (names.includes('all')) return PARTS
  const wrong = names.filter((name) => name !== 'none' && !PARTS.some((part) => part === name))
  if (wrong.length > 0) {
    throw new Refused(`knows ${PARTS.join(', ')}, all and none, not "${wrong.join('", "')}"`)
  }
  return PARTS.filter((part) => names.includes(part))
}

/** In a request an empty list means the preset. */
export function listOrNone(entries: readonly string[]): readonly string[] {
  return entries.length === 0 ? ['none'] : entries
}

export function topicOf(topic: string): string {
  const problem = tooLongForTopic(topic)
  if (problem === null) return topic
  throw new Refused(problem)
}

export function languagesOf(entries: readonly string[]): readonly string[] {
  const given = split(entries).filter((one) => one !== '')
  const unknown = given.filter((one) => languageCode(one) === null)
  if (given.length === 0) throw new Refused('needs a code such as id or en between the commas')
  if (unknown.length > 0) {
    const known = `known are ${LANGUAGE_CODES.join(', ')}`
    throw new Refused(`cannot tell ${unknown.map(shown).join(', ')} from others; ${known}`)
  }
  return [...new Set(given.flatMap((one) => languageCode(one) ?? []))]
}

export function keywordsOf(entries: readonly string[]): readonly string[] {
  const keywords = [...new Set(split(entries).filter((word) => word !== ''))]
  const long = keywords.find((word) => word.length > MAX_KEYWORD_CHARACTERS)
  if (long !== undefined) {
    throw new Refused(`takes words and short phrases, not ${shown(long)}`)
  }
  if (keywords.length === 0) throw new Refused('needs at least one word between the commas')
  if (keywords.length > MAX_KEYWORDS) throw new Refused(`takes at most ${MAX_KEYWORDS} keywords`)
  return keywords
}

function split(entries: readonly string[]): string[] {
  return entries.flatMap((entry) => entry.split(',')).map((one) => one.trim())
}

// A moment in the past as people write it: a day, a time, or how long ago.

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}
const AGO = /^(\d{1,6})([mhdw])$/
const TIME =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Epoch ms. A day begins at midnight UTC, and a time without a zone is one of UTC. */
export function sinceTime(written: string, now: number): number {
  const [, count = '', unit = ''] = AGO.exec(written) ?? []
  const unitMs = UNITS[unit]
  if (unitMs !== undefined) return Math.max(0, now - Number(count) * unitMs)
  const at = TIME.test(written) ? Date.parse(inUtc(written)) : Number.NaN
  if (!Number.isNaN(at) && isOnCalendar(written)) return at
  throw new Refused(`needs a day (2026-11-01), a time or an age such as 7d, not ${shown(written)}`)
}

function inUtc(written: string): string {
  const text = written.replace(' ', 'T')
  return /T/.test(text) && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text
}

/** Some dates that are none, such as the 31st of June, would count as days after it. */
function isOnCalendar(written: string): boolean {
  const day = written.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

// `title,content`: the fields that a search looks in.

/** The names in help; `text` and other names are accepted, too. */
export const COLUMN_NAMES = ['title', 'description', 'keywords', 'content', 'url', 'host'] as const

/** Reads a list with commas; InvalidInput at `at` names the columns there are. */
export function searchColumns(text: string, at: string): readonly Field[] {
  const names = text.split(',').map((name) => name.trim())
  const fields = names.map((name) => fieldNamed(name))
  const unknown = names.filter((_, nth) => fields[nth] === null)
  if (unknown.length > 0) {
    const [first = ''] = unknown
    throw new InvalidInput(
      at,
      `there is no column ${shown(first)}; there are ${COLUMN_NAMES.join(', ')}`,
    )
  }
  return [...new Set(fields.filter((field) => field !== null))]
}
