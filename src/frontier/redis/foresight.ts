// What an ordering makes of a batch of settlements, computed before the one script that writes it.
// The facts it weighs were read a moment ago (look.ts); what one page of the batch does to a URL the
// next one sees, as if each were written at once.
//
// Another session may write in between. Then a score may be of a moment ago, never a state: which URLs
// are new, who is refused and how deep they lie is for the script to say.
import type { Found, Via } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Scorer, SettledPage, Signals } from '../../ordering/ordering.ts'
import { finiteScore } from '../finite-score.ts'
import { type KnownUrl, type Looked, mayWait, wasUnfollowed } from './known-url.ts'
import type { Needs } from './needs.ts'

/** What found some URLs, and what they get from it. */
export type Source = {
  readonly via: Via
  /** Of the URLs found. */
  readonly depth: number
  /** The page whose links they are, when the ordering looks at it; else null. */
  readonly page: SettledPage | null
  /** It was visited before: what it says of URLs that are known has been counted. */
  readonly again: boolean
}

/** What the script is told of one link. */
export type Advice = {
  /** It was unknown. */
  readonly isNew: boolean
  /** Of one that is known; else 0. */
  readonly id: number
  /** What the page said of it, where that counts. */
  readonly passed: Signals | null
  /** Why the URL may not be queued; '' when it may, as far as is known here. */
  readonly refusal: string
  /** Of one that is known: whether this path counts at all. */
  readonly isFollowed: boolean
  readonly score: number
  /** Of one that is known: there is anything to write at all. */
  readonly isChanged: boolean
  /** Of one that is known: the score is to be written, with the signals. */
  readonly isRescored: boolean
  readonly signals: Signals | null
  /** What signals of a known one were made from: where its row has others by now, they are made anew. */
  readonly before: Signals | null
}

const IGNORED: Advice = {
  ...{ refusal: '', isFollowed: false, isChanged: false, score: 0, isRescored: false },
  ...{ signals: null, before: null, isNew: false, id: 0, passed: null },
}

export type ForesightOptions = {
  readonly scorer: Scorer
  readonly needs: Needs
  readonly maxDepth: number
  readonly looked: Looked
}

export class Foresight {
  readonly #scorer: Scorer
  readonly #needs: Needs
  readonly #maxDepth: number
  readonly #looked: Looked
  #foundAt: number
  #lastId: number

  constructor({ scorer, needs, maxDepth, looked }: ForesightOptions) {
    this.#scorer = scorer
    this.#needs = needs
    this.#maxDepth = maxDepth
    this.#looked = looked
    this.#lastId = looked.lastId
    this.#foundAt = looked.lastId + 1
  }

  /** URLs that wait at this moment of the batch. */
  get waiting(): number {
    return this.#looked.waiting
  }

  /** The links of the next page follow. */
  begin(): void {
    this.#foundAt = this.#lastId + 1
  }

  /** `refusal`: what the rules of the crawl say, null when nothing. */
  advise(link: Found, source: Source, at: { position: number; refusal: string | null }): Advice {
    const known = this.#looked.find(link.hash)
    if (known === undefined) return this.#new(link, source, at)
    if (source.via === 'seed') return this.#named(known, link)
    if (link.nofollow) return IGNORED
    return this.#known(known, link, source, at.position)
  }

