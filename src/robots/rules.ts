// What a robots.txt lets us do, by RFC 9309. Pure: text in, verdicts out. Fetching it, keeping it
// and waiting between requests are the business of others; what an HTTP answer means is in
// robots-answer.ts, and the tags inside pages are read in core/robots-directives.ts.
//
// Invariants
// - Whatever the file, reading it is linear in its first 500 KiB, and a verdict is linear in the
//   file and the URL: no pattern can make it explode.
// - Lines we do not know never change what the known ones mean.
import { normalisePercent } from '../core/url.ts'
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
 * The agents that the next line is about. A rule ends the list of agents above it, so that the next agent
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

type Rule = { readonly allow: boolean; readonly length: number }
type WildRule = Rule & { readonly pattern: PathPattern }

const INDEX_PAGE = /\/index\.html?\$?$/

// What one verdict may cost, in characters looked at: some 10 ms. No honest file comes near it;
// one that is made to be slow loses the benefit of the doubt.
const MAX_EFFORT = 4_000_000

/**
 * The allow and disallow rules of one agent. The longest pattern that matches decides; between two of the
 * same length, allow does.
 */
class PathRules {
  readonly #plain = new PrefixMap<Rule>()
  // By the text before their first star, so that `/a/*.pdf` costs nothing outside `/a/`.
  readonly #wild = new PrefixMap<WildRule[]>()

  /** Takes the value of an allow or disallow line. An empty one forbids nothing. */
  add(value: string, allow: boolean): void {
    if (value === '') return
    this.#addText(comparablePattern(value), allow)
    // A rule that allows `/shop/index.html` in a closed folder means the page that `/shop/` shows.
    const index = allow ? INDEX_PAGE.exec(value) : null
    if (index !== null) this.#addText(comparablePattern(`${value.slice(0, index.index)}/$`), allow)
  }

  #addText(text: string, allow: boolean): void {
    const { length } = text
    if (text.includes('*') || text.endsWith('$')) {
      const pattern = compilePattern(text)
      this.#wild.ensure(pattern.prefix, []).push({ allow, length, pattern })
    } else if (allow || !this.#plain.has(text)) this.#plain.set(text, { allow, length })
  }

  /** To be called once, after the last rule: puts those first that decide first. */
  seal(): void {
    for (const rules of this.#wild.values()) {
      rules.sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow))
    }
  }

  allows(pathOrUrl: string): boolean {
    const path = comparablePath(pathOf(pathOrUrl))
    if (path === '/robots.txt') return true
    let best: Rule | undefined = this.#plain.prefixesOf(path).next().value ?? undefined
    let effort = 0
    for (const rules of this.#wild.prefixesOf(path)) {
      for (const rule of rules) {
        if (best !== undefined && !outranks(rule, best)) break
        effort += rule.pattern.effort * path.length
        if (effort > MAX_EFFORT) return false
        if (!rule.pattern.matches(path)) continue
        best = rule
        break
      }
    }
    return best?.allow ?? true
  }
}

/** Finds what is kept under the prefixes of a text: one look per length of key that occurs. */
class PrefixMap<Value> extends Map<string, Value> {
  #lengths: number[] | null = null

  override set(key: string, value: Value): this {
    this.#lengths = null
    return super.set(key, value)
  }

  ensure(key: string, fallback: Value): Value {
    const known = this.get(key)
    if (known !== undefined) return known
    this.set(key, fallback)
    return fallback
  }

  /** The longest first. */
  *prefixesOf(text: string): Generator<Value> {
    for (const length of this.#sortedLengths()) {
      if (length > text.length) continue
      const value = this.get(text.slice(0, length))
      if (value !== undefined) yield value
    }
  }

  #sortedLengths(): readonly number[] {
    if (this.#lengths === null) {
      const lengths = new Set<number>()
      for (const key of this.keys()) lengths.add(key.length)
      this.#lengths = [...lengths].sort((a, b) => b - a)
    }
    return this.#lengths
  }
}

function outranks(rule: Rule, other: Rule): boolean {
  return rule.length > other.length || (rule.length === other.length && rule.allow && !other.allow)
}

function pathOf(pathOrUrl: string): string {
  const hash = pathOrUrl.indexOf('#')
  const text = hash < 0 ? pathOrUrl : pathOrUrl.slice(0, hash)
  if (!/^https?:\/\//i.test(text)) return text.startsWith('/') ? text : `/${text}`
  const authority = text.indexOf('//') + 2
  const length = text.slice(authority).search(/[/?]/)
  if (length < 0) return '/'
  const path = text.slice(authority + length)
  return path.startsWith('?') ? `/${path}` : path
}

// In a pattern `*` and a final `$` are signs, and `%2A` and `%24` the characters. So the
// characters are always compared in their escaped form.
function comparablePath(path: string): string {
  const text = normalisePercent(path)
  return /[*$]/.test(text) ? text.replaceAll('*', '%2A').replaceAll('$', '%24') : text
}

function comparablePattern(value: string): string {
  return normalisePercent(value).replace(/\$(?!$)/g, '%24')
}

interface PathPattern {
  /** The text before the first star: what every path that matches begins with. */
  readonly prefix: string
  /** What `matches` costs per character of the path, about. */
  readonly effort: number
  matches(path: string): boolean
}

/** One pattern of a robots.txt: `*` stands for any characters, `$` at the end for the end. */
function compilePattern(text: string): PathPattern {
  const anchored = text.endsWith('$')
  const [prefix = '', ...pieces] = (anchored ? text.slice(0, -1) : text).split(/\*+/)
  if (pieces.length === 0) {
    const matches = (path: string) => (anchored ? path === prefix : path.startsWith(prefix))
    return { prefix, effort: 1, matches }
  }
  const tail = anchored ? (pieces.pop() ?? '') : ''
  return {
    prefix,
    effort: effortOf(pieces),
    matches: (path) => {
      if (!path.startsWith(prefix)) return false
      const end = endOf(pieces, path, prefix.length)
      return end >= 0 && path.length - end >= tail.length && path.endsWith(tail)
    },
  }
}

/** Where the pieces end when each is taken where it comes first, which leaves later ones most room. */
function endOf(pieces: readonly string[], path: string, start: number): number {
  let at = start
  for (const piece of pieces) {
    const found = path.indexOf(piece, at)
    if (found < 0) return -1
    at = found + piece.length
  }
  return at
}

// Every character is looked at once; but `indexOf` may compare a long piece again and again.
function effortOf(pieces: readonly string[]): number {
  const longest = pieces.reduce((max, piece) => Math.max(max, piece.length), 0)
  return 1 + longest / 16
}
