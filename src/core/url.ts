// One URL, one spelling. Everything that is queued, stored or compared goes through here first:
// the WHATWG parser, then only those normalisations of RFC 3986 that can never change what a
// server is asked for. What a site may or may not treat as equal (query order, index.html, case)
// is left alone; redirects and rel=canonical tell that better than we could guess.
import { parse as parseDomain } from 'tldts'

declare const canonical: unique symbol
/** An absolute http(s) URL in its one spelling: no fragment, no credentials. */
export type CanonicalUrl = string & { readonly [canonical]: true }

/** Longer than this is not even recorded: nobody links such a URL on purpose. */
export const MAX_URL_LENGTH = 8192

const UNRESERVED = /^[A-Za-z0-9\-._~]$/
const PERCENT = /%([0-9A-Fa-f]{2})/g
const NEEDS_WORK = /[%[\]^|{}`"<>\\]/
const NEVER_IN_URI = /[[\]^|{}`"<>\\]/g

/** Resolves and canonicalises a link; null when it is not an http(s) URL we could ever fetch. */
export function canonicalise(href: string, base?: string): CanonicalUrl | null {
  if (href.length > MAX_URL_LENGTH) return null
  const url = URL.parse(href, base)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  if (url.hash !== '' || url.href.endsWith('#')) url.hash = ''
  if (url.username !== '' || url.password !== '') {
    url.username = ''
    url.password = ''
  }
  if (url.hostname.endsWith('.')) {
    const bare = url.hostname.replace(/\.+$/, '')
    if (bare === '') return null
    url.hostname = bare
  }
  const text = url.href
  if (text.length > MAX_URL_LENGTH) return null
  const pathAt = text.indexOf('/', url.protocol.length + 2)
  const path = text.slice(pathAt)
  if (!NEEDS_WORK.test(path)) return text as CanonicalUrl
  return (text.slice(0, pathAt) + tidy(path)) as CanonicalUrl
}

function tidy(path: string): string {
  return path
    .replace(PERCENT, (whole, hex: string) => {
      const char = String.fromCharCode(Number.parseInt(hex, 16))
      return UNRESERVED.test(char) ? char : whole.toUpperCase()
    })
    .replace(NEVER_IN_URI, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** `URL.host` without parsing again: the name, and the port where it is not the scheme's own. */
export function hostOf(url: CanonicalUrl): string {
  const start = url.indexOf('//') + 2
  return url.slice(start, url.indexOf('/', start))
}

/** Scheme, host and port: what a robots.txt speaks for. */
export function originOf(url: CanonicalUrl): string {
  return url.slice(0, url.indexOf('/', url.indexOf('//') + 2))
}

/** Path and query, as a server is asked for it. */
export function pathOf(url: CanonicalUrl): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2))
}

/**
 * The site a host belongs to: its registrable domain (`bbc.co.uk`). Where there is none (an
 * address, a single label such as `localhost`) the host itself with its port, since then the port
 * is all that tells two sites apart.
 */
export function siteOf(host: string): string {
  const { domain, isIp } = parseDomain(host, { allowPrivateDomains: true })
  return isIp || domain === null ? host : domain
}
