// The user's words for a topic: a text (`--topic`) and keywords (`--keywords`). They become terms here. Words
// that no page can have, or that every page has, are refused before the crawl starts.
import { InvalidInput } from '../core/errors.ts'
import { DENSE, kindOf } from '../text/char-kind.ts'
import type { TermReader } from '../text/terms.ts'
import type { StopWords, TermId } from '../text/text.ts'
import { tokens, tokensWithOffsets } from '../text/tokens.ts'
import { languageOfWords } from './words-language.ts'

export type TopicWords = {
  /** Terms of the topic's text that count, each once. */
  readonly text: readonly TermId[]
  /** Each keyword's terms in their order. */
  readonly keywords: readonly (readonly TermId[])[]
  /** The weight of a term of the text by itself: less than 1 if it is beside another word. */
  readonly shares: ReadonlyMap<TermId, number>
  /** The typed forms of each term, and the ignored stop words. */
  readonly forms: ReadonlyMap<TermId, ReadonlySet<string>>
  readonly dropped: readonly string[]
}

type GivenWords = {
  /** '' if none was given. */
  readonly words: string
  readonly keywords: readonly string[]
}

type WordRules = {
  /** Reads all words, stop words too. */
  readonly reader: TermReader
  readonly stopWords: StopWords
  /** True if the topic has only words; with examples or a model, stop words among keywords do no harm. */
  readonly alone: boolean
}

const MAX_KEYWORDS = 1000
const MAX_KEYWORD_TERMS = 20
const MAX_TEXT_LENGTH = 20_000
const SHOWN = 8
/**
 * Adjacent words mean one thing together, "sistem imun" or "interest rate": one of them alone is half of it,
 * however long the run is. A repeated word counts again.
 */
const BESIDE_ANOTHER = 0.5

export function readWords(given: GivenWords, rules: WordRules): TopicWords {
  const noted = new NotedWords()
  const text = readText(given.words, rules, noted)
  const keywords = readKeywords(given.keywords, rules, noted)
  return { text, keywords, shares: noted.shares, forms: noted.forms, dropped: [...noted.dropped] }
}

/** Notes what was done with each typed word. */
class NotedWords {
  readonly forms = new Map<TermId, Set<string>>()
  readonly dropped = new Set<string>()
  readonly shares = new Map<TermId, number>()

  keep(term: TermId, word: string): void {
    const forms = this.forms.get(term) ?? new Set()
    this.forms.set(term, forms.add(word))
  }

  keepRun(terms: readonly TermId[]): void {
    for (const term of terms) {
      const share = terms.length === 1 ? 1 : BESIDE_ANOTHER
      this.shares.set(term, Math.min(1, share + (this.shares.get(term) ?? 0)))
    }
  }
}

function readText(words: string, { reader, stopWords }: WordRules, noted: NotedWords): TermId[] {
  if (words.trim() === '') return []
  const all = tokens(words.slice(0, MAX_TEXT_LENGTH))
  if (all.length === 0) throw new InvalidInput('topic', `${quoted(words)} has no words`)
  const subject = subjectOf(words.slice(0, MAX_TEXT_LENGTH), stopWords)
  const kept = tokens(subject).filter((word) => !stopWords.has(word))
  if (kept.length === 0) throw onlyStopWords('topic', all)
  for (const word of new Set(all).difference(new Set(kept))) noted.dropped.add(word)
  for (const word of kept) noted.keep(reader.termOf(word), word)
  for (const run of runsIn(subject, stopWords)) {
    noted.keepRun(run.map((word) => reader.termOf(word)))
  }
  return [...new Set(kept.map((word) => reader.termOf(word)))]
}

/** Removes the words that only ask for pages, unless there are no others. */
function subjectOf(text: string, stopWords: StopWords): string {
  const subject = text.slice(subjectStart(text, stopWords))
  return tokens(subject).some((word) => !stopWords.has(word)) ? subject : text
}

