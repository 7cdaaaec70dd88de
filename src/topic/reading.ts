// Converts a text to counted terms for a classifier. The rules are part of a trained model, so that texts are
// read in the same way as the examples.
//
// Besides whole words a model may use parts of words, four letters each: in short texts few words repeat, but
// their parts do (`perjalanan` and `berjalan`). They cost some four times as much per page and add nothing
// for long texts, so they are tried only for short ones.
import { stemmerFor } from '../text/stem.ts'
import { stopWordsFor } from '../text/stop-words.ts'
import { TermTable } from '../text/term-table.ts'
import { TermReader } from '../text/terms.ts'
import { hashText, type Stemmer, type StopWords, type TermId } from '../text/text.ts'
import { finalForm, lowerCased, tokens } from '../text/tokens.ts'
import { WordScanner } from '../text/word-scanner.ts'

export type ReadingRules = {
  /** A tag that decides stems and stop words; '' for none. */
  readonly language: string
  /** Stop words may identify labels, such as languages. */
  readonly keepsStopWords: boolean
  readonly usesWordParts: boolean
  /** Words that the user excludes, besides those of the language; none by default. */
  readonly ownStopWords?: readonly string[]
}

interface TextReader {
  /** Adds how often each term occurs in a text to `counts`, or to a new table. */
  count(text: string, counts?: TermTable): TermTable
}

const PART_LENGTH = 4
/** Cache of words with their terms, cleared when full. About 5 MB. */
const KNOWN_WORDS = 20_000
/** Typical number of different words in a text; the initial capacity. */
const USUAL_WORDS = 200
/** Limit of words per text: a long book; hostile pages have more. */
const MAX_WORDS = 100_000
/** Mean length; longer texts have enough words of their own. */
const SHORT_TEXT_WORDS = 60

export function createTextReader(rules: ReadingRules): TextReader {
  const words = wordRules(rules)
  return rules.usesWordParts ? new PartsReader(words) : new TermReader(words)
}

/** Names every term of a text as people and model files do; for training only. */
export function createTermNamer(rules: ReadingRules): (text: string) => Iterable<string> {
  const words = wordRules(rules)
  const named = new Map<string, readonly string[]>()
  return function* namesIn(text) {
    for (const word of tokens(text, { max: MAX_WORDS })) {
      let names = named.get(word)
      if (names === undefined) {
        if (named.size > KNOWN_WORDS) named.clear()
        names = namesOf(word, words, rules.usesWordParts)
        named.set(word, names)
      }
      yield* names
    }
  }
}

/** Words without stop words. */
export function simplestReading(
  language: string,
  ownStopWords: readonly string[] = [],
): ReadingRules {
  const keepsStopWords = stopWordsFor(language).size === 0
  const own = ownStopWords.length === 0 ? {} : { ownStopWords }
  return { language, keepsStopWords, usesWordParts: false, ...own }
}

/** Other rules worth trying for texts of `meanWords` words, the first preferred. */
export function readingsBeside(simplest: ReadingRules, meanWords: number): ReadingRules[] {
  const withParts = meanWords <= SHORT_TEXT_WORDS ? [{ ...simplest, usesWordParts: true }] : []
  if (simplest.keepsStopWords) return withParts
  const keeping = [simplest, ...withParts].map((rules) => ({ ...rules, keepsStopWords: true }))
  return [...withParts, ...keeping]
}

/** Whether a name is a part of a word. */
export function isWordPart(name: string): boolean {
  return name.startsWith('#')
}

type WordRules = { readonly stem: Stemmer; readonly stopWords: StopWords }

function wordRules({ language, keepsStopWords, ownStopWords = [] }: ReadingRules): WordRules {
  const own = ownStopWords.flatMap((entry) => tokens(entry))
  const listed = keepsStopWords ? [] : stopWordsFor(language)
  return { stem: stemmerFor(language), stopWords: new Set([...listed, ...own]) }
}

function namesOf(word: string, { stem, stopWords }: WordRules, withParts: boolean): string[] {
  if (word === '' || stopWords.has(word)) return []
  return [stem(word) || word, ...(withParts ? partsOf(word) : [])]
}

/** `#^lau`, `#laut`, `#aut$`: no word has these characters, so no part is mistaken for a word. */
function partsOf(word: string): string[] {
  const letters = ['^', ...word, '$']
  const parts: string[] = []
  if (letters.length <= PART_LENGTH) return parts
  for (let start = 0; start + PART_LENGTH <= letters.length; start++) {
    parts.push(`#${letters.slice(start, start + PART_LENGTH).join('')}`)
  }
  return parts
}

/** Counts words first and splits each of them once, however often it occurs. */
class PartsReader implements TextReader {
  readonly #rules: WordRules
  readonly #known = new Map<TermId, Int32Array>()

  constructor(rules: WordRules) {
    this.#rules = rules
  }

  count(text: string, counts = new TermTable(USUAL_WORDS)): TermTable {
    const { ids, values } = this.#words(text)
    for (let at = 0; at < ids.length; at++) {
      const terms = this.#known.get(ids[at] ?? 0)
      if (terms === undefined) continue
      for (const term of terms) counts.add(term, values[at] ?? 0)
    }
    return counts
  }

  #words(text: string): TermTable {
    // Only between texts: this text's words are needed until it is counted.
    if (this.#known.size > KNOWN_WORDS) this.#known.clear()
    const lower = lowerCased(text)
    const scanner = new WordScanner(lower)
    const words = new TermTable(USUAL_WORDS)
    for (let left = MAX_WORDS; left > 0 && scanner.next(); left--) {
      const { plain, start, end } = scanner
      const form = plain ? '' : finalForm(lower.slice(start, end))
      const id = plain ? scanner.hash : hashText(form)
      const before = words.size
      words.add(id, 1)
      if (words.size === before || this.#known.has(id)) continue
      this.#learn(id, plain ? lower.slice(start, end) : form)
    }
    return words
  }

  #learn(id: TermId, word: string): void {
    const names = namesOf(word, this.#rules, true)
    this.#known.set(
      id,
      Int32Array.from(names, (name) => hashText(name)),
    )
  }
}
