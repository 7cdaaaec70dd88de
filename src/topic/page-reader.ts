// Reads a page for judging, in two steps: its own text, which is all that a trained model judges, then the
// anchors and the address. Reuses its table from page to page.
import { TermTable } from '../text/term-table.ts'
import type { TermReader } from '../text/terms.ts'
import type { TermId } from '../text/text.ts'
import { Mentions } from './mentions.ts'
import { countSurroundings, headOf, MAX_TEXT, startOf } from './page-words.ts'
import type { PageText } from './topic.ts'

type PageReaderOptions = {
  readonly reader: TermReader
  readonly isStopWord: (term: TermId) => boolean
  readonly keywords: readonly (readonly TermId[])[]
  readonly phrases: readonly (readonly TermId[])[]
}

/** The last page read; valid until the next one. */
export class PageReader {
  readonly counts = new TermTable(1024)
  /** How often each phrase occurs in title and text. */
  readonly phraseCounts: Uint32Array
  /** Number of words in title, description and text, and the same without stop words. */
  words = 0
  terms = 0
  /** Terms of the title, in their order. */
  title: readonly TermId[] = []
  titleMentions = 0
  textMentions = 0
  readonly #reader: TermReader
  readonly #isStopWord: (term: TermId) => boolean
  readonly #keywords: Mentions
  readonly #phrases: Mentions

  constructor({ reader, isStopWord, keywords, phrases }: PageReaderOptions) {
    this.#reader = reader
    this.#isStopWord = isStopWord
    this.#keywords = new Mentions(keywords)
    this.#phrases = new Mentions(phrases)
    this.phraseCounts = new Uint32Array(phrases.length)
  }

  /** Title, description and text. */
  readText(page: PageText): void {
    const { counts } = this
    counts.clear()
    this.phraseCounts.fill(0)
    this.#readBody(startOf(page.text))
    const title = this.#reader.read(headOf(page.title))
    for (const term of title) counts.add(term, 1)
    this.title = title
    this.titleMentions = this.#keywords.inTerms(title)
    this.#countPhrases(title)
    this.#reader.count(headOf(page.description), counts)
    this.terms = this.#termsOf(page)
  }

  /** Then anchors and address. */
  readSurroundings(page: PageText): void {
    countSurroundings(this.#reader, page, this.counts)
  }

  #readBody(text: string): void {
    const { counts } = this
    if (!this.#keywords.needsOrder && !this.#phrases.needsOrder) {
      this.#reader.count(text, counts)
      this.textMentions = this.#keywords.inCounts(counts)
      return
    }
    const terms = this.#reader.read(text)
    for (const term of terms) counts.add(term, 1)
    this.textMentions = this.#keywords.inTerms(terms)
    this.#countPhrases(terms)
  }

  #countPhrases(terms: readonly TermId[]): void {
    this.#phrases.longerIn(terms, (at) => {
      this.phraseCounts[at] = (this.phraseCounts[at] ?? 0) + 1
    })
  }

  /** Number of terms; for a truncated text, an estimate for the whole. */
  #termsOf({ text }: PageText): number {
    const { ids, values } = this.counts
    let [words, terms] = [0, 0]
    for (let at = 0; at < ids.length; at++) {
      const count = values[at] ?? 0
      words += count
      if (!this.#isStopWord(ids[at] ?? 0)) terms += count
    }
    this.words = words
    return Math.round(terms * Math.max(1, text.length / MAX_TEXT))
  }
}
