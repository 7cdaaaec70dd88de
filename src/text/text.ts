// Texts in a form that orderings, search and the parser can count and compare.
//
// A text is split into words (word-scanner, tokens), words become terms (stop-words, stem, terms), and the
// most common words alone give its language (language). All of it is pure, runs on every page and every link
// of a crawl, and is bounded in time and memory on any string: a word is cut after MAX_WORD characters, every
// table has a limit.
//
// Terms are 32-bit hashes, not strings. A substring of a page keeps the whole page alive, and hashing in
// place reads a page three times as fast as creating and counting its words. Among 100,000 different words
// about one pair shares a number, which no score notices. Callers that need the words themselves (search) use
// tokens().
//
// Not here: HTML (parser/), topics (topic/), full-text search (search/).
/** Characters of a word that count; real words are shorter, base64 and hostile input are not. */
export const MAX_WORD = 64

/** A term as a signed 32-bit number, never 0; see hashText. */
export type TermId = number

/** Converts a lower-cased word to its stem; the word itself if there is nothing to remove. */
export type Stemmer = (word: string) => string

/** Lower-cased words that are too common to distinguish texts. */
export type StopWords = ReadonlySet<string>

/** The tag of texts in several languages. They are read by the rules of Indonesian and English together. */
export const BOTH_LANGUAGES = 'mul'

/** The language of a tag without script and region, in lower case; '' for an invalid tag. */
export function primaryLanguage(tag: string): string {
  const primary = TAG.exec(tag)?.[1]?.toLowerCase() ?? ''
  return SAME_LANGUAGE[primary] ?? RENAMED[primary] ?? primary
}

/** A tag as language, script and region in their usual case ("zh-Hant-TW"); '' for an invalid tag. */
export function canonicalTag(tag: string): string {
  const [, language = '', script = '', region = ''] = TAG.exec(tag) ?? []
  const primary = language.toLowerCase()
  if (primary === '' || NO_LANGUAGE.has(primary)) return ''
  const parts = [RENAMED[primary] ?? primary]
  if (script !== '') parts.push(script.charAt(0).toUpperCase() + script.slice(1).toLowerCase())
  if (region !== '') parts.push(region.toUpperCase())
  return parts.join('-')
}

const TAG =
  /^\s*([a-z]{2,3})(?![a-z0-9])(?:[-_]([a-z]{4})(?![a-z0-9]))?(?:[-_]([a-z]{2}|\d{3})(?![a-z0-9]))?/i
/** Undetermined, several, none, not coded. */
const NO_LANGUAGE = new Set(['und', 'mul', 'zxx', 'mis'])
/** Old tags that pages still use, with their present names. */
const RENAMED: Readonly<Record<string, string>> = {
  in: 'id',
  iw: 'he',
  ji: 'yi',
  jw: 'jv',
  ind: 'id',
  eng: 'en',
}
/** Forms of a language that cannot be distinguished by text alone. */
const SAME_LANGUAGE: Readonly<Record<string, string>> = {
  nb: 'no',
  nn: 'no',
  bs: 'hr',
  sh: 'hr',
  msa: 'ms',
  zlm: 'ms',
  zsm: 'ms',
  fil: 'tl',
  cmn: 'zh',
  yue: 'zh',
}

/**
 * A 32-bit hash of UTF-16 text, computed in place without a substring: FNV-1a over code units, then mixed
 * so that all bits are good.
 */
export const HASH_START = 0x811c9dc5 | 0

/** The hash of text[start, end). */
export function hashText(text: string, start = 0, end = text.length): TermId {
  let hash = HASH_START
  for (let at = start; at < end; at++) hash = hashUnit(hash, text.charCodeAt(at))
  return finished(hash)
}

/** Adds one code unit to an unfinished hash. */
export function hashUnit(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

/** Finishes a hash: never 0, which tables use for an empty slot. */
export function finished(hash: number): TermId {
  return mixed(hash) || 1
}

/** Spreads a number over all 32 bits: the finaliser of MurmurHash3. */
export function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}
