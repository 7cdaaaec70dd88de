// Reads a text as terms: words without stop words, stemmed, as numbers. A known word costs one look-up by its
// hash in place; only a new word is cut out, looked up and stemmed.
import { TermTable } from './term-table.ts'
import { hashText, type Stemmer, type StopWords, type TermId } from './text.ts'
import { finalForm, lowerCased } from './tokens.ts'
import { WordScanner } from './word-scanner.ts'

/** Cache of words with their terms, cleared when full. About 2 MB. */
const KNOWN_WORDS = 65_536
/** Limit of terms per text: a long book; hostile pages have more. */
const MAX_TERMS = 100_000
/** The result for a stop word: no term has it. */
const STOPPED = 0
/** The same among the known words, where 0 means unknown: beyond all 32-bit numbers. */
const KNOWN_AS_STOPPED = 2 ** 40

type TermReaderOptions = {
  readonly stem: Stemmer
  readonly stopWords: StopWords
  /** Limit of terms read from one text. */
  readonly maxTerms?: number
}

export class TermReader {
  readonly #stem: Stemmer
  readonly #stopWords: StopWords
  readonly #maxTerms: number
  readonly #known = new TermTable(1024)

  constructor({ stem, stopWords, maxTerms = MAX_TERMS }: TermReaderOptions) {
    this.#stem = stem
    this.#stopWords = stopWords
    this.#maxTerms = maxTerms
  }

  /** The terms of a text in order. */
  read(text: string): TermId[] {
    const terms: TermId[] = []
    this.#each(text, (id) => terms.push(id))
    return terms
  }

  /** Adds how often each term occurs in a text to `counts`, or to a new table. */
  count(text: string, counts = new TermTable()): TermTable {
    this.#each(text, (id) => counts.add(id, 1))
    return counts
  }

  /** The term of one word, 0 for a stop word; for showing people which words had weight. */
  termOf(word: string): TermId {
    return this.read(word)[0] ?? STOPPED
  }

  #each(text: string, visit: (id: TermId) => void): void {
    const lower = lowerCased(text)
    const scanner = new WordScanner(lower)
    for (let left = this.#maxTerms; left > 0 && scanner.next(); ) {
      const id = scanner.plain ? this.#plain(lower, scanner) : this.#odd(lower, scanner)
      if (id === STOPPED) continue
      visit(id)
      left--
    }
  }

  #plain(lower: string, { hash, start, end }: WordScanner): TermId {
    const known = this.#known.get(hash)
    if (known !== 0) return known === KNOWN_AS_STOPPED ? STOPPED : known
    if (this.#known.size >= KNOWN_WORDS) this.#known.clear()
    const id = this.#learn(lower.slice(start, end))
    this.#known.set(hash, id === STOPPED ? KNOWN_AS_STOPPED : id)
    return id
  }

  #odd(lower: string, { start, end }: WordScanner): TermId {
    return this.#learn(finalForm(lower.slice(start, end)))
  }

  #learn(word: string): TermId {
    if (word === '' || this.#stopWords.has(word)) return STOPPED
    // A stemmer may leave nothing of a word such as "s".
    return hashText(this.#stem(word) || word)
  }
}