/** Words with only space or a hyphen between them, without stop words. */
function runsIn(text: string, stopWords: StopWords): string[][] {
  const runs: string[][] = []
  let last = { end: 0, isStopWord: true }
  for (const { word, start, end } of tokensWithOffsets(text)) {
    const isStopWord = stopWords.has(word)
    const isNext = !last.isStopWord && /^[\s-]+$/.test(text.slice(last.end, start))
    if (!isStopWord && isNext) runs.at(-1)?.push(word)
    else if (!isStopWord) runs.push([word])
    last = { end, isStopWord }
  }
  return runs
}

function readKeywords(
  keywords: readonly string[],
  rules: WordRules,
  noted: NotedWords,
): (readonly TermId[])[] {
  if (keywords.length > MAX_KEYWORDS) {
    throw new InvalidInput('keywords', `${keywords.length} keywords are more than ${MAX_KEYWORDS}`)
  }
  const isCommon = (keyword: string) => tokens(keyword).every((word) => rules.stopWords.has(word))
  const read = keywords.map((keyword) => ({ keyword, terms: readKeyword(keyword, rules.reader) }))
  const telling = rules.alone ? read.filter(({ keyword }) => !isCommon(keyword)) : read
  if (read.length > 0 && telling.length === 0) throw onlyStopWords('keywords', keywords)
  for (const { keyword } of read) {
    if (rules.alone && isCommon(keyword)) noted.dropped.add(keyword)
    else for (const word of tokens(keyword)) noted.keep(rules.reader.termOf(word), word)
  }
  const distinct = new Map(telling.map(({ terms }) => [terms.join(), terms]))
  return [...distinct.values()]
}

function onlyStopWords(at: string, words: readonly string[]): InvalidInput {
  const shown = words.slice(0, SHOWN).join(', ')
  const language = languageOfWords(words.join(' ')) || 'id'
  return new InvalidInput(
    at,
    `only stop words (${shown}), which name no subject: give words of the subject; ` +
      `to keep pages of one language, use crawl --language ${language}`,
  )
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
  // A doubled word is one: "anak-anak" (children) matches "anak".
  return terms.filter((term, at) => term !== terms[at - 1])
}

/** Such scripts are read as pairs of characters, so a single character is never found. */
function isLoneCharacter(keyword: string): boolean {
  const [word = ''] = tokens(keyword)
  return kindOf(word.charCodeAt(0)) === DENSE && [...word.replace(/\p{M}/gu, '')].length === 1
}

function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return JSON.stringify(short)
}

const ASKING = new Set(
  `look looking search searching find finding show want wanted need get collect collecting crawl gather
   gathering page pages webpage webpages website websites site sites article articles news post posts
   document documents information info topic topics subject subjects related interested
   cari mencari carikan mencarikan temukan menemukan tampilkan kumpulkan mengumpulkan
   halaman laman situs artikel berita tulisan dokumen bacaan informasi
   topik bahasan pembahasan membahas berisi memuat tertarik`.split(/\s+/),
)
const ABOUT = new Set(
  `about on regarding concerning for covering tentang mengenai soal seputar perihal terkait bertema
   bertopik`.split(/\s+/),
)

/**
 * The start of a text's subject: 0, or behind the words that ask for it.
 *
 * People ask for pages in sentences: "I am looking for articles about child health". The part that only
 * asks is not the subject, though "page" and "look" are no stop words. It is recognised by its position: it
 * ends at the first word such as "about", and contains only stop words and words of asking. So "search
 * engines" stays.
 */
function subjectStart(text: string, stopWords: StopWords): number {
  let asks = false
  let start = 0
  for (const { word, end } of tokensWithOffsets(text)) {
    if (ABOUT.has(word)) start = asks ? end : 0
    else if (ASKING.has(word)) asks = true
    else if (!stopWords.has(word)) break
  }
  return start
}
