// Gives every URL one spelling before it is queued, stored or compared: the WHATWG parser, then only those
// normalisations of RFC 3986 that never change what the server receives, and no empty query. Differences
// that some sites ignore (query order, index.html, case) are kept; redirects and rel=canonical handle them
// better than a guess. Tracking parameters and session ids are removed below.
import { createRequire } from 'node:module'

declare const canonical: unique symbol
/** An absolute http(s) URL in canonical spelling, without fragment and credentials. */
export type CanonicalUrl = string & { readonly [canonical]: true }

/** Longer URLs are not even recorded: nobody links them on purpose. */
export const MAX_URL_LENGTH = 8192

const NAME = '[a-z0-9_-]{1,63}(?:\\.[a-z0-9_-]{1,63})*(?::\\d+)?'
const CLEAN_HOST = new RegExp(`^${NAME}$`)
// Matches output of the WHATWG parser that needs no further change: nearly every link.
const CLEAN = new RegExp(`^https?://${NAME}/[\\w!$&'()*+,\\-./:;=?@~]*$`)
const ROOT_DOT = /\.((?::\d+)?)$/
// DNS allows no more: 63 characters in a label, 253 in a name.
const MAX_LABEL = 63
const MAX_HOST = 253

/** Resolves and canonicalises a link; null if it can never be fetched over http(s). */
export function canonicalise(href: string, base?: string): CanonicalUrl | null {
  if (href.length > MAX_URL_LENGTH) return null
  const whole = URL.parse(href, base)?.href
  if (whole === undefined) return null
  const hash = whole.indexOf('#')
  const end = hash < 0 ? whole.length : hash
  // An empty query selects the same page.
  const text = whole.slice(0, whole.indexOf('?') === end - 1 ? end - 1 : end)
  if (text.length <= MAX_HOST && CLEAN.test(text)) return text as CanonicalUrl
  return text.startsWith('https://') || text.startsWith('http://') ? tidy(text) : null
}

/** Done by hand, since each setter of `URL` costs as much as parsing. */
function tidy(text: string): CanonicalUrl | null {
  const hostAt = text.indexOf('/') + 2
  const pathAt = text.indexOf('/', hostAt)
  const host = bareHost(text.slice(hostAt, pathAt))
  if (host === null) return null
  const url = text.slice(0, hostAt) + host + normalisePercent(text.slice(pathAt))
  return url.length > MAX_URL_LENGTH ? null : (url as CanonicalUrl)
}

/** Removes credentials and the trailing dot; null if the name is invalid in DNS. */
function bareHost(authority: string): string | null {
  if (authority.length <= MAX_HOST && CLEAN_HOST.test(authority)) return authority
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(ROOT_DOT, '$1')
  if (host.startsWith('[')) return host
  const name = host.replace(/:\d+$/, '')
  if (name.length > MAX_HOST) return null
  return name.split('.').every((label) => label !== '' && label.length <= MAX_LABEL) ? host : null
}

/** `URL.host` without parsing again: the name, and the port if it is not the default. */
export function hostOf(url: CanonicalUrl): string {
  const start = url.indexOf('//') + 2
  return url.slice(start, url.indexOf('/', start))
}

/** Scheme, host and port: the scope of a robots.txt. */
export function originOf(url: CanonicalUrl): string {
  return url.slice(0, url.indexOf('/', url.indexOf('//') + 2))
}

/** Path and query, as sent to the server. */
export function pathOf(url: CanonicalUrl): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2))
}

/** Unpacking the list of suffixes takes 10 ms of processor time, and not every process or thread asks for a site. */
let domains: typeof import('tldts') | undefined
const load = createRequire(import.meta.url)

/**
 * The site of a host: its registrable domain (`bbc.co.uk`). If there is none (an address, a single label
 * such as `localhost`), the host itself with its port, because then only the port separates two sites.
 */
export function siteOf(host: string): string {
  const list: typeof import('tldts') = domains ?? load('tldts')
  domains = list
  const { domain, isIp } = list.parse(host, { allowPrivateDomains: true })
  return isIp || domain === null ? host : domain
}

const ESCAPE = /%([0-9A-Fa-f]{2})/g
const STRAY_PERCENT = /%(?![0-9A-Fa-f]{2})/
const NEVER_IN_URI = /[^!-~]+|["<>[\\\]^`{|}]/g
const UNRESERVED = /^[A-Za-z0-9\-._~]$/
const PERCENT_SIGN = 0x25

/** By byte: its escape, or the character itself if it needs none. */
const TIDY: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte)
  return UNRESERVED.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
})
/** By ASCII code: 1 if the character is allowed in a URI. */
const LEGAL = Uint8Array.from({ length: 128 }, (_, code) =>
  String.fromCharCode(code).search(NEVER_IN_URI) < 0 ? 1 : 0,
)
/** By ASCII code: the value of a hex digit in capitals; 255 for anything else. */
const HEX = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = '0123456789ABCDEF'.indexOf(String.fromCharCode(code))
  return value < 0 ? 255 : value
})

