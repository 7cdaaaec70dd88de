// Values of crawl options as people write them, read and checked. What cannot be accepted is thrown as
// `Refused`, with what is needed instead.
import { isIP } from 'node:net'
import type { ConnectTo } from '../core/crawl-terms.ts'
import { Refused, shown } from '../core/errors.ts'
import { compileGlob } from '../core/glob.ts'
import { LANGUAGE_CODES, languageCode } from '../core/languages.ts'
import { KEPT, type Kept, PART_CHOICES, PARTS, type PartChoice } from '../core/page.ts'
import { type AllowPrivate, allowedEntry } from '../core/private-access.ts'
import { READY_TOPICS, type ReadyTopic, readyTopic, tooLongForTopic } from '../core/topic-text.ts'
import { VERSION } from '../core/version.ts'
import { nearest } from '../lib/edit-steps.ts'

/** Every link is held against all of them. */
const MAX_GLOBS = 1000
const MAX_KEYWORDS = 1000
const MAX_EXTENSIONS = 200
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

/** Lower case, without their dots. Extensions of more than 8 letters are none. */
export function extensionsOf(entries: readonly string[]): readonly string[] {
  const names = split(entries).map((name) => name.replace(/^\*?\./, '').toLowerCase())
  const wrong = names.find((name) => !/^[a-z0-9]{1,8}$/.test(name))
  if (wrong !== undefined) throw new Refused(`needs extensions such as pdf,ps, not ${shown(wrong)}`)
  if (names.length > MAX_EXTENSIONS) throw new Refused(`takes at most ${MAX_EXTENSIONS} extensions`)
  return [...new Set(names)]
}

/** A part that is kept with the text of its code is kept. */
export function partsOf(entries: readonly string[]): readonly PartChoice[] {
  const names = split(entries)
  const known = [...PART_CHOICES, 'all', 'none']
  const wrong = names.filter((name) => !known.includes(name))
  if (wrong.length > 0) {
    throw new Refused(`knows ${PART_CHOICES.join(', ')}, all and none, not "${wrong.join('", "')}"`)
  }
  const wanted = names.flatMap((name) =>
    name === 'all' ? PARTS : [name, name.replace('=text', '')],
  )
  return PART_CHOICES.filter((choice) => wanted.includes(choice))
}

export function keptOf(entries: readonly string[]): readonly Kept[] {
  const names = split(entries)
  const wrong = names.filter((name) => !KEPT.some((kept) => kept === name))
  if (wrong.length > 0)
    throw new Refused(`knows ${KEPT.join(' and ')}, not "${wrong.join('", "')}"`)
  return KEPT.filter((kept) => names.includes(kept))
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
    const meant = unknown.map(codeOfName).filter((code) => code !== undefined)
    const known =
      meant.length > 0
        ? `did you mean ${meant.join(',')}?`
        : `known are ${LANGUAGE_CODES.join(', ')}`
    throw new Refused(`cannot tell ${unknown.map(shown).join(', ')} from others; ${known}`)
  }
  return [...new Set(given.flatMap((one) => languageCode(one) ?? []))]
}

/** The code of a language by its name in English, in Indonesian or in the language itself. */
function codeOfName(name: string): string | undefined {
  const wanted = name.toLowerCase()
  return LANGUAGE_CODES.find((code) => {
    return ['en', 'id', code].some((locale) => {
      return (
        new Intl.DisplayNames([locale], { type: 'language' }).of(code)?.toLowerCase() === wanted
      )
    })
  })
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

/** Names in English or Indonesian. */
export function readyTopicsOf(entries: readonly string[]): readonly ReadyTopic[] {
  const names = split(entries).filter((name) => name !== '')
  if (names.length === 0) throw new Refused(`needs at least one of ${READY_NAMES.join(', ')}`)
  const topics = names.map((name) => {
    const topic = readyTopic(name)
    if (topic !== null) return topic
    const meant = nearest(name.toLowerCase(), READY_NAMES)
    const hint = meant === null ? '' : `; did you mean ${meant}?`
    throw new Refused(
      `needs any of ${READY_NAMES.join(', ')}, not ${shown(name)}${hint}; for another topic ` +
        'give --topic, --keywords or --examples',
    )
  })
  return [...new Set(topics)]
}

const READY_NAMES = READY_TOPICS.flatMap(({ name, indonesian }) => [name, indonesian])

function split(entries: readonly string[]): string[] {
  return entries.flatMap((entry) => entry.split(',')).map((one) => one.trim())
}

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}
const AGO = /^(\d{1,6})([mhdw])$/
const TIME =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * A moment in the past as people write it, as epoch ms: a day, a time, or how long ago. A day begins at
 * midnight UTC, and a time without a zone is one of UTC.
 */
export function sinceTime(written: string, now: number): number {
  const [, count = '', unit = ''] = AGO.exec(written) ?? []
  const unitMs = UNITS[unit]
  if (unitMs !== undefined) return Math.max(0, now - Number(count) * unitMs)
  const at = TIME.test(written) ? Date.parse(inUtc(written)) : Number.NaN
  if (!Number.isNaN(at) && isOnCalendar(written)) return at
  throw new Refused(`needs a day (2026-11-01), a time or an age such as 7d, not ${shown(written)}`)
}

/** The end of a time: a day ends with its last moment. */
export function untilTime(written: string, now: number): number {
  const at = sinceTime(written, now)
  return /^\d{4}-\d{2}-\d{2}$/.test(written) ? at + DAY_MS : at
}

const DAY_MS = 86_400_000

function inUtc(written: string): string {
  const text = written.replace(' ', 'T')
  return /T/.test(text) && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text
}

/** Some dates that are none, such as the 31st of June, would count as days after it. */
function isOnCalendar(written: string): boolean {
  const day = written.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
