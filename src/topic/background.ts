// The words that pages share whatever they are about. A topic from words alone, or from pages on topic alone,
// does not describe the rest of the web; this replaces that description.
import { seededRandom } from '../lib/seeded-random.ts'
import { COMMON_WORDS_OF } from '../text/language-votes.ts'
import { stopWordsFor } from '../text/stop-words.ts'
import { TermTable } from '../text/term-table.ts'
import type { TermReader } from '../text/terms.ts'
import { primaryLanguage, type TermId } from '../text/text.ts'
import { functionWordsOf } from './function-words.ts'
import { COMMON_WORDS } from './words-language.ts'

/** Function words of a language without counts: most pages of that language have them. */
const FUNCTION_WORD_SHARE = 0.6
/** The share of a word in no list: rarer than the rarest there. */
const RARE_SHARE = 1 / 500
/** The rarity of such a word. */
export const RAREST = 1 - Math.log(RARE_SHARE)
/** A list covers the shares between two powers of a half; this is the middle. */
const MIDDLE = Math.SQRT1_2
/** Only common terms occur more than once in a made-up page. */
const MOST_REPEATS = 12
/** The shortest page has a fifth of the words of the longest, as real pages do. */
const SHORTEST = 0.2

export class Background {
  readonly #shares = new TermTable(4096)

  /** Terms are made by the reader of that language. */
  constructor(reader: TermReader, language: string) {
    const own = primaryLanguage(language)
    for (const tables of Object.values(COMMON_WORDS)) {
      for (const [band, words] of tables.entries()) {
        this.#learn(reader, words, MIDDLE * 0.5 ** band)
      }
    }
    if (own === 'en') return
    this.#learn(reader, [...stopWordsFor(own)].join(' '), FUNCTION_WORD_SHARE)
    this.#learn(reader, COMMON_WORDS_OF[own] ?? '', FUNCTION_WORD_SHARE)
    this.#learn(reader, [...functionWordsOf(own)].join(' '), FUNCTION_WORD_SHARE)
  }

  #learn(reader: TermReader, words: string, share: number): void {
    for (const id of reader.read(words)) {
      if (share > this.#shares.get(id)) this.#shares.set(id, share)
    }
  }

  /** The terms known to be common. */
  get terms(): Int32Array {
    return this.#shares.ids
  }

  /** The share of pages that have a term. */
  shareOf(id: TermId): number {
    return this.#shares.get(id) || RARE_SHARE
  }

  /** The rarity of a term: 1 if every page has it. */
  rarityOf(id: TermId): number {
    return 1 - Math.log(this.shareOf(id))
  }

  /** The rarity of the words that most pages have. */
  get commonest(): number {
    return 1 - Math.log(MIDDLE)
  }

  /**
   * Pages about nothing: each has every term with its usual probability. The same seed gives the same pages.
   */
  madeUpPages(count: number, seed: number): TermTable[] {
    const random = seededRandom(seed)
    return Array.from({ length: count }, () => this.#madeUpPage(random))
  }

  #madeUpPage(random: () => number): TermTable {
    const page = new TermTable(1024)
    const length = SHORTEST + (1 - SHORTEST) * random()
    const { ids, values } = this.#shares
    for (let at = 0; at < ids.length; at++) {
      const share = values[at] ?? 0
      if (random() >= share * length) continue
      page.add(ids[at] ?? 0, 1 + Math.floor(random() * share * length * MOST_REPEATS))
    }
    return page
  }
}
