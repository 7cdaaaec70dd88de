// Two pages of one endless template (a calendar, a counter, a page that is not there) tend to differ
// in their numbers, in a token, or in words of their own address, and in nothing else.
import { type CanonicalUrl, pathOf } from '../core/url.ts'

/** In a longer text the words of an address are a small part of what it says. */
const SHORT_TEXT = 4096
const MIN_OWN_WORD = 3
/** As a small integer: others are slow. */
const START = 0x811c9dc5 | 0
const PRIME = 0x01000193
const SPACE = 32
const NO_WORDS: ReadonlySet<number> = new Set()
const LETTER = 1
const DIGIT = 2
/** Of each byte. Those of other scripts are letters, too. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 48 && byte <= 57) return DIGIT
  return byte >= 128 || /[a-z]/i.test(String.fromCharCode(byte)) ? LETTER : 0
})

/**
 * A 32-bit hash of a text without its words that have digits in them and, in a short one, without
 * those of its address; never 0, which means that none was made.
 */
export function likenessOf(text: Uint8Array, url: CanonicalUrl): number {
  const own = text.length <= SHORT_TEXT ? wordsOf(url) : NO_WORDS
  let hash = START
  let before = START
  let word = START
  let hasDigit = false
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0
    const kind = KINDS[byte] ?? 0
    if (kind === LETTER) {
      hash = Math.imul(hash ^ byte, PRIME)
      // The case of a letter is one bit.
      word = Math.imul(word ^ (byte | 32), PRIME)
    } else if (kind === DIGIT) {
      hasDigit = true
    } else if (word !== START || hasDigit) {
      if (hasDigit || (own.size > 0 && own.has(word))) hash = before
      else hash = Math.imul(hash ^ SPACE, PRIME)
      before = hash
      word = START
      hasDigit = false
    }
  }
  const isLeftOut = hasDigit || own.has(word)
  return (isLeftOut ? before : hash) >>> 0 || 1
}

/** Hashes of the words of an address. */
function wordsOf(url: CanonicalUrl): ReadonlySet<number> {
  const words = new Set<number>()
  for (const [text] of pathOf(url).matchAll(/[a-z]+/gi)) {
    if (text.length < MIN_OWN_WORD) continue
    let word = START
    for (let at = 0; at < text.length; at++) {
      word = Math.imul(word ^ (text.charCodeAt(at) | 32), PRIME)
    }
    words.add(word)
  }
  return words
}
