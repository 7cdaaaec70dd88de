// Learns the weight of each topic word from the pages of a crawl. A word that most pages have says little,
// even if it is in no list of common words: on a web about mountains, "mountain" is such a word. The weights
// start as the topic was built; no word is ever added.
//
// A focused crawl meets the topic's words everywhere, so pages are not simply counted. For each word, only
// pages count that the other words do not already make hot: among those the word must decide by itself.
import type { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'
import { RAREST } from './background.ts'
import type { TopicParts } from './topic-record.ts'

/** The initial weights count as much as this many pages. */
const PRIOR_PAGES = 20

/**
 * How far the total weight of words that turn out common is restored. Not fully: if every word of a topic is
 * on most pages, a page must have more of them.
 */
const RESTORED = 0.75

/** A word or phrase that is looked for. */
type Unit = {
  /** The estimated share of pages that have it, before the crawl. */
  readonly prior: number
  /** Factor from the way it was given: a word of a phrase counts less. */
  readonly factor: number
  /** Pages where the other words do not already decide, and how many of them have it. */
  pages: number
  pagesWith: number
  /** Whether any page had it. */
  isMet: boolean
  readonly given: number
  weight: number
}

type Known = Pick<TopicParts, 'columns' | 'phrases' | 'bias'>

export class WordWeights {
  readonly terms: readonly TermId[]
  readonly #units: readonly Unit[]
  /** By term, its index. */
  readonly #at: ReadonlyMap<TermId, number>
  readonly #usual: number
  readonly #parts: Float64Array
  /** Pages without any of the words, which count equally for every word. */
  #others = 0

  constructor({ columns, phrases, bias }: Known) {
    const rows = [...columns.terms.keys()].filter((row) => (columns.pull[row] ?? 0) > 0)
    this.terms = rows.map((row) => columns.terms[row] ?? 0)
    const unit = (pull: number, rarity: number): Unit => ({
      prior: Math.exp(1 - rarity),
      factor: pull / rarity,
      pages: 0,
      pagesWith: 0,
      isMet: false,
      given: pull,
      weight: pull,
    })
    this.#units = [
      ...rows.map((row) => unit(columns.pull[row] ?? 0, columns.rarity[row] ?? 1)),
      ...phrases.map(({ pull }) => unit(pull, RAREST)),
    ]
    this.#at = new Map(this.terms.map((term, at) => [term, at]))
    this.#usual = bias
    this.#parts = new Float64Array(this.#units.length)
  }

  /** The weight of each of `terms`, then the weight of each phrase. */
  get weights(): readonly number[] {
    return this.#units.map(({ weight }) => weight)
  }

  /** The weight of one term; 0 if it is not looked for. */
  weightOf(term: TermId): number {
    const at = this.#at.get(term)
    return at === undefined ? 0 : (this.#units[at]?.weight ?? 0)
  }

  /** The total pull of the words in a page, from its counts. */
  pull(counts: TermTable, phraseCounts: Uint32Array): number {
    const parts = this.#parts
    let sum = 0
    for (let at = 0; at < parts.length; at++) {
      const term = this.terms[at]
      const count = term === undefined ? phraseCounts[at - this.terms.length] : counts.get(term)
      const part = count ? (this.#units[at]?.weight ?? 0) * Math.sqrt(count) : 0
      parts[at] = part
      sum += part
    }
    return sum
  }

  /** Learns from the page that `pull` was last computed for; `reach` is the root of its length. */
  learn(pull: number, reach: number): void {
    if (pull === 0) {
      this.#others++
      return
    }
    for (let at = 0; at < this.#parts.length; at++) {
      const unit = this.#units[at]
      const part = this.#parts[at] ?? 0
      if (unit === undefined) continue
      if (part > 0) unit.isMet = true
      if ((pull - part) / reach >= this.#usual) continue
      unit.pages++
      if (part > 0) unit.pagesWith++
    }
  }

  /**
   * Computes the weights again from what was learned. Words that were met keep about their total weight: a
   * word that no page has, however rare, takes nothing from them.
   */
  settle(): void {
    const met = this.#units.filter(({ isMet }) => isMet)
    let [before, after] = [0, 0]
    for (const unit of met) {
      before += unit.given
      after += unit.factor * this.#rarityOf(unit)
    }
    // A single word can only be present or not, so its weight is restored fully.
    const scale = (before / after) ** (this.#units.length === 1 ? 1 : RESTORED)
    for (const unit of met) unit.weight = unit.factor * this.#rarityOf(unit) * scale
  }

  #rarityOf({ prior, pages, pagesWith }: Unit): number {
    const share = (PRIOR_PAGES * prior + pagesWith) / (PRIOR_PAGES + this.#others + pages)
    return 1 - Math.log(share)
  }
}
