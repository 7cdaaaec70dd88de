// Two queues: the similarity-based crawler of Cho, Garcia-Molina and Page, in their modified form. A URL is
// hot if its anchor or address has the topic's word, or if it is within a few links of a hot page. All other
// URLs wait in the cold queue until the hot one is empty. A page is hot if its title has the word, or if its
// text has it often enough.
//
// The paper serves a queue first come, first served, or sorts it by importance; `order` has both. The default
// differs: URLs that are hot by their own words come first, then those nearest to a hot page. Most of a site
// is within three links of a hot page, and would otherwise wait in one queue.
//
// A URL is queued once. If a later page shows that it is hot, or nearer, it moves to the end of its new
// class. The distance of a page from a hot one is fixed when it is fetched: a shorter path found later does
// not change the distance of the pages behind it.
import type { CanonicalUrl } from '../core/url.ts'
import type { Judgement, Topic } from '../topic/topic.ts'
import { type KeywordInLink, keywordInLink } from './evidence-judge.ts'
import {
  type Candidate,
  type Judge,
  keepNumbers,
  latestOf,
  type OptionValues,
  type Ordering,
  type ReadLink,
  type ReadPage,
  type Scorer,
  type SettledPage,
  type Signals,
  unspokenScore,
} from './ordering.ts'

const WITHIN = 3
const TIMES = 10
const NEAREST_FIRST = 1
const MOST_LINKED_FIRST = 2
/** The class of the cold queue. Hot classes start at 0; every `within` is less than this. */
const COLD = 127
/** The pages of any crawl times this are less than one class, and scores stay exact. */
const WITHIN_CLASS = 2 ** -34

/** Notes 1 for a page or a link that is hot by its own words, else 0. */
class WordJudge implements Judge {
  readonly #times: number
  readonly #within: number
  readonly #keyword: KeywordInLink

  constructor(topic: Topic | null, { times = TIMES, within = WITHIN }: OptionValues) {
    this.#times = times
    this.#within = within
    this.#keyword = keywordInLink(topic)
  }

  page({ judgement }: ReadPage): Signals {
    return judgement !== null && this.#isHot(judgement) ? [1] : [0]
  }

  link({ url, anchor }: ReadLink): Signals {
    return this.#keyword.anchor(anchor) || this.#keyword.address(url) ? [1] : [0]
  }

  listed(url: CanonicalUrl): Signals | null {
    return this.#keyword.address(url) ? [1, this.#within + 1, 0, 0] : null
  }

  #isHot({ titleMentions, textMentions, hot }: Judgement): boolean {
    if (titleMentions > 0 || textMentions >= this.#times) return true
    // A topic from examples has no words to count; its own rule decides.
    return textMentions === 0 && hot
  }
}

/** Signals: hot by its own words; links from a hot page; when it entered its class; links to it. */
class TwoQueues implements Scorer {
  readonly #within: number
  readonly #order: number
  /** Number of settled pages: the clock that orders URLs by arrival. */
  #now = 0

  constructor({ within = WITHIN, order = NEAREST_FIRST }: OptionValues) {
    this.#within = within
    this.#order = order
  }

  score(candidate: Candidate): number {
    const { depth, signals } = candidate
    if (depth === 0 || signals === null) return unspokenScore(candidate)
    const [, , since = 0, links = 0] = signals
    const place = this.#order === MOST_LINKED_FIRST ? links : -since
    return place * WITHIN_CLASS - this.#classOf(signals)
  }

  settled(): void {
    this.#now += 1
  }

  pass({ judged, signals }: SettledPage, link: Signals | null): Signals {
    const distance = judged?.[0] === 1 ? 0 : (signals?.[1] ?? this.#within)
    return [link?.[0] ?? 0, Math.min(distance, this.#within) + 1, this.#now, 1]
  }

  merge(known: Signals, fresh: Signals): Signals {
    const [hot = 0, distance = 0, since = 0, links = 0] = known
    const [freshHot = 0, freshDistance = 0, now = 0, more = 0] = fresh
    const isPromoted = this.#classOf(fresh) < this.#classOf(known)
    return [
      Math.max(hot, freshHot),
      Math.min(distance, freshDistance),
      isPromoted ? now : since,
      links + more,
    ]
  }

  save(): Uint8Array {
    return keepNumbers([this.#now])
  }

  load(bytes: Uint8Array): void {
    this.#now = latestOf(this.#now, [bytes])
  }

  gist(): Uint8Array {
    return this.save()
  }

  hear(gists: readonly Uint8Array[]): void {
    this.#now = latestOf(this.#now, gists)
  }

  /** Lower is sooner. */
  #classOf([hot = 0, distance = 0]: Signals): number {
    if (hot === 0 && distance > this.#within) return COLD
    return hot === 1 || this.#order !== NEAREST_FIRST ? 0 : distance
  }
}

export const hotQueue: Ordering = {
  name: 'hot-queue',
  about: 'a keyword in the link, or near a page about it, before all else',
  rescoreOn: ['signals'],
  focused: true,
  options: [
    {
      name: 'within',
      help: 'links from a hot page up to which a URL is hot; 0: only by its own words',
      default: WITHIN,
      min: 0,
      max: 100,
      whole: true,
    },
    {
      name: 'times',
      help: 'keywords in its text that make a page hot; one in its title does, too',
      default: TIMES,
      min: 1,
      max: 1e6,
      whole: true,
    },
    {
      name: 'order',
      help: 'of each queue: 0 first come, 1 nearest to a hot page, 2 most linked-to first',
      default: NEAREST_FIRST,
      min: 0,
      max: 2,
      whole: true,
    },
  ],
  signals: ['hot link', 'links from a hot page', 'since page', 'links to it'],
  judge: ({ topic, options }) => new WordJudge(topic, options),
  createScorer: (options) => new TwoQueues(options),
}
