// Function words of the language that a topic is written in: "les", "und", "y" name no subject. English and
// Indonesian have longer lists of their own (text/stop-words.ts), which apply to every topic.
import { COMMON_WORDS_OF } from '../text/language-votes.ts'
import { isIndonesian } from '../text/stem-indonesian.ts'
import { isStopWord } from '../text/stop-words.ts'
import { primaryLanguage, type StopWords } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'
import { englishWords } from './words-language.ts'

export type FunctionWords = {
  /** That the words belong to; '' if unknown. */
  readonly language: string
  readonly words: StopWords
}

const NONE: FunctionWords = { language: '', words: new Set() }
/** Languages with stop words of their own, and lists with words that name a subject: "polis", "dolor". */
const LEFT_OUT = ['en', 'id', 'ms', 'la']
/** So many words at the start of a list are its most common; one of them is enough for a guess. */
const MOST_COMMON = 25
/** Shorter ones among common English words are borrowed: "la", "de". */
const LEAST_LETTERS = 3

/** The list of a language; empty for one without a list. */
export function functionWordsOf(language: string): StopWords {
  const own = primaryLanguage(language)
  return LEFT_OUT.includes(own) ? NONE.words : (lists().get(own) ?? NONE.words)
}

/** Those of the language; if it is '', of the language whose list has most words of the texts. */
export function functionWordsIn(texts: readonly string[], language: string): FunctionWords {
  return language === '' ? guessed(texts) : { language, words: functionWordsOf(language) }
}

/** Stop words with more of them, unless that leaves nothing of a text. */
export function withFunctionWords(
  stopWords: StopWords,
  more: StopWords,
  texts: readonly string[],
): StopWords {
  if (more.size === 0) return stopWords
  const all = stopWords.union(more)
  const read = texts.map((text) => tokens(text)).filter(({ length }) => length > 0)
  return read.every((words) => words.some((word) => !all.has(word))) ? all : stopWords
}

function guessed(texts: readonly string[]): FunctionWords {
  // A function word stands before the word that it belongs to.
  const words = new Set(texts.flatMap((text) => tokens(text).slice(0, -1)))
  const foreign = [...words].filter((word) => !isKnown(word))
  let [best, most] = ['', 0]
  const letters = new Set<string>()
  for (const [language, list] of lists()) {
    const common = new Set([...list].slice(0, MOST_COMMON))
    const hits = foreign.filter((word) => list.has(word))
    for (const hit of hits) if (hit.length === 1 && common.has(hit)) letters.add(hit)
    const all = words.intersection(list).size
    if (all <= most || !(hits.length > 1 || hits.some((hit) => common.has(hit)))) continue
    ;[best, most] = [language, all]
  }
  // Many languages share words of one letter.
  return best === '' ? NONE : { language: best, words: functionWordsOf(best).union(letters) }
}

/** Whether English or Indonesian has the word. */
function isKnown(word: string): boolean {
  if (isStopWord(word)) return true
  return word.length >= LEAST_LETTERS && (englishWords().has(word) || isIndonesian(word))
}

let byLanguage: ReadonlyMap<string, StopWords> | null = null

function lists(): ReadonlyMap<string, StopWords> {
  byLanguage ??= new Map(
    Object.entries(COMMON_WORDS_OF)
      .filter(([language]) => !LEFT_OUT.includes(language))
      .map(([language, words]) => [language, new Set(tokens(words))]),
  )
  return byLanguage
}
