// A topic from words learns two things from the pages of its crawl: how much its own words say
// (word-weights.ts), and which other words lead to pages on topic (feedback.ts). One per parser thread,
// bounded, and the same for the same pages in the same order. Learning takes effect in steps that become
// rarer: between two steps all texts are judged alike, and after the last one nothing changes.
import { type CanonicalUrl, hostOf } from '../core/url.ts'
import { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'
import { Feedback } from './feedback.ts'
import { EVIDENCE } from './from-words.ts'
import { Mentions } from './mentions.ts'
import type { KeptPhrase, TopicColumns, TopicParts } from './topic-record.ts'
import { WordWeights } from './word-weights.ts'

/** Pages before the first step, and the growth between steps. */
const FIRST_STEP = 8
const NEXT_STEP = 1.5
/** Learning ends here: further pages change no frequency. */
const LAST_PAGE = 50_000
/** Beyond this many pages only one in sixteen is learned from: they change hardly anything. */
const ALL_UNTIL = 300
const THEN_EACH = 16
/** From this relevance the language of a page is certain. */
const BEYOND_DOUBT = 0.8
/** Weight of learned words relative to the given ones. */
const LEARNED = 1

/** This many words on either side of a topic word are near it; light topic words occur anywhere. */
const NEAR = 15
const LEAST_WEIGHT = 0.3
/** Passages with this many different words count as a whole page. */
const WHOLE_PASSAGE = 60
/** A page of lower relevance has hardly any of the words. */
const LEAST_RELEVANCE = 0.02

export type LearnedPage = {
  readonly url: CanonicalUrl
  readonly relevance: number
  readonly promise: number
  /** The terms of its text, in order. */
  readonly terms: () => readonly TermId[]
}

export type Learned = {
  readonly columns: TopicColumns
  readonly phrases: readonly KeptPhrase[]
}

export class Learning {
  readonly #parts: TopicParts
  readonly #weights: WordWeights
  readonly #feedback = new Feedback()
  readonly #phrases: Mentions
  #pages = 0
  #next = FIRST_STEP

  constructor(parts: TopicParts) {
    this.#parts = parts
    this.#weights = new WordWeights(parts)
    this.#phrases = new Mentions(parts.phrases.map(({ terms }) => terms))
  }

  /** The pull of the topic's words in a page's own text; also learns from it. */
  readText(counts: TermTable, phraseCounts: Uint32Array, reach: number): number {
    const pull = this.#weights.pull(counts, phraseCounts)
    if (this.#pages < LAST_PAGE) this.#weights.learn(pull, reach)
    return pull
  }

  /** Learns from the whole page and its judgement. True if a step takes effect now. */
  readPage(counts: TermTable, page: LearnedPage) {
    if (this.#pages >= LAST_PAGE) return false
    this.#pages++
    if (this.#pages <= ALL_UNTIL || this.#pages % THEN_EACH === 0) this.#learn(counts, page)
    if (this.#pages < this.#next) return false
    this.#next = Math.ceil(this.#next * NEXT_STEP)
    return true
  }

  /** For a topic from words, the passages with them are on topic; for a language, whole pages are. */
  #learn(counts: TermTable, page: LearnedPage): void {
    this.#feedback.learn(counts)
    const isLanguage = this.#parts.judge === 'language'
    if (isLanguage && page.relevance < BEYOND_DOUBT) return
    if (!isLanguage && page.relevance < LEAST_RELEVANCE) return
    const onTopic = isLanguage ? counts : this.#passages(page.terms())
    const weight = isLanguage ? 1 : page.promise * Math.min(1, onTopic.size / WHOLE_PASSAGE)
    if (onTopic.size > 0) this.#feedback.learnOnTopic(onTopic, hostOf(page.url), weight)
  }

  /** Counts the words near topic words that have some weight, and near its phrases. */
  #passages(terms: readonly TermId[]): TermTable {
    const found = new TermTable(256)
    const starts = new Set<number>()
    this.#phrases.longerIn(terms, (_, start) => starts.add(start))
    let next = 0
    for (let at = 0; at < terms.length; at++) {
      if (this.#weights.weightOf(terms[at] ?? 0) < LEAST_WEIGHT && !starts.has(at)) continue
      const end = Math.min(terms.length, at + NEAR + 1)
      for (next = Math.max(next, at - NEAR); next < end; next++) found.add(terms[next] ?? 0, 1)
    }
    return found
  }

  /** The topic in its current state. */
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

/** Rows for learned words; `promise` holds what they add to a page's evidence. */
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
