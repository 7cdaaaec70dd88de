// Words that lead to a topic though nobody typed them, learned from the passages that have the topic's own
// (pseudo-relevance feedback). They only say which links to follow first; no page becomes hot by them, so
// a crawl cannot drift away from the words of its user.
//
//   odds of a word = ln( its share in passages on topic / its share in all pages )
//
// The share in passages on topic is drawn towards that in all pages as long as few were seen, so a word that
// one page has says next to nothing. One site counts less with each page of it.
import { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'

/** Words of all pages that the first pages on topic are mixed with. */
const PRIOR_WORDS = 1000
/** What one page on topic counts as, however long it is. */
const PAGE_WORDS = 300
/** Pages of one site after which the next counts half. */
const SITE_PAGES = 10
/** With less on topic than a page nothing is learned. */
const LEAST_PAGES = 1
/** Little speaks against a link: few pages on topic were seen, and what they lack others may have. */
const LOWEST = -0.5
const HIGHEST = 3
/** Terms kept of each side, and those that are given out: the ones met most. Rare ones are what leads on. */
const MAX_TERMS = 40_000
const KEPT_SHARE = 0.75
const MAX_ODDS = 20_000
const MAX_HOSTS = 4096

export class Feedback {
  readonly #onTopic = new TermTable(1024)
  readonly #all = new TermTable(4096)
  readonly #hosts = new Map<string, number>()
  #onTopicWords = 0
  #allWords = 0
  #pages = 0

  /** Any page, by its counted words. */
  learn({ ids, values }: TermTable): void {
    for (let at = 0; at < ids.length; at++) {
      const root = Math.sqrt(values[at] ?? 0)
      this.#all.add(ids[at] ?? 0, root)
      this.#allWords += root
    }
    prune(this.#all)
  }

  /** What of a page is on topic; `share` is what it counts beside a page that is wholly. */
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

  /** Of the words that tell most; none before there is enough to learn from. */
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

/** Forgets what was met least, by a limit that rises until enough is gone. */
function prune(table: TermTable): void {
  if (table.size <= MAX_TERMS) return
  for (let floor = 0.5; table.size > MAX_TERMS * KEPT_SHARE; floor *= 2) {
    table.keep((value) => value > floor)
  }
}
