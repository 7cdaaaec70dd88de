// A topic from words learns two things from the pages of its crawl: how much its own words say
// (word-weights.ts), and which other words lead to pages on topic (`Feedback` below). One per parser thread,
// bounded, and the same for the same pages in the same order. Learning takes effect in steps that become
// rarer: between two steps all texts are judged alike, and after the last one nothing changes.
import { type CanonicalUrl, hostOf } from '../core/url.ts'
import { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'
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

type LearnedPage = {
  readonly url: CanonicalUrl
  readonly relevance: number
  readonly promise: number
  /** The terms of its text, in order. */
  readonly terms: () => readonly TermId[]
}

type Learned = {
  readonly columns: TopicColumns
  readonly phrases: readonly KeptPhrase[]
}

export class TopicLearner {
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

/** Words of all pages that the first pages on topic are mixed with. */
const PRIOR_WORDS = 1000
/** The weight of one page on topic in words, however long it is. */
const PAGE_WORDS = 300
/** After this many pages of one site, the next counts half. */
const SITE_PAGES = 10
/** With less than this on topic nothing is learned. */
const LEAST_PAGES = 1
/**
 * Lower limit of evidence against a link: few pages on topic were seen, and others may have what they lack.
 */
const LOWEST = -0.5
const HIGHEST = 3
/**
 * Limits of terms stored for each side, and of terms returned: the most frequent ones. Rare terms lead
 * further.
 */
export const MAX_TERMS = 40_000
const KEPT_SHARE = 0.75
const MAX_ODDS = 20_000
export const MAX_HOSTS = 4096

/**
 * Learns words that lead to a topic though the user did not type them, from the passages with the topic's own
 * words (pseudo-relevance feedback). They only decide which links come first; no page becomes hot by them, so
 * a crawl cannot drift away from the user's words.
 *
 *   odds of a word = ln( its share in passages on topic / its share in all pages )
 *
 * The share in passages on topic is drawn towards that in all pages while few were seen, so a word of a
 * single page says next to nothing. Each further page of a site counts less.
 */
export class Feedback {
  readonly #onTopic = new TermTable(1024)
  readonly #all = new TermTable(4096)
  readonly #hosts = new Map<string, number>()
  #onTopicWords = 0
  #allWords = 0
  #pages = 0

  /** How much is kept: terms of each side, and hosts. */
  get sizes(): { readonly all: number; readonly onTopic: number; readonly hosts: number } {
    return { all: this.#all.size, onTopic: this.#onTopic.size, hosts: this.#hosts.size }
  }

  /** Learns from any page, by its counted words. */
  learn({ ids, values }: TermTable): void {
    for (let at = 0; at < ids.length; at++) {
      const root = Math.sqrt(values[at] ?? 0)
      this.#all.add(ids[at] ?? 0, root)
      this.#allWords += root
    }
    prune(this.#all)
  }

  /**
   * Learns from the part of a page that is on topic; `share` is its weight relative to a page wholly on
   * topic.
   */
  learnOnTopic({ ids, values }: TermTable, host: string, share: number): void {
    const known = this.#hosts.get(host) ?? 0
    if (this.#hosts.size >= MAX_HOSTS) this.#hosts.clear()
    this.#hosts.set(host, known + share)
    const weight = (PAGE_WORDS * share) / (1 + known / SITE_PAGES)
    let words = 0
    for (let at = 0; at < ids.length; at++) words += Math.sqrt(values[at] ?? 0)
    for (let at = 0; at < ids.length; at++) {
      this.#onTopic.add(ids[at] ?? 0, (weight * Math.sqrt(values[at] ?? 0)) / words)
    }
    this.#onTopicWords += weight
    this.#pages += share
    prune(this.#onTopic)
  }

  /** The odds of the words that say most; empty until there is enough to learn from. */
  odds(): ReadonlyMap<TermId, number> {
    const odds = new Map<TermId, number>()
    if (this.#pages < LEAST_PAGES) return odds
    for (const term of this.#mostMet()) {
      const share = this.#all.get(term) / this.#allWords
      if (share === 0) continue
      const own = this.#onTopic.get(term) + PRIOR_WORDS * share
      const ratio = own / (this.#onTopicWords + PRIOR_WORDS) / share
      odds.set(term, Math.max(LOWEST, Math.min(HIGHEST, Math.log(ratio))))
    }
    return odds
  }

  #mostMet(): Iterable<TermId> {
    const half = MAX_ODDS / 2
    return new Set([...largest(this.#onTopic, half), ...largest(this.#all, half)])
  }
}

function largest({ ids, values }: TermTable, count: number): TermId[] {
  const order = Array.from(ids, (_, at) => at)
  order.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b)
  return order.slice(0, count).map((at) => ids[at] ?? 0)
}

/** Drops the least frequent terms, by a limit that rises until enough are dropped. */
function prune(table: TermTable): void {
  if (table.size <= MAX_TERMS) return
  for (let floor = 0.5; table.size > MAX_TERMS * KEPT_SHARE; floor *= 2) {
    table.keep((value) => value > floor)
  }
}
