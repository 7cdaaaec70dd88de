// Links as scripts take them: hosts and their sites once, then each link with the verdict of the rules
// and its score; intake.lua reads it. All of it text, which the driver sends as it is.
import type { Found, UrlHash } from '../../core/link.ts'
import type { UrlTemplate } from '../../core/template.ts'
import { type CanonicalUrl, hostOf, siteOf } from '../../core/url.ts'
import { textOfSignals } from './signals-text.ts'

/** What the ordering makes of a link: `signals` null where nothing is said. */
export type Scored = {
  readonly score: number
  readonly signals: readonly number[] | null
  /** The page it is on does not find it worth following. */
  readonly offFocus?: boolean
  /** What the rules say of it, where they were asked already. */
  readonly refusal?: string | null
  /** Of a URL that is known and is to have this score: the signals it was computed from. */
  readonly before?: readonly number[] | null
}

export type LinkRules = {
  readonly admit: (url: CanonicalUrl, host: string) => string | null
  readonly templateOf: (url: CanonicalUrl) => UrlTemplate | null
  readonly trapBudget: number
  /** Whether sitemaps of a host are read. */
  readonly inScope: (host: string) => boolean
}

const NOFOLLOW = 1
const HTTPS = 2
const REFUSED = 4
const REFRESH = 8
const SIGNALS = 32
const OFF_FOCUS = 64
const IN_SCOPE = 128
const MEASURED = 256
/** Above all flags: the number of its host in the list. */
const HOST = 512

export class LinkArguments {
  readonly #rules: LinkRules
  readonly #hosts = new Map<string, number>()
  readonly #hostList: string[] = []
  readonly #args: (string | number)[] = []

  constructor(rules: LinkRules) {
    this.#rules = rules
  }

  /** Words that go before, between or after links. */
  push(...words: readonly (string | number)[]): void {
    for (const word of words) this.#args.push(word)
  }

  /** `isMap`: it is no page but where a sitemap has moved to. */
  link({ url, hash, nofollow, refresh = false }: Found, scored: Scored, isMap = false): void {
    const { admit, inScope } = this.#rules
    const host = hostOf(url)
    const { score, signals, offFocus, before } = scored
    const refusal = scored.refusal === undefined ? admit(url, host) : scored.refusal
    let bits = this.#hostNumber(host) * HOST
    if (nofollow) bits += NOFOLLOW
    if (url.startsWith('https:')) bits += HTTPS
    if (refusal !== null) bits += REFUSED
    if (refresh) bits += REFRESH
    if (signals !== null) bits += SIGNALS
    if (offFocus) bits += OFF_FOCUS
    if (isMap && inScope(host)) bits += IN_SCOPE
    if (before !== undefined) bits += MEASURED
    this.#args.push(hashText(hash), url, score, bits)
    if (refusal !== null) this.#args.push(refusal)
    if (signals !== null) this.#args.push(textOfSignals(signals))
    if (before !== undefined) this.#args.push(textOfSignals(before))
  }

  /** The hosts with their sites, then these words, then everything else. */
  words(...first: readonly (string | number)[]): (string | number)[] {
    return [this.#hosts.size, ...this.#hostList, ...first, ...this.#args]
  }

  #hostNumber(host: string): number {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    const number = this.#hosts.size + 1
    this.#hosts.set(host, number)
    this.#hostList.push(host, siteOf(host))
    return number
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const PAIRS = Array.from({ length: 4096 }, (_, at) => `${LETTERS[at >> 6]}${LETTERS[at & 63]}`)
const BUCKETS = Array.from({ length: 65_536 }, (_, at) => at.toString(16).padStart(4, '0'))

/** A hash as its bucket's four hex digits and eight letters for the rest. */
export function hashText({ hi, lo }: UrlHash): string {
  const rest = hi & 0xffff
  return `${BUCKETS[hi >>> 16]}${PAIRS[rest >> 4]}${PAIRS[((rest & 15) << 8) | (lo >>> 24)]}${
    PAIRS[(lo >>> 12) & 4095]
  }${PAIRS[lo & 4095]}`
}
