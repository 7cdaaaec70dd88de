// The words of a URL: host and path speak of a page before anybody has read it.
import type { CanonicalUrl } from '../core/url.ts'

/** Longer paths are made by machines, for machines. */
const MAX_PATH = 300

/** The words of host and path as a text that any reader of words can cut; the scheme left out. */
export function addressWords(url: CanonicalUrl): string {
  const hostAt = url.indexOf('//') + 2
  return readable(url.slice(hostAt, hostAt + MAX_PATH))
}

/** Path and query alone. */
export function pathWords(url: CanonicalUrl): string {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2)
  return readable(url.slice(pathAt, pathAt + MAX_PATH))
}

/** Letters that are not ASCII stand in a URL as bytes; what cannot be read stays as it is. */
function readable(text: string): string {
  if (!text.includes('%')) return text
  // A cut may leave half of an escape.
  const whole = text.replace(/%[0-9a-f]?$/i, '')
  try {
    return decodeURIComponent(whole)
  } catch {
    return whole
  }
}
