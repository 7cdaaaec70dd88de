// Two pages of one endless template (a calendar, a counter) tend to differ in their numbers only.
import { type CanonicalUrl, pathOf } from '../core/url.ts'

const DIGIT = /[0-9]/

/** Whether a page of this URL could be one of a numbered series. */
export function mayBeNumbered(url: CanonicalUrl): boolean {
  return DIGIT.test(pathOf(url))
}

/** A 32-bit hash of a text without its digits; never 0, which means that none was made. */
export function likenessOf(text: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0
    if (byte >= 48 && byte <= 57) continue
    hash = Math.imul(hash ^ byte, 0x01000193)
  }
  return hash >>> 0 || 1
}