/**
 * Path or query in canonical percent-encoding (RFC 3986 6.2.2.2): unreserved characters are unescaped,
 * other escapes are in capitals, and characters that no URI may contain are escaped. Reserved characters
 * stay as they are: for a server `%2F` and `/` differ. Applying it twice changes nothing more.
 */
export function normalisePercent(text: string): string {
  if (isTidy(text)) return text
  const legal = text.replace(NEVER_IN_URI, escapeText)
  if (!legal.includes('%')) return legal
  // After a stray percent sign, unescaping could complete a new escape, so only letters are capitalised.
  return STRAY_PERCENT.test(legal)
    ? legal.replace(ESCAPE, (triplet) => triplet.toUpperCase())
    : legal.replace(ESCAPE, (_, hex: string) => TIDY[Number.parseInt(hex, 16)] ?? '')
}

// Nearly every link is already canonical, so this path must be fast: a loop over codes is several times
// faster than a regular expression.
function isTidy(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === PERCENT_SIGN) {
      if (!isTidyEscape(text, i)) return false
    } else if (LEGAL[code] !== 1) return false
  }
  return true
}

function isTidyEscape(text: string, at: number): boolean {
  const high = HEX[text.charCodeAt(at + 1)] ?? 255
  const low = HEX[text.charCodeAt(at + 2)] ?? 255
  return high < 16 && low < 16 && TIDY[high * 16 + low]?.length === 3
}

function escapeText(text: string): string {
  const code = text.charCodeAt(0)
  if (text.length === 1 && code < 128) return TIDY[code] ?? ''
  // A lone surrogate has no UTF-8 form; as in browsers, it becomes U+FFFD.
  return encodeURIComponent(text.toWellFormed())
}

/** Returns the spelling under which the crawl knows a URL. */
export type UrlIdentity = (url: CanonicalUrl) => CanonicalUrl

/** Names that `--strip-params` accepts for built-in lists. */
const TRACKING = 'tracking'
const SESSION = 'session'

const TRACKING_NAMES = [
  ...['utm_*', 'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_source', 'gad_campaignid'],
  ...['fbclid', 'fb_action_ids', 'fb_action_types', 'igshid', 'igsh', 'msclkid', 'yclid', 'twclid'],
  ...['ttclid', 'li_fat_id', 'epik', 'mc_cid', 'mc_eid', 'mkt_tok', '_hsenc', '_hsmi', '__hssc'],
  ...['__hstc', '__hsfp', 'hsctatracking', '_ga', '_gl', '_openstat', 'oly_anon_id', 'oly_enc_id'],
  ...['vero_id', 'wickedid', 'srsltid', 'rb_clickid', 's_cid', 'at_medium', 'at_campaign'],
]
const SESSION_NAMES = [
  ...['jsessionid', 'phpsessid', 'aspsessionid*', 'asp.net_sessionid', 'sessionid', 'session_id'],
  ...['sess_id', 'oscsid', 'zenid', 'xtcsid', 'cfid', 'cftoken', 'osclass_session'],
]
/** A session id only if the value looks like one. */
const TOKEN_NAMES = new Set(['sid', 's', 'session', 'sess'])
const TOKEN = /^[0-9a-z_,-]{20,}$/i
const HEXADECIMAL = /^[0-9a-f]{32,}$/i
const LETTER_BESIDE_DIGIT = /[a-z](?=\d)|\d(?=[a-z])/gi
/** A title may contain a year or a number: `keynote-2024-opening-day`, `node22-guide`. */
const MIXED = 3
/** `;jsessionid=1F0` at the end of a path segment, and the session folder of ASP.NET. */
const PATH_SESSION = /;(?:jsessionid|phpsessid|sessionid|sid)=[^/;?]*/gi
const PATH_FOLDER = /\/\([A-Z]\([^/()]*\)\)(?=\/|$)/g

/**
 * Removes the parts of a URL that do not select a page: tracking parameters and session ids. This applies
 * wherever a URL enters: links, seeds, redirects, sitemaps, canonical URLs. Any other parameter may matter,
 * so nothing else is removed; a value that may be an ordinary number (`?sid=123`) is no session id.
 */
