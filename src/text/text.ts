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
