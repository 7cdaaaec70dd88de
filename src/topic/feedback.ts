// Learns words that lead to a topic though the user did not type them, from the passages with the topic's own
// words (pseudo-relevance feedback). They only decide which links come first; no page becomes hot by them, so
// a crawl cannot drift away from the user's words.
//
//   odds of a word = ln( its share in passages on topic / its share in all pages )
//
// The share in passages on topic is drawn towards that in all pages while few were seen, so a word of a
// single page says next to nothing. Each further page of a site counts less.
import { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'

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
