// A small web made up by chance, to see orderings at work without any data. It has what makes ordering
// matter: sites of very different size, most of them about something else; pages that mostly link
// within their site, now and then to pages on the same subject elsewhere; a portal that links a bit of
// everything; and gateways, pages off topic behind which a site on topic lies.
import { type CanonicalUrl, canonicalise } from '../../core/url.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import type { MadePage } from '../made-world.ts'
import type { ContentLink } from '../replay-world.ts'
import { COMMON_WORDS, SAMPLE_TOPICS } from './sample-words.ts'

const SITES = 90
const MIN_PAGES = 6
const MAX_PAGES = 160
/** Sites about a topic; the rest is about nothing in particular. */
const TOPICAL_SITES = 0.3
/** Pages of a topical site that are about its topic, and of others that are about any. */
const ON_TOPIC = { own: 0.75, elsewhere: 0.015 }
const WORDS = { least: 60, more: 120 }
/** Of the words on a page about a topic. */
const TOPIC_SHARE = 0.16
const LINKS = { children: 6, within: 3, abroad: 0.35 }
/** Of the links that leave a site. */
const SAME_TOPIC = 0.6
const NO_TOPIC = -1

/** A page before its words are written. */
type Plan = {
  readonly url: CanonicalUrl
  readonly topic: number
  readonly title: string
  readonly targets: Set<number>
}

export type SampleWeb = {
  readonly pages: readonly MadePage[]
  /** Of each page the topic's place in SAMPLE_TOPICS; -1 for none. */
  readonly topicOf: readonly number[]
  /** The portal. */
  readonly seed: CanonicalUrl
}

export function makeSampleWeb(seed = 1): SampleWeb {
  const chance = new Chance(seed)
  const plans: Plan[] = []
  const sites: Site[] = []
  for (let number = 0; number < SITES; number++) {
    const site = planSite(number, plans.length, chance)
    sites.push(site)
    for (let page = 0; page < site.size; page++) plans.push(planPage(site, page, chance))
  }
  for (const site of sites) linkSite(site, sites, plans, chance)
  const pages = plans.map((plan) => writePage(plan, plans, chance))
  const [first] = pages
  if (first === undefined) throw new RangeError('a web without pages')
  return { pages, topicOf: plans.map(({ topic }) => topic), seed: first.url }
}

type Site = {
  readonly number: number
  readonly start: number
  readonly size: number
  readonly topic: number
}

function planSite(number: number, start: number, chance: Chance): Site {
  const isPortal = number === 0
  // Many small sites and a few large ones.
  const size = Math.round(MIN_PAGES * (MAX_PAGES / MIN_PAGES) ** (chance.next() ** 1.5))
  const topic =
    !isPortal && chance.is(TOPICAL_SITES) ? chance.below(SAMPLE_TOPICS.length) : NO_TOPIC
  return { number, start, size: isPortal ? 30 : size, topic }
}

function planPage(site: Site, page: number, chance: Chance): Plan {
  const topic = chance.is(site.topic === NO_TOPIC ? 0 : ON_TOPIC.own)
    ? site.topic
    : chance.is(ON_TOPIC.elsewhere)
      ? chance.below(SAMPLE_TOPICS.length)
      : NO_TOPIC
  const title = `${chance.words(topic, 0.5, 2)} ${page}`
  const path = page === 0 ? '' : `${title.replaceAll(' ', '-')}.html`
  return {
    url: addressOf(`http://site-${site.number}.test/${path}`),
    topic,
    title,
    targets: new Set(),
  }
}

function addressOf(text: string): CanonicalUrl {
  const url = canonicalise(text)
  if (url === null) throw new RangeError(`${text} is no address`)
  return url
}

/** A tree below the front page, links across it, and some to other sites. */
function linkSite(
  site: Site,
  sites: readonly Site[],
  plans: readonly Plan[],
  chance: Chance,
): void {
  const { start, size } = site
  for (let page = 0; page < size; page++) {
    const { targets, topic } = plans[start + page] ?? { targets: new Set(), topic: NO_TOPIC }
    for (let child = 1; child <= LINKS.children; child++) {
      const below = page * LINKS.children + child
      if (below < size) targets.add(start + below)
    }
    for (let link = 0; link < LINKS.within; link++) targets.add(start + chance.below(size))
    targets.add(start)
    if (chance.is(LINKS.abroad)) targets.add(abroad(topic, plans, chance))
    // The portal names every site somewhere.
    if (site.number === 0) {
      for (let other = 1 + page; other < sites.length; other += size) {
        targets.add(sites[other]?.start ?? 0)
      }
    }
    targets.delete(start + page)
  }
}

/** Any page, more often than not one about the same. */
function abroad(topic: number, plans: readonly Plan[], chance: Chance): number {
  const any = chance.below(plans.length)
  if (topic === NO_TOPIC || !chance.is(SAME_TOPIC)) return any
  for (let next = any; next < plans.length; next++) if (plans[next]?.topic === topic) return next
  return any
}

function writePage({ url, topic, title, targets }: Plan, plans: readonly Plan[], chance: Chance) {
  const count = WORDS.least + chance.below(WORDS.more)
  const text = chance.words(topic, TOPIC_SHARE, count)
  const links = [...targets].map((to): ContentLink => {
    const target = plans[to]
    const anchor = chance.is(0.2) ? 'read more' : (target?.title ?? '')
    return { to, anchor, context: chance.words(target?.topic ?? NO_TOPIC, TOPIC_SHARE, 8) }
  })
  return { url, title, text, links }
}

class Chance {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  next(): number {
    return this.#random()
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  is(share: number): boolean {
    return this.#random() < share
  }

  /** So many words, a share of them the topic's own. */
  words(topic: number, share: number, count: number): string {
    const own = SAMPLE_TOPICS[topic]?.words ?? COMMON_WORDS
    const words: string[] = []
    for (let at = 0; at < count; at++) words.push(this.#word(this.is(share) ? own : COMMON_WORDS))
    return words.join(' ')
  }

  /** The first of a list more often than the last. */
  #word(words: readonly string[]): string {
    return words[Math.floor(this.#random() ** 1.5 * words.length)] ?? ''
  }
}
