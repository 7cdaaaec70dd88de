// The language of a few words, such as a topic or keywords. They are too short for function words to decide,
// as in a longer text, so the words themselves are looked up.
import { isIndonesian } from '../text/stem-indonesian.ts'
import { stopWordsFor } from '../text/stop-words.ts'
import { tokens } from '../text/tokens.ts'
import commonWords from './common-words.json' with { type: 'json' }

/**
 * Words that pages have whatever they are about, by language. The first list holds what every second page
 * has or more, the next what every fourth has, and so on, halving each time. See training/README.md.
 */
export const COMMON_WORDS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(commonWords).map(([language, bands]) => [
    language,
    bands.map((lines) => lines.join(' ')),
  ]),
)

/** More words are a text, and language.ts detects its language. */
const MAX_WORDS = 200
/** The least share of the words that must be known in a language. */
const LEAST_SHARE = 0.5
/** Weight of a function word: languages borrow nouns from each other, but not function words. */
const FUNCTION_WORD = 2

/** `id` or `en`; '' if neither is clearly the language. */
export function languageOfWords(text: string): string {
  const words = [...new Set(tokens(text, { max: MAX_WORDS }))]
  const en = votesFor(words, 'en', (word) => englishWords().has(word))
  const id = votesFor(words, 'id', isIndonesian)
  if (en === id || Math.max(en, id) < LEAST_SHARE * words.length) return ''
  return en > id ? 'en' : 'id'
}

function votesFor(words: readonly string[], language: string, isKnown: (word: string) => boolean) {
  const functionWords = stopWordsFor(language)
  let votes = 0
  for (const word of words) {
    if (functionWords.has(word)) votes += FUNCTION_WORD
    else if (isKnown(word)) votes += 1
  }
  return votes
}

let english: ReadonlySet<string> | null = null

/** Words that English pages have whatever they are about. */
export function englishWords(): ReadonlySet<string> {
  english ??= new Set((COMMON_WORDS.en ?? []).flatMap((band) => band.split(' ')))
  return english
}
