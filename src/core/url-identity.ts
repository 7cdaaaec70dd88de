// Removes the parts of a URL that do not select a page: tracking parameters and session ids. This applies
// wherever a URL enters: links, seeds, redirects, sitemaps, canonical URLs. Any other parameter may matter,
// so nothing else is removed; a value that may be an ordinary number (`?sid=123`) is no session id.
import type { CanonicalUrl } from './url.ts'

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
