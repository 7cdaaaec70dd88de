// The words of a URL: host and path describe a page before it is fetched.
import type { CanonicalUrl } from '../core/url.ts'

/** Longer paths are generated and have no words for people. */
const MAX_PATH = 300

/** The words of host and path as a text for the tokeniser; without the scheme. */
export function addressWords(url: CanonicalUrl): string {
  const hostAt = url.indexOf('//') + 2
  return readable(url.slice(hostAt, hostAt + MAX_PATH))
}

/** Path and query alone. */
export function pathWords(url: CanonicalUrl): string {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2)
  return readable(url.slice(pathAt, pathAt + MAX_PATH))
}

/** Decodes percent-escaped letters; leaves what cannot be decoded. */
function readable(text: string): string {
  if (!text.includes('%')) return text
  // The limit may cut an escape in half.
  const whole = text.replace(/%[0-9a-f]?$/i, '')
  try {
    return decodeURIComponent(whole)
  } catch {
    return whole
  }
}
