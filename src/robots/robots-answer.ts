// What the answer to a request for robots.txt means (RFC 9309, 2.3.1): where the file moved to, or what
// it says.
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import type { Fetched } from '../http/fetcher.ts'
import { decompress } from '../lib/decompress.ts'

/** `fetched`: obey it. `unavailable`: there is none, all is allowed. `unreachable`: all is forbidden. */
export type RobotsState = 'fetched' | 'unavailable' | 'unreachable'

/** `body` is '' unless the file was fetched. */
export type RobotsAnswer = { readonly status: RobotsState; readonly body: string }

export const NO_FILE: RobotsAnswer = { status: 'unavailable', body: '' }
const UNREACHABLE: RobotsAnswer = { status: 'unreachable', body: '' }

/**
 * The state for an HTTP status, or for null: no answer at all (DNS, connection, time-out, TLS, a
 * body cut short). A host that says "too many requests" is in distress like one that says 5xx. A
 * redirect that could not be followed says nothing about the rules, so nothing is allowed by it.
 */
export function robotsStateOf(status: number | null): RobotsState {
  if (status === null || status === 429) return 'unreachable'
  if (status >= 200 && status < 300) return 'fetched'
  return status >= 400 && status < 500 ? 'unavailable' : 'unreachable'
}

/** How many bytes of such an answer are wanted. */
export function robotsBytesWanted(status: number): number {
  return status >= 200 && status < 300 ? MAX_ROBOTS_BYTES : 0
}

/** Where the file has moved to; null when it has not. */
export function robotsRedirect(fetched: Fetched, base: CanonicalUrl): CanonicalUrl | null {
  if (fetched.outcome !== 'response' || fetched.status < 300 || fetched.status > 399) return null
  const { location } = fetched.headers
  return location === null ? null : canonicalise(location, base)
}

export function robotsAnswer(fetched: Fetched): RobotsAnswer {
  if (fetched.outcome !== 'response') return UNREACHABLE
  const status = robotsStateOf(fetched.status)
  if (status !== 'fetched') return { status, body: '' }
  const { headers, body } = fetched
  const decoded = decompress(Buffer.concat(body), headers.contentEncoding, MAX_ROBOTS_BYTES)
  return decoded.ok ? { status, body: decodeRobots(decoded.bytes) } : UNREACHABLE
}

export type RobotsLine = {
  readonly key: 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap'
  /** Trimmed; '' when nothing is there. */
  readonly value: string
}

/** RFC 9309 asks for at least this much to be read. */
export const MAX_ROBOTS_BYTES = 500 * 1024

// The misspellings are those that Google's crawler forgives; sites are written against it.
const KEYS: readonly (readonly [prefix: string, key: RobotsLine['key']])[] = [
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['crawl-delay', 'crawl-delay'],
  ['crawldelay', 'crawl-delay'],
  ['crawl delay', 'crawl-delay'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
]
const LONGEST_KEY = 64

/**
 * The text of a robots.txt as it came over the wire, cut at the last full line within the limit.
 *
 * The lines of a robots.txt that we know, in order: cleaned of comments, tolerant of the slips that
 * webmasters make.
 */
export function decodeRobots(body: Uint8Array): string {
  const bytes = body.length >= MAX_ROBOTS_BYTES ? cutAtLine(body) : body
  try {
    return new TextDecoder(charsetOf(bytes), { fatal: true }).decode(bytes)
  } catch {
    // Not UTF-8 as it should be: then most likely the old Western charset, in which every byte is
    // a character.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

export function* readLines(text: string): Generator<RobotsLine> {
  for (const raw of withinLimit(text).split(/\r\n|\r|\n/)) {
    const line = readLine(raw)
    if (line !== null) yield line
  }
}

function readLine(raw: string): RobotsLine | null {
  const hash = raw.indexOf('#')
  const line = (hash < 0 ? raw : raw.slice(0, hash)).trim()
  if (line === '') return null
  const colon = line.indexOf(':')
  if (colon >= 0) return lineOf(line.slice(0, colon).trimEnd(), line.slice(colon + 1).trim())
  // A forgotten colon is forgiven where there is nothing but a key and a value.
  const words = line.split(/\s+/, 3)
  return words.length === 2 ? lineOf(words[0] ?? '', words[1] ?? '') : null
}

function lineOf(name: string, value: string): RobotsLine | null {
  if (name.length > LONGEST_KEY) return null
  const lower = name.toLowerCase()
  const known = KEYS.find(([prefix]) => lower.startsWith(prefix))
  return known === undefined ? null : { key: known[1], value }
}

function withinLimit(text: string): string {
  const clean = text.startsWith('\ufeff') ? text.slice(1) : text
  // A character takes at most three bytes per UTF-16 unit: most files need no counting.
  if (clean.length * 3 <= MAX_ROBOTS_BYTES) return clean
  const bytes = Buffer.from(clean)
  return bytes.length >= MAX_ROBOTS_BYTES ? decodeRobots(bytes) : clean
}

function cutAtLine(body: Uint8Array): Uint8Array {
  const head = Buffer.from(body.buffer, body.byteOffset, MAX_ROBOTS_BYTES)
  const end = Math.max(head.lastIndexOf(0x0a), head.lastIndexOf(0x0d))
  return head.subarray(0, Math.max(end, 0))
}

function charsetOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
}
