// What a user says a crawl is about, in words: a text (`--topic`) and keywords (`--keywords`). Here
// they become terms, and what cannot be found on any page, or would be found on every one, is
// refused before a crawl starts with it.
import { InvalidInput } from '../core/errors.ts'
import { DENSE, kindOf } from '../text/char-kind.ts'
import type { TermReader } from '../text/terms.ts'
import type { StopWords, TermId } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'

export type TopicWords = {
  /** Terms of the topic's text that count, each once. */
  readonly text: readonly TermId[]
  /** Each keyword's terms in their order. */
  readonly keywords: readonly (readonly TermId[])[]
}

export type GivenWords = {
  /** '' when none was given. */
  readonly words: string
  readonly keywords: readonly string[]
}

export type WordRules = {
  /** Leaves nothing out. */
  readonly reader: TermReader
  readonly stopWords: StopWords
  /** Words are all there is; with examples or a model, stop words among keywords do no harm. */
  readonly alone: boolean
}

const MAX_KEYWORDS = 1000
const MAX_KEYWORD_TERMS = 20
const MAX_TEXT_LENGTH = 20_000
const SHOWN = 8

export function readWords(given: GivenWords, rules: WordRules): TopicWords {
  return { text: readText(given.words, rules), keywords: readKeywords(given.keywords, rules) }
}

function readText(given: string, { reader, stopWords }: WordRules): TermId[] {
  if (given.trim() === '') return []
  const words = tokens(given.slice(0, MAX_TEXT_LENGTH))
  if (words.length === 0) throw new InvalidInput('topic', `${quoted(given)} has no words`)
  const telling = words.filter((word) => !stopWords.has(word))
  if (telling.length === 0) {
    const shown = words.slice(0, SHOWN).join(', ')
    throw new InvalidInput('topic', `only stop words (${shown}): every page has them`)
  }
  return [...new Set(telling.map((word) => reader.termOf(word)))]
}

function readKeywords(keywords: readonly string[], rules: WordRules): TermId[][] {
  if (keywords.length > MAX_KEYWORDS) {
    throw new InvalidInput('keywords', `${keywords.length} keywords are more than ${MAX_KEYWORDS}`)
  }
  const read = keywords.map((keyword) => readKeyword(keyword, rules.reader))
  if (rules.alone && read.length > 0 && keywords.every((keyword) => isCommon(keyword, rules))) {
    const shown = keywords.slice(0, SHOWN).join(', ')
    throw new InvalidInput('keywords', `only stop words (${shown}): every page has them`)
  }
  const distinct = new Map(read.map((terms) => [terms.join(), terms]))
  return [...distinct.values()]
}

function isCommon(keyword: string, { stopWords }: WordRules): boolean {
  return tokens(keyword).every((word) => stopWords.has(word))
}

function readKeyword(keyword: string, reader: TermReader): TermId[] {
  const terms = reader.read(keyword)
  if (terms.length === 0) {
    throw new InvalidInput('keywords', `keyword ${quoted(keyword)} has no letters or digits`)
  }
  if (terms.length > MAX_KEYWORD_TERMS) {
    throw new InvalidInput(
      'keywords',
      `keyword ${quoted(keyword)} is longer than ${MAX_KEYWORD_TERMS} words; a text goes to --topic`,
    )
  }
  if (terms.length === 1 && isLoneCharacter(keyword)) {
    throw new InvalidInput(
      'keywords',
      `keyword ${quoted(keyword)} is one character of a script without spaces; give two or more`,
    )
  }
  return terms
}

/** Texts of such scripts are read as pairs of characters, among which a single one is not found. */
function isLoneCharacter(keyword: string): boolean {
  const [word = ''] = tokens(keyword)
  return kindOf(word.charCodeAt(0)) === DENSE && [...word.replace(/\p{M}/gu, '')].length === 1
}

function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return JSON.stringify(short)
}
