// The direction that pages on topic share and others do not (Rocchio): their mean less the mean of the
// others, without stop words. Otherwise the words that all pages of a web share would count as the topic.
import type { TermTable } from '../text/term-table.ts'
import { centroid, TermVector } from '../text/term-vector.ts'
import type { TermId } from '../text/text.ts'
import { dampedCount } from './linear-classifier.ts'

/** How far the centre moves away from pages off topic; chosen on replayed crawls. */
const AWAY = 2
/** The typical likeness of two pages on the same topic; for a topic from a single page. */
const USUAL_LIKENESS = 0.15

export type CentreOptions = {
  readonly positive: readonly TermTable[]
  readonly negative: readonly TermTable[]
  /** 0 for terms that do not count. */
  readonly rarityOf: (term: TermId) => number
}

export class TopicCentre {
  readonly #positive: readonly TermVector[]
  readonly #own: TermVector
  readonly #others: TermVector
  readonly #negatives: number

  constructor({ positive, negative, rarityOf }: CentreOptions) {
    const vectors = (pages: readonly TermTable[]) => pages.map((page) => vectorOf(page, rarityOf))
    this.#positive = vectors(positive)
    this.#own = centroid(this.#positive)
    this.#others = centroid(vectors(negative))
    this.#negatives = Math.max(1, negative.length)
  }

  weightOf(term: TermId): number {
    return this.#weight(term, this.#own.weightOf(term), this.#positive.length)
  }

  /** The median likeness of each page on topic to all others together. */
  usualLikeness(): number {
    if (this.#positive.length < 2) return USUAL_LIKENESS
    const sorted = Float64Array.from(this.#positive, (page) => this.#likeness(page)).sort()
    return Math.max(Number.EPSILON, sorted[sorted.length >> 1] ?? 0)
  }

  /** The cosine of one page and the centre of the others. */
  #likeness(page: TermVector): number {
    const pages = this.#positive.length - 1
    let [product, squares] = [0, 0]
    for (const term of this.#own.ids) {
      const own = page.weightOf(term) / (page.norm || 1)
      const weight = this.#weight(term, this.#own.weightOf(term) - own, pages)
      product += own * weight
      squares += weight * weight
    }
    return squares === 0 ? 0 : product / Math.sqrt(squares)
  }

  #weight(term: TermId, sum: number, pages: number): number {
    return Math.max(0, sum / pages - (AWAY * this.#others.weightOf(term)) / this.#negatives)
  }
}

function vectorOf({ ids, values }: TermTable, rarityOf: (term: TermId) => number): TermVector {
  const weights = values.map((count, at) => dampedCount(count) * rarityOf(ids[at] ?? 0))
  return new TermVector(ids.slice(), weights)
}
