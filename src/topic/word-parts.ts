// Names are compounds of words: `skyview`, `libgeographic`, `postgresql`. Links to a subject are often only
// such a name, so in anchors and addresses the topic's words are also looked for inside others: whole, or as
// a common beginning (`astropy` and `astronomy`). That decides which links come first; no page is hot by it.
import { isIndonesian } from '../text/stem-indonesian.ts'
import type { TermId } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'
import type { ShownWord } from './topic-record.ts'
import { englishWords } from './words-language.ts'

/** The worth of a word inside another, and of a common beginning. */
const INSIDE = 0.7
const ALIKE = 0.35
/** Least number of letters of a word that is looked for inside others, and of a common beginning. */
const LEAST_LETTERS = 4
const LEAST_ALIKE = 5
/** Three letters without a vowel are an abbreviation, which names start or end with: `sql`, `xml`. */
const ABBREVIATION = /^[b-df-hj-np-tv-xz]{3}$/
/** Words of a language have their own meaning, unless they start with a topic word of so many letters. */
const LEAST_ROOT = 6
/** Longer texts are sentences, which have whole words. */
const LONGEST_NAME = 60
const KEPT_WORDS = 16_384

type SoughtWord = { readonly stem: string; readonly term: TermId }

type WordPartsOptions = {
  /** The words that the topic looks for, as people see them. */
  readonly words: readonly ShownWord[]
  readonly termOf: (word: string) => TermId
  /** The pull of a topic word; 0 for any other. */
  readonly pullOf: (term: TermId) => number
}

export class WordParts {
  readonly #sought: readonly SoughtWord[]
  readonly #options: WordPartsOptions
  readonly #known = new Map<string, number>()
  /** Common English words in all their forms; built when first needed. */
  #common: ReadonlySet<TermId> | null = null

  constructor(options: WordPartsOptions) {
    this.#options = options
    this.#sought = options.words.flatMap(({ stem, forms: [form] }) => {
      const isLong = stem.length >= LEAST_LETTERS || ABBREVIATION.test(stem)
      if (form === undefined || !isLong || stem.includes(' ')) return []
      return [{ stem, term: options.termOf(form) }]
    })
  }

  /** The pull of the topic's words inside other words of an anchor; 0 for a sentence. */
  inAnchor(anchor: string): number {
    return anchor.length > LONGEST_NAME ? 0 : this.inAddress(anchor)
  }

  inAddress(text: string): number {
    let sum = 0
    for (const word of new Set(tokens(text))) sum += this.#pullOf(word)
    return sum
  }

  /** Clears the cache after the weights have changed. */
  forget(): void {
    this.#known.clear()
  }

  #pullOf(word: string): number {
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const pull = this.#options.pullOf(this.#options.termOf(word)) > 0 ? 0 : this.#largestIn(word)
    if (this.#known.size >= KEPT_WORDS) this.#known.clear()
    this.#known.set(Buffer.from(word).toString(), pull)
    return pull
  }

  #largestIn(word: string): number {
    let largest = 0
    for (const { stem, term } of this.#sought) {
      const share = shareOf(stem, word)
      if (share === 0 || (!isDerived(stem, word) && this.#isOrdinary(word))) continue
      largest = Math.max(largest, share * this.#options.pullOf(term))
    }
    return largest
  }

  /** A word of English or Indonesian, not a name: "price" has nothing to do with "rice". */
  #isOrdinary(word: string): boolean {
    this.#common ??= new Set(Array.from(englishWords(), (each) => this.#options.termOf(each)))
    return this.#common.has(this.#options.termOf(word)) || isIndonesian(word)
  }
}

/** `vaksinasi` of `vaksin`. */
function isDerived(stem: string, word: string): boolean {
  return stem.length >= LEAST_ROOT && word.startsWith(stem)
}

function shareOf(stem: string, word: string): number {
  if (stem.length < LEAST_LETTERS) {
    return word.startsWith(stem) || word.endsWith(stem) ? INSIDE : 0
  }
  if (word.includes(stem)) return INSIDE
  let alike = 0
  while (alike < word.length && word.charCodeAt(alike) === stem.charCodeAt(alike)) alike++
  return alike >= LEAST_ALIKE ? ALIKE : 0
}
