// What a text says, in a form that orderings, search and the parser can count and compare.
//
// A text is cut into words (word-scanner, tokens), words become terms (stop-words, stem, terms), and
// the most common words alone tell its language (language). All of it is pure, runs on every page and
// every link of a crawl, and is bounded in time and memory on any string: a word is cut after MAX_WORD
// characters, every table has a limit.
//
// Terms are 32-bit hashes, not strings. A string cut out of a page keeps the whole page alive, and
// hashing in place reads a page three times as fast as making and counting its words. Among
// 100,000 different words about one pair shares a number, which no score notices. Who needs the
// words themselves (search) takes tokens().
//
// Left out: what HTML is (parser/), what a topic is (ordering/), full-text search (search/).

/** Characters of a word that count; real words end before, base64 and hostile input do not. */
export const MAX_WORD = 64

/** A term as a signed 32-bit number, never 0; see hashText. */
export type TermId = number

/** Turns a lower-cased word into its stem; the word itself when there is nothing to take off. */
export type Stemmer = (word: string) => string

/** Words too common to tell one text from another, lower-cased. */
export type StopWords = ReadonlySet<string>

/** The language of a tag without script and region, in lower case; '' when it is not one. */
export function primaryLanguage(tag: string): string {
  const primary = TAG.exec(tag)?.[1]?.toLowerCase() ?? ''
  return SAME_LANGUAGE[primary] ?? RENAMED[primary] ?? primary
}

/** A tag as language, script and region in their usual case ("zh-Hant-TW"); '' when it is none. */
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
/** Tags that pages still write for languages that are named otherwise today. */
const RENAMED: Readonly<Record<string, string>> = {
  in: 'id',
  iw: 'he',
  ji: 'yi',
  jw: 'jv',
  ind: 'id',
  eng: 'en',
}
/** Forms of a language that its text alone does not tell apart. */
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
