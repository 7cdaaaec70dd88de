// What a robots.txt lets us do, by RFC 9309. Pure: text in, verdicts out. Fetching it, keeping it
// and waiting between requests are the business of others; what an HTTP answer means is told in
// fetch-state.ts, and the tags inside pages are read in core/robots-directives.ts.
//
// Invariants
// - Whatever the file, reading it is linear in its first 500 KiB, and a verdict is linear in the
//   file and the URL: no pattern can make it explode.
// - Lines we do not know never change what the known ones mean.

import { PathRules } from './path-rules.ts'
import { type RobotsLine, readLines } from './robots-answer.ts'

export interface RobotsRules {
  /** Takes a URL, or its path and query. True when nothing forbids it. */
  allows(pathOrUrl: string): boolean
  /** The longest gap the file asks us to keep; null when it asks for none. */
  readonly crawlDelayMs: number | null
  /** As written, in order, at most `MAX_SITEMAPS`; they may be relative or nonsense. */
  readonly sitemaps: readonly string[]
}

const MAX_SITEMAPS = 1000
const PRODUCT = /^([a-z_-]*)[a-z0-9_-]*/

/** The rules that a robots.txt has for the crawler of this product token (`Jelajah`). */
export function parseRobots(text: string, token: string): RobotsRules {
  const own = new Group()
  const anyone = new Group()
  const sitemaps: string[] = []
  const addressed = new Addressed(own, anyone, token.toLowerCase())
  for (const line of readLines(text)) {
    if (line.key !== 'sitemap') addressed.take(line)
    else if (line.value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(line.value)
  }
  const group = own.named ? own : anyone
  const rules = group.rules
  rules.seal()
  return {
    allows: (pathOrUrl) => rules.allows(pathOrUrl),
    crawlDelayMs: group.crawlDelayMs,
    sitemaps,
  }
}

/** All groups for one agent, merged. */
class Group {
  readonly rules = new PathRules()
  /** The file has at least one line for this agent, if only to set it free. */
  named = false
  crawlDelayMs: number | null = null
}

/**
 * To whom the next line speaks. A rule ends the list of agents above it, so that the next agent
 * begins a new group. Crawl-delay is not part of the standard and must not end a group's list for
 * rules; but as a delay is meant for the agents above it alone, it keeps a list of its own.
 */
class Addressed {
  readonly #own: Group
  readonly #anyone: Group
  readonly #token: string
  #forRules: Set<Group> = new Set()
  #forDelay: Set<Group> = new Set()
  #ruleSeen = false
  #delaySeen = false

  constructor(own: Group, anyone: Group, token: string) {
    this.#own = own
    this.#anyone = anyone
    this.#token = token
  }

  take({ key, value }: RobotsLine): void {
    if (key === 'user-agent') this.#agent(value)
    else if (key === 'crawl-delay') this.#delay(value)
    else this.#rule(value, key === 'allow')
  }

  #agent(value: string): void {
    if (this.#ruleSeen) this.#forRules.clear()
    if (this.#ruleSeen || this.#delaySeen) this.#forDelay.clear()
    this.#ruleSeen = false
    this.#delaySeen = false
    const group = this.#groupOf(value)
    if (group === null) return
    group.named = true
    this.#forRules.add(group)
    this.#forDelay.add(group)
  }

  #groupOf(value: string): Group | null {
    if (/^\*(?:\s|$)/.test(value)) return this.#anyone
    // `Jelajah/1.0 (+https://…)` means Jelajah: the product token is what comes first. By the
    // standard it has no digits, but some crawlers have them in their name.
    const [wide, narrow] = PRODUCT.exec(value.toLowerCase()) ?? []
    return wide === this.#token || narrow === this.#token ? this.#own : null
  }

  #rule(value: string, allow: boolean): void {
    this.#ruleSeen = true
    for (const group of this.#forRules) group.rules.add(value, allow)
  }

  #delay(value: string): void {
    this.#delaySeen = true
    if (!/^\d*\.?\d+$/.test(value)) return
    const ms = Math.round(Number(value) * 1000)
    for (const group of this.#forDelay) {
      group.crawlDelayMs = Math.max(ms, group.crawlDelayMs ?? 0)
    }
  }
}
