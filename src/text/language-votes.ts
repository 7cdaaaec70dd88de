// Decides which language of one script a set of words belongs to.
import languageWords from './language-words.json' with { type: 'json' }
import { TermTable } from './term-table.ts'
import { hashText, type TermId } from './text.ts'

type WordsByLanguage = Readonly<Record<string, string>>

/**
 * The most common words of languages that share their script with others, by script and language: function
 * words, and for close relatives the words in which they differ. About half of the words of a running text
 * are in its language's list, and at most a fifth in that of another language.
 */
const LISTS: Readonly<Record<string, WordsByLanguage>> = Object.fromEntries(
  Object.entries(languageWords).map(([script, languages]) => [script, wordsOf(languages)]),
)
/** The same without the scripts. */
export const COMMON_WORDS_OF: WordsByLanguage = Object.assign({}, ...Object.values(LISTS))

function wordsOf(languages: Readonly<Record<string, readonly string[]>>): WordsByLanguage {
  return Object.fromEntries(
    Object.entries(languages).map(([language, lines]) => [language, lines.join(' ')]),
  )
}

/** Languages so close that each has most of the other's common words: rivals only to each other. */
const RELATIVES: Readonly<Record<string, string>> = { id: 'ms', ms: 'id', da: 'no', no: 'da' }

export function areRelatives(a: string, b: string): boolean {
  return RELATIVES[a] === b
}

export type Votes = {
  /** The language with most votes; '' if no word was known. */
  readonly language: string
  /** Its lead over the next language that is not its relative, as a share of its votes. */
  readonly lead: number
  /** The same over its relative; 1 if there is none. */
  readonly leadOverRelative: number
  /** Number of its words in the text, and of different ones. */
  readonly hits: number
  readonly distinct: number
}

/** Words by their hash, each with its languages. Lists hold words as a text yields them, with a space between. */
class WordList {
  readonly languages: readonly string[]
  readonly #entries = new TermTable()
  readonly #speakers: number[][] = []

  constructor(lists: Readonly<Record<string, string>>) {
    this.languages = Object.keys(lists)
    for (const [language, list] of Object.values(lists).entries()) {
      for (const word of new Set(list.split(' '))) this.#speakersOf(hashText(word)).push(language)
    }
  }

  /** The votes of a text's words, counted by their hash. */
  votes(words: TermTable): Votes {
    const { ids, values } = words
    const scores = new Float64Array(this.languages.length)
    const hits = new Int32Array(this.languages.length)
    const distinct = new Int32Array(this.languages.length)
    for (let at = 0; at < ids.length; at++) {
      const entry = this.#entries.get(ids[at] ?? 0)
      // Most words are unknown, and index -1 of an array would be looked up by name.
      const speakers = entry === 0 ? undefined : this.#speakers[entry - 1]
      if (speakers === undefined) continue
      const count = values[at] ?? 0
      // A word of many languages says less, and a word repeated a hundred times does not count a hundred
      // times: menus and formulas repeat.
      const weight = (count === 1 ? 1 : 1 + Math.log(count)) / Math.sqrt(speakers.length)
      for (let each = 0; each < speakers.length; each++) {
        const language = speakers[each] ?? 0
        scores[language] = (scores[language] ?? 0) + weight
        hits[language] = (hits[language] ?? 0) + count
        distinct[language] = (distinct[language] ?? 0) + 1
      }
    }
    return this.#summary(scores, hits, distinct)
  }

  #summary(scores: Float64Array, hits: Int32Array, distinct: Int32Array): Votes {
    let best = 0
    for (let at = 1; at < scores.length; at++)
      if ((scores[at] ?? 0) > (scores[best] ?? 0)) best = at
    const score = scores[best] ?? 0
    if (score === 0) return { language: '', lead: 0, leadOverRelative: 0, hits: 0, distinct: 0 }
    const language = this.languages[best] ?? ''
    let next = 0
    let relative = 0
    for (const [at, name] of this.languages.entries()) {
      if (areRelatives(name, language)) relative = scores[at] ?? 0
      else if (at !== best) next = Math.max(next, scores[at] ?? 0)
    }
    return {
      language,
      lead: 1 - next / score,
      leadOverRelative: 1 - relative / score,
      hits: hits[best] ?? 0,
      distinct: distinct[best] ?? 0,
    }
  }

  #speakersOf(id: TermId): number[] {
    const known = this.#speakers[this.#entries.get(id) - 1]
    if (known !== undefined) return known
    const speakers: number[] = []
    this.#entries.set(id, this.#speakers.push(speakers))
    return speakers
  }
}

const lists = new Map<string, WordList>()

/** The votes in a script; null for a script with a single language. */
export function votesIn(script: string, words: TermTable): Votes | null {
  const source = LISTS[script]
  if (source === undefined) return null
  let list = lists.get(script)
  if (list === undefined) {
    // Created on first use: most crawls meet one or two scripts.
    list = new WordList(source)
    lists.set(script, list)
  }
  return list.votes(words)
}
