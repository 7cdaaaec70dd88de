// What a topic of words learns from the pages of its crawl: how much its own words tell (word-weights.ts),
// and which other words lead to pages on topic (feedback.ts). One per parser thread, bounded, and the same
// for the same pages in the same order. What is learned takes effect in steps that grow rarer: between
// two of them every text is judged alike, and after the last nothing changes any more.
import { type CanonicalUrl, hostOf } from '../core/url.ts'
import { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'
import { Feedback } from './feedback.ts'
import { EVIDENCE } from './from-words.ts'
import type { KeptPhrase, TopicColumns, TopicParts } from './topic-record.ts'
import { WordWeights } from './word-weights.ts'

/** Pages after which what was learned takes effect: the first time, and how much later each time. */
const FIRST_STEP = 8
const NEXT_STEP = 1.5
/** Then it is done: no word becomes rarer or more common by further pages. */
const LAST_PAGE = 50_000
/** Of the pages past these one in sixteen is learned from: they hardly change anything any more. */
const ALL_UNTIL = 300
const THEN_EACH = 16
/** Relevance from which a page is on topic beyond doubt. */
const BEYOND_DOUBT = 0.8
/** What words that were learned are worth beside those that were given. */
const LEARNED = 1

export type Learned = {
  readonly columns: TopicColumns
  readonly phrases: readonly KeptPhrase[]
}

export class Learning {
  readonly #parts: TopicParts
  readonly #weights: WordWeights
  readonly #feedback = new Feedback()
  #pages = 0
  #next = FIRST_STEP

  constructor(parts: TopicParts) {
    this.#parts = parts
    this.#weights = new WordWeights(parts)
  }

  /** What the topic's words pull in a page's own text, which is learned from. */
  readText(counts: TermTable, phraseCounts: Uint32Array, reach: number): number {
    const pull = this.#weights.pull(counts, phraseCounts)
    if (this.#pages < LAST_PAGE) this.#weights.learn(pull, reach)
    return pull
  }

  /** The whole page, with what was made of it. True when what was learned takes effect now. */
  readPage(counts: TermTable, page: { readonly url: CanonicalUrl; readonly relevance: number }) {
    if (this.#pages >= LAST_PAGE) return false
    this.#pages++
    if (this.#pages <= ALL_UNTIL || this.#pages % THEN_EACH === 0) {
      this.#feedback.learn(counts, page.relevance >= BEYOND_DOUBT ? hostOf(page.url) : null)
    }
    if (this.#pages < this.#next) return false
    this.#next = Math.ceil(this.#next * NEXT_STEP)
    return true
  }

  /** The topic as it is now known. */
  take(): Learned {
    const odds = this.#feedback.odds()
    if (this.#parts.judge === 'language') {
      return { columns: withOdds(this.#parts, odds), phrases: this.#parts.phrases }
    }
    this.#weights.settle()
    const { terms, weights } = this.#weights
    const columns = withWeights(
      this.#parts.columns,
      new Map(terms.map((term, at) => [term, weights[at] ?? 0])),
    )
    const phrases = this.#parts.phrases.map((phrase, at) => {
      const pull = weights[terms.length + at] ?? phrase.pull
      return { ...phrase, pull, evidence: EVIDENCE * pull * phrase.terms.length }
    })
    return {
      columns: withOdds({ columns, unknownRarity: this.#parts.unknownRarity }, odds),
      phrases,
    }
  }
}

function withWeights(columns: TopicColumns, weights: ReadonlyMap<TermId, number>): TopicColumns {
  const pull = columns.pull.map((before, row) => weights.get(columns.terms[row] ?? 0) ?? before)
  return {
    ...columns,
    pull,
    evidence: pull.map((weight) => EVIDENCE * weight),
    centre: pull.map((weight, row) => weight * (columns.rarity[row] ?? 0)),
  }
}

/** Rows for words that were learned; what they add to a page's evidence stands in `promise`. */
function withOdds(
  { columns, unknownRarity }: Pick<TopicParts, 'columns' | 'unknownRarity'>,
  odds: ReadonlyMap<TermId, number>,
): TopicColumns {
  const known = new TermTable(columns.terms.length)
  for (const term of columns.terms) known.set(term, 1)
  const more = [...odds.keys()].filter((term) => !known.has(term))
  const grown = (column: Float32Array, rest = 0) => {
    const longer = new Float32Array(column.length + more.length).fill(rest, column.length)
    longer.set(column)
    return longer
  }
  const terms = Int32Array.from([...columns.terms, ...more])
  const promise = Float32Array.from(terms, (term) => LEARNED * (odds.get(term) ?? 0))
  const evidence = grown(columns.evidence).map((own, row) => own + (promise[row] ?? 0))
  return {
    terms,
    evidence,
    rarity: grown(columns.rarity, unknownRarity),
    centre: grown(columns.centre),
    pull: grown(columns.pull),
    promise,
  }
}
