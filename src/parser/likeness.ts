// Two pages of one endless template (a calendar, a counter, a page that is not there) tend to differ
// in their numbers, in a token, or in words of their own address, and in nothing else.
import { type CanonicalUrl, pathOf } from '../core/url.ts'

/** In a longer text the words of an address are a small part of what it says. */
const SHORT_TEXT = 4096
const MIN_OWN_WORD = 3
const START = 0x811c9dc5

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
  for (let at = 0; at <= text.length; at++) {
    const byte = text[at] ?? SPACE
    if (isLetter(byte)) {
      word = Math.imul(word ^ lower(byte), 0x01000193)
      hash = Math.imul(hash ^ byte, 0x01000193)
    } else if (byte >= 48 && byte <= 57) {
      hasDigit = true
    } else {
      if (hasDigit || (own.size > 0 && own.has(word))) hash = before
      else if (word !== START) hash = Math.imul(hash ^ SPACE, 0x01000193)
      before = hash
      word = START
      hasDigit = false
    }
  }
  return hash >>> 0 || 1
}

const SPACE = 32
const NO_WORDS: ReadonlySet<number> = new Set()

/** Bytes of other scripts are letters, too. */
function isLetter(byte: number): boolean {
  return (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || byte >= 128
}

function lower(byte: number): number {
  return byte <= 90 ? byte + 32 : byte
}

/** Hashes of the words of an address. */
function wordsOf(url: CanonicalUrl): ReadonlySet<number> {
  const words = new Set<number>()
  for (const [text] of pathOf(url).matchAll(/[a-z]+/gi)) {
    if (text.length < MIN_OWN_WORD) continue
    let word = START
    for (let at = 0; at < text.length; at++) {
      word = Math.imul(word ^ lower(text.charCodeAt(at)), 0x01000193)
    }
    words.add(word)
  }
  return words
}
