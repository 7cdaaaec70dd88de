// How much each word of a topic tells, learned from the pages that a crawl meets. What stands in most of
// them tells little, whatever lists of common words say: on a web about mountains, "mountain" is one of
// those. It begins with what the topic was built with and never adds a word.
//
// A focused crawl meets the topic's words everywhere, so pages are not simply counted. For each word only
// those count that the other words do not already make hot: among them it must tell by itself.
import type { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'
import { RAREST } from './background.ts'
import type { TopicParts } from './topic-record.ts'

/** So many pages are what the topic was built with worth. */
const PRIOR_PAGES = 20

/**
 * How far words that turn out common are made as heavy again as they were given, all together. Not wholly: where
 * every word of a topic stands on most pages, more of them must be there to tell anything.
 */
const RESTORED = 0.75

/** One word or phrase that is looked for. */
type Unit = {
  /** The share of pages that have it, as far as was known before. */
  readonly prior: number
  /** What the way it was given in makes of its weight: a word of a phrase counts less. */
  readonly factor: number
  /** Pages in which others do not already decide, and those of them that have it. */
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
  /** By term, its position. */
  readonly #at: ReadonlyMap<TermId, number>
  readonly #usual: number
  readonly #parts: Float64Array
  /** Pages in which no word was found, and those that count for every word alike. */
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

  /** The weight of each of `terms`, and after them that of each phrase. */
  get weights(): readonly number[] {
    return this.#units.map(({ weight }) => weight)
  }

  /** That of one term; 0 for any that is not looked for. */
  weightOf(term: TermId): number {
    const at = this.#at.get(term)
    return at === undefined ? 0 : (this.#units[at]?.weight ?? 0)
  }

  /** What all of them together pull in a page by its counted words. */
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

  /** The page whose pull was asked for last; `reach` is the root of its length. */
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
   * Weighs again by what was learned. Those that were met stay about as heavy all together as they were
   * given: a word that no page has, rare as it is, takes nothing from them.
   */
  settle(): void {
    const met = this.#units.filter(({ isMet }) => isMet)
    let [before, after] = [0, 0]
    for (const unit of met) {
      before += unit.given
      after += unit.factor * this.#rarityOf(unit)
    }
    // Of a single word nothing more can be asked than that it is there.
    const scale = (before / after) ** (this.#units.length === 1 ? 1 : RESTORED)
    for (const unit of met) unit.weight = unit.factor * this.#rarityOf(unit) * scale
  }

  #rarityOf({ prior, pages, pagesWith }: Unit): number {
    const share = (PRIOR_PAGES * prior + pagesWith) / (PRIOR_PAGES + this.#others + pages)
    return 1 - Math.log(share)
  }
}
