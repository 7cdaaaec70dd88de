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
//
// `hot-queue:cho` is the crawler as published (Efficient crawling through URL ordering, 1998): a URL is hot if
// its distance from a hot page is less than 3; it is put into one of the queues when it is first found, and
// stays there; both queues are sorted by the number of links from pages fetched so far. Up to that distance,
// the distance when a URL is found is exact: the page that links to it is hot, or has a link from a hot page
// that was fetched before it. The paper has one start URL; of several, all come first.
import type { CanonicalUrl } from '../core/url.ts'
import type { Judgement, Topic } from '../topic/topic.ts'
import { type KeywordInLink, keywordInLink } from './evidence-judge.ts'
import {
  type Candidate,
  type Judge,
  type OptionValues,
  type Ordering,
  PageClock,
  type ReadLink,
  type ReadPage,
  type Scorer,
  type SettledPage,
  type Signals,
  unspokenScore,
} from './ordering.ts'

const WITHIN = 3
const TIMES = 10
const PROMOTE = 1
const WORDS = 1
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
  readonly #countsWords: boolean
  readonly #keyword: KeywordInLink

  constructor(topic: Topic | null, options: OptionValues) {
    const { times = TIMES, within = WITHIN, words = WORDS } = options
    this.#times = times
    this.#within = within
    this.#countsWords = words === 1
    this.#keyword = keywordInLink(topic)
  }

  page({ judgement }: ReadPage): Signals {
    return judgement !== null && this.#countsWords && this.#isHot(judgement) ? [1] : [0]
  }

  link({ url, anchor }: ReadLink): Signals {
    return this.#keyword.anchor(anchor) || this.#keyword.address(url) ? [1] : [0]
  }

  listed(url: CanonicalUrl): Signals | null {
    return this.#keyword.address(url) ? [1, this.#within + 1, 0, 0, 0] : null
  }

  #isHot({ titleMentions, textMentions, hot }: Judgement): boolean {
    if (titleMentions > 0 || textMentions >= this.#times) return true
    // A topic from examples has no words to count; its own rule decides.
    return textMentions === 0 && hot
  }
}

/**
 * Signals: hot by its own words; links from a hot page; when it entered its class; links to it; without
 * promotion, the class it was put into.
 */
class TwoQueues extends PageClock implements Scorer {
  readonly #within: number
  readonly #order: number
  readonly #promotes: boolean
  /** Links that make a page hot; Infinity if links do not count. */
  readonly #links: number

  constructor(options: OptionValues) {
    super()
    const { within = WITHIN, order = NEAREST_FIRST, promote = PROMOTE, links = 0 } = options
    this.#within = within
    this.#order = order
    this.#promotes = promote === 1
    this.#links = links === 0 ? Number.POSITIVE_INFINITY : links
  }

  score(candidate: Candidate): number {
    const { depth, signals } = candidate
    if (depth === 0 || signals === null) return unspokenScore(candidate)
    const [, , since = 0, links = 0] = signals
    const place = this.#order === MOST_LINKED_FIRST ? links : -since
    return place * WITHIN_CLASS - this.#classOf(signals)
  }

  settled(): void {
    this.now += 1
  }

  pass({ judged, signals }: SettledPage, link: Signals | null): Signals {
    const isHot = judged?.[0] === 1 || (signals?.[3] ?? 0) >= this.#links
    const distance = isHot ? 0 : (signals?.[1] ?? this.#within)
    const passed = [link?.[0] ?? 0, Math.min(distance, this.#within) + 1, this.now, 1]
    return this.#promotes ? passed : [...passed, this.#classFor(passed)]
  }

  merge(known: Signals, fresh: Signals): Signals {
    const [hot = 0, distance = 0, since = 0, links = 0] = known
    const [freshHot = 0, freshDistance = 0, now = 0, more = 0] = fresh
    const isPromoted = this.#promotes && this.#classOf(fresh) < this.#classOf(known)
    const merged = [
      Math.max(hot, freshHot),
      Math.min(distance, freshDistance),
      isPromoted ? now : since,
      links + more,
    ]
    return this.#promotes ? merged : [...merged, this.#classOf(known)]
  }

  /** Lower is sooner. */
  #classOf(signals: Signals): number {
    return this.#promotes ? this.#classFor(signals) : (signals[4] ?? this.#classFor(signals))
  }

  #classFor([hot = 0, distance = 0]: Signals): number {
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
    {
      name: 'promote',
      help: '1: a URL moves up when a later link shows that it is hot; 0: it stays in its queue',
      default: PROMOTE,
      min: 0,
      max: 1,
      whole: true,
    },
    {
      name: 'links',
      help: 'links from pages fetched before it that make a page hot; 0: links do not count',
      default: 0,
      min: 0,
      max: 1e9,
      whole: true,
    },
    {
      name: 'words',
      help: '1: words make a page hot; 0: only links do',
      default: WORDS,
      min: 0,
      max: 1,
      whole: true,
    },
  ],
  presets: [
    {
      name: 'cho',
      about:
        'as Cho, Garcia-Molina and Page published it: less than 3 links from a hot page, queues by links, no URL moves between them',
      options: { within: 2, times: 10, order: MOST_LINKED_FIRST, promote: 0, links: 0, words: 1 },
    },
  ],
  signals: ['hot link', 'links from a hot page', 'since page', 'links to it', 'queue'],
  judge: ({ topic, options }) => new WordJudge(topic, options),
  createScorer: (options) => new TwoQueues(options),
}