  #new(
    link: Found,
    source: Source,
    { position, refusal }: { position: number; refusal: string | null },
  ): Advice {
    const passed = refusal === null ? this.#passed(link, source, position) : null
    const reason = refusal ?? (passed === undefined ? 'focus' : '')
    const signals = reason === '' ? (passed ?? null) : this.#noted(link, source)
    const inLinks = source.via === 'link' && !link.nofollow ? 1 : 0
    const facts = { depth: source.depth, foundAt: this.#foundAt, inLinks, signals }
    const score = reason === '' ? finiteScore(this.#scorer, { url: link.url, ...facts }) : 0
    this.#lastId += 1
    this.#looked.add(link.hash, { id: this.#lastId, reason, ...facts })
    const isNew = true
    return { ...IGNORED, isNew, refusal: reason, isFollowed: true, score, signals, passed: signals }
  }

  /** A known URL that is a seed from now on. */
  #named(known: KnownUrl, { url }: Found): Advice {
    const { foundAt, inLinks, signals } = known
    const score = finiteScore(this.#scorer, { url, depth: 0, foundAt, inLinks, signals })
    known.depth = 0
    // The script tells what must be scored for it.
    return { ...IGNORED, isFollowed: true, isChanged: true, score, signals, before: signals }
  }

  #known(known: KnownUrl, link: Found, source: Source, position: number): Advice {
    const isFirst = wasUnfollowed(known)
    const depth = isFirst ? source.depth : Math.min(known.depth, source.depth)
    const waits = mayWait(known) && depth <= this.#maxDepth
    const passed = waits ? this.#passed(link, source, position) : null
    if (passed === undefined) return IGNORED
    const needs = this.#needs
    const isNearer = isFirst || (depth < known.depth && needs.depths)
    const counts = waits && (isFirst || !source.again)
    const addsLink = counts && needs.inLinks && source.via === 'link'
    const speaks = counts && passed !== null && (needs.signals || isFirst)
    const before = known.signals
    if (isNearer) known.depth = depth
    if (addsLink) known.inLinks += 1
    if (speaks) known.signals = this.#merged(known, link.url, passed)
    if (isFirst) this.#looked.follow(known)
    const isRescored =
      addsLink || isFirst || known.signals !== before || (isNearer && needs.depthMatters)
    const score = isRescored ? this.#scoreOf(known, link.url) : 0
    const { id, signals } = known
    return {
      ...{ isNew: false, id, refusal: '', isFollowed: true, isChanged: isRescored || isNearer },
      ...{ score, isRescored, signals, before },
      passed: speaks ? passed : null,
    }
  }

  /** What a URL gets from its source; undefined when the page does not find it worth following. */
  #passed(link: Found, { page }: Source, position: number): Signals | null | undefined {
    const { pass } = this.#scorer
    if (page === null || pass === undefined) return link.signals
    return this.#scorer.pass?.(page, link.signals, new LinkTarget(link, position)) ?? undefined
  }

  /** What is kept of a URL that is refused: not what a page would have passed on, nobody asked it. */
  #noted({ signals }: Found, { page }: Source): Signals | null {
    return page === null || this.#scorer.pass === undefined ? signals : null
  }

  #merged(known: KnownUrl, url: CanonicalUrl, fresh: Signals): Signals | null {
    return mergedSignals(this.#scorer, known, url, fresh)
  }

  #scoreOf({ depth, foundAt, inLinks, signals }: KnownUrl, url: CanonicalUrl): number {
    return finiteScore(this.#scorer, { url, depth, foundAt, inLinks, signals })
  }
}

/** What counts of all that was said of a URL; the very array it has when nothing changed. */
export function mergedSignals(
  scorer: Scorer,
  known: Pick<KnownUrl, 'depth' | 'foundAt' | 'inLinks' | 'signals'>,
  url: CanonicalUrl,
  fresh: Signals,
): Signals | null {
  const { depth, foundAt, inLinks, signals } = known
  if (signals === null) return fresh
  if (scorer.merge !== undefined) {
    const merged = scorer.merge(signals, fresh)
    return isSame(merged, signals) ? signals : merged
  }
  const facts = { url, depth, foundAt, inLinks }
  const [old, young] = [signals, fresh].map((signals) => finiteScore(scorer, { ...facts, signals }))
  return (young ?? 0) > (old ?? 0) ? fresh : signals
}

function isSame(a: Signals, b: Signals): boolean {
  return a.length === b.length && a.every((number, at) => Object.is(number, b[at]))
}

/** Its URL is decoded only when the ordering reads it. */
class LinkTarget {
  readonly position: number
  readonly #link: Found

  constructor(link: Found, position: number) {
    this.#link = link
    this.position = position
  }

  get url(): CanonicalUrl {
    return this.#link.url
  }
}
