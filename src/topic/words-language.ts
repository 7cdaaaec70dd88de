// The language of a few words, such as a topic or keywords. They are too short for function words to decide,
// as in a longer text, so the words themselves are looked up.
import { LANGUAGE_CODES } from '../core/languages.ts'
import type { CanonicalUrl } from '../core/url.ts'
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

/** Longer paths are generated and have no words for people. */
const MAX_ADDRESS = 300
/** A tag, alone or with a country. */
const TAG = '([a-z]{2})(?:[-_][a-z]{2})?'
/** In path and query. */
const PLACES = [
  // A directory, or the whole name of a page.
  new RegExp(`/${TAG}(?=[/?.]|$)`, 'g'),
  // Before or after the ending of a page's name.
  new RegExp(`[^/?]\\.${TAG}\\.[a-z0-9]{2,5}(?=[?]|$)`, 'g'),
  new RegExp(`\\.html?\\.${TAG}(?=[?]|$)`, 'g'),
  new RegExp(`[?&](?:lang|language|locale|hl)=${TAG}(?=&|$)`, 'g'),
]
/** The last word of a page's name: often a word like others, "what-is-it". */
const LAST_WORD = new RegExp(`[^/?][_-]${TAG}(?:\\.[a-z0-9]{2,5})?(?=[?]|$)`, 'g')
const FIRST_LABEL = new RegExp(`//${TAG}\\.[^./]+\\.`, 'g')
const KNOWN: ReadonlySet<string> = new Set(LANGUAGE_CODES)

/**
 * A tag that the address names: a wanted one where there is one, else any; '' if the address names no
 * language that can be detected. Multilingual sites put their tag at one of a few positions: `/fr/`,
 * `/pt-BR/`, `index.fr.html`, `index.html.fr`, `manual-fr.html`, `fr.example.org`, `?lang=fr`. Two letters
 * anywhere else are no tag: `?id=3` is a number, `.fr` a country, and `search.pl` a program.
 */
export function languageInAddress(url: CanonicalUrl, wanted: readonly string[]): string {
  const address = url.slice(0, MAX_ADDRESS).toLowerCase()
  const path = address.slice(address.indexOf('/', address.indexOf('//') + 2))
  const tags = [...PLACES.flatMap((place) => tagsAt(place, path)), ...tagsAt(FIRST_LABEL, address)]
  const own = [...tags, ...tagsAt(LAST_WORD, path)].find((tag) => wanted.includes(tag))
  return own ?? tags[0] ?? ''
}

/** The words of an address without a tag. */
export function withoutTag(words: string, tag: string): string {
  return words.replace(new RegExp(`\\b${tag}\\b`, 'gi'), '')
}

function tagsAt(place: RegExp, text: string): string[] {
  const tags = Array.from(text.matchAll(place), ([, tag = '']) => tag)
  return tags.filter((tag) => KNOWN.has(tag))
}
