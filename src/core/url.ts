// Gives every URL one spelling before it is queued, stored or compared: the WHATWG parser, then only those
// normalisations of RFC 3986 that never change what the server receives, and no empty query. Differences
// that some sites ignore (query order, index.html, case) are kept; redirects and rel=canonical handle them
// better than a guess. Tracking parameters and session ids are handled in url-identity.ts.
import { parse as parseDomain } from 'tldts'

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

/**
 * The site of a host: its registrable domain (`bbc.co.uk`). If there is none (an address, a single label
 * such as `localhost`), the host itself with its port, because then only the port separates two sites.
 */
export function siteOf(host: string): string {
  const { domain, isIp } = parseDomain(host, { allowPrivateDomains: true })
  return isIp || domain === null ? host : domain
}

// Canonical percent-encoding (RFC 3986 6.2.2.2): unreserved characters are unescaped, other escapes are in
// capitals, and characters that no URI may contain are escaped. Reserved characters stay as they are: for a
// server `%2F` and `/` differ.

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

/** Path or query in canonical spelling. Applying it twice changes nothing more. */
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