export function createIdentity(strip: readonly string[]): UrlIdentity {
  if (strip.length === 0) return (url) => url
  const hasSessions = strip.includes(SESSION)
  const isStripped = createNames(strip)
  return (url) => {
    const queryAt = url.indexOf('?')
    const path = queryAt < 0 ? url : url.slice(0, queryAt)
    const steady = hasSessions ? withoutSession(path) : path
    if (queryAt < 0) return steady as CanonicalUrl
    const pairs = url.slice(queryAt + 1).split('&')
    const kept = pairs.filter((pair) => !isStripped(pair))
    if (kept.length === pairs.length && steady === path) return url
    return (kept.length === 0 ? steady : `${steady}?${kept.join('&')}`) as CanonicalUrl
  }
}

function withoutSession(path: string): string {
  const plain = path.includes(';') ? path.replace(PATH_SESSION, '') : path
  return plain.includes('/(') ? plain.replace(PATH_FOLDER, '') || plain : plain
}

function createNames(strip: readonly string[]): (pair: string) => boolean {
  const hasSessions = strip.includes(SESSION)
  const all = [
    ...strip.filter((name) => name !== TRACKING && name !== SESSION),
    ...(strip.includes(TRACKING) ? TRACKING_NAMES : []),
    ...(hasSessions ? SESSION_NAMES : []),
  ].map((name) => name.toLowerCase())
  const names = new Set(all)
  const beginnings = all.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
  return (pair) => {
    const equals = pair.indexOf('=')
    const name = (equals < 0 ? pair : pair.slice(0, equals)).toLowerCase()
    if (names.has(name) || beginnings.some((beginning) => name.startsWith(beginning))) return true
    return hasSessions && TOKEN_NAMES.has(name) && isToken(pair.slice(equals + 1))
  }
}

function isToken(value: string): boolean {
  if (HEXADECIMAL.test(value)) return true
  return TOKEN.test(value) && (value.match(LETTER_BESIDE_DIGIT)?.length ?? 0) >= MIXED
}

const SLASH = 47
const QUESTION_MARK = 63
/** A query counts as one step below its page. */
const QUERY_LEVELS = 1
/** A subdomain is half a step away from the site's main host. */
const SUBDOMAIN_LEVELS = 0.5
/** A segment that starts with a tilde is a personal home page. */
const HOME_LEVELS = 0.5
/** A tie-break: never worth as much as a step near the front page. */
const NO_INSTITUTION = 0.95

/** File names, without extension, of a folder's front page. */
const FRONT_PAGES: ReadonlySet<string> = new Set(['index', 'default', 'home', 'welcome'])
/** Restricted domains, below the root and below a country. */
const INSTITUTIONS = /^(?:edu|gov|int|mil|(?:ac|edu|go|gov|mil)\.[a-z]{2})$/

/**
 * Importance by location (the IL of Cho, Garcia-Molina and Page), from 0 to 1, judged by the URL alone. The
 * front page of a site is most important, and each step into the site makes a page less important: few
 * slashes, no query, a site's main host, an institution's domain are good.
 */
export function locationOf(url: CanonicalUrl): number {
  const host = hostOf(url)
  const site = siteOf(host)
  const levels = pathLevels(pathOf(url)) + SUBDOMAIN_LEVELS * subdomains(host, site)
  const institution = INSTITUTIONS.test(site.slice(site.indexOf('.') + 1))
  return (institution ? 1 : NO_INSTITUTION) / (1 + levels)
}

/** Steps from the front page of its host. */
function pathLevels(path: string): number {
  let levels = 0
  let start = 1
  for (let at = 1; at <= path.length; at++) {
    const code = at < path.length ? path.charCodeAt(at) : QUESTION_MARK
    if (code !== SLASH && code !== QUESTION_MARK) continue
    if (at > start) levels += segmentLevels(path.slice(start, at), code !== SLASH)
    if (code === QUESTION_MARK) return levels + (at < path.length - 1 ? QUERY_LEVELS : 0)
    start = at + 1
  }
  return levels
}

function segmentLevels(segment: string, last: boolean): number {
  if (segment.startsWith('~')) return HOME_LEVELS
  if (!last) return 1
  const dot = segment.indexOf('.')
  const name = (dot < 0 ? segment : segment.slice(0, dot)).toLowerCase()
  return FRONT_PAGES.has(name) ? 0 : 1
}

/** Number of labels before the site's own name; `www` does not count. */
function subdomains(host: string, site: string): number {
  const extra = host.lastIndexOf(site)
  if (extra <= 0) return 0
  let labels = 0
  for (let at = host.startsWith('www.') ? 4 : 0; at < extra; at++) {
    if (host.charCodeAt(at) === 46) labels++
  }
  return labels
}
