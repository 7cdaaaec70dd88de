// A crawl in memory for tests of orderings: one page after the other, always the best that waits,
// with an ordering's two sides called as parser and frontier do. No hosts, no politeness, no disk.
import { type CanonicalUrl, canonicalise } from '../../src/core/url.ts'
import { GraphBuilder } from '../../src/graph/graph.ts'
import { type Heaped, IndexedHeap } from '../../src/lib/indexed-heap.ts'
import type {
  Candidate,
  OptionValues,
  Ordering,
  Scorer,
  SettledPage,
  Signals,
} from '../../src/ordering/ordering.ts'

export type JudgedLink = { readonly url: CanonicalUrl; readonly signals: Signals | null }

/** A page as the parser hands it to the frontier. */
export type JudgedVisit = {
  readonly judged: Signals | null
  readonly links: readonly JudgedLink[]
}

export type OrderingRunOptions = {
  readonly ordering: Ordering
  /** What a visit brings; null: nothing, as when there is no such page. */
  readonly visit: (url: CanonicalUrl) => JudgedVisit | null
  readonly seeds: readonly string[]
  readonly options?: OptionValues
  readonly seed?: number
}

type Place = {
  -readonly [Fact in keyof Candidate]: Candidate[Fact]
} & Heaped & {
    readonly id: number
    readonly foundOn: Place | null
    /** Refused: no page found it worth following so far. */
    state: 'waiting' | 'refused' | 'fetched'
  }

export class OrderingRun {
  readonly scorer: Scorer
  readonly #ordering: Ordering
  readonly #visit: OrderingRunOptions['visit']
  readonly #places = new Map<string, Place>()
  readonly #queue = new IndexedHeap<Place>()
  readonly #edges = new GraphBuilder()
  #settled = 0
  #rankedAt = 0

  constructor({ ordering, visit, seeds, options = {}, seed = 1 }: OrderingRunOptions) {
    this.#ordering = ordering
    this.#visit = visit
    this.scorer = ordering.createScorer({ ...defaultsOf(ordering), ...options }, seed)
    for (const url of seeds) this.add(url, null, 0)
  }

  /** A URL from outside: a seed at depth 0, or one that is listed somewhere. */
  add(href: string, signals: Signals | null, depth: number): void {
    const url = urlOf(href)
    if (!this.#places.has(url)) this.#enter(url, { depth, signals, foundOn: null, inLinks: 0 })
  }

  /** Fetches the best; null when nothing waits. */
  step(): CanonicalUrl | null {
    if (this.scorer.drifts) for (const place of this.#waiting()) this.#put(place)
    const place = this.#queue.pop()
    if (place === undefined) return null
    place.state = 'fetched'
    const visit = this.#visit(place.url)
    if (visit !== null) this.#settle(place, visit)
    return place.url
  }

  /** Fetches so many, or all there are; in the order they were fetched. */
  run(pages = Number.POSITIVE_INFINITY): CanonicalUrl[] {
    const fetched: CanonicalUrl[] = []
    while (fetched.length < pages) {
      const url = this.step()
      if (url === null) break
      fetched.push(url)
    }
    return fetched
  }

  /** What waits, best first. */
  waiting(): readonly Candidate[] {
    return this.#waiting().sort((a, b) => this.#scoreOf(b) - this.#scoreOf(a) || a.id - b.id)
  }

  /** A URL that was ever seen. */
  candidate(href: string): Candidate {
    const place = this.#places.get(urlOf(href))
    if (place === undefined) throw new Error(`nothing led to ${href}`)
    return place
  }

  scoreOf(href: string): number {
    return this.scorer.score(this.candidate(href))
  }

  #settle(place: Place, { judged, links }: JudgedVisit): void {
    const page: SettledPage = {
      ...{ id: place.id, url: place.url, depth: place.depth, foundAt: place.foundAt },
      ...{ inLinks: place.inLinks, signals: place.signals, judged, links: links.length },
      ...{ waiting: this.#queue.size, finder: () => place.foundOn },
    }
    this.#settled += 1
    this.scorer.settled?.(page)
    const foundAt = this.#places.size + 1
    links.forEach((link, position) => {
      this.#follow(page, place, { ...link, position, foundAt })
    })
    this.#rankWhenDue()
  }

  #follow(
    page: SettledPage,
    foundOn: Place,
    link: JudgedLink & { readonly position: number; readonly foundAt: number },
  ): void {
    const { url, position, foundAt } = link
    const known = this.#places.get(url)
    const depth = page.depth + 1
    if (known?.state !== 'fetched') {
      const { scorer } = this
      const signals = scorer.pass
        ? scorer.pass(page, link.signals, { url, position })
        : link.signals
      const refused = scorer.pass !== undefined && signals === null
      if (known) this.#addKnown(known, { depth, signals, refused })
      else this.#enter(url, { depth, signals, foundOn, inLinks: 1, foundAt, refused })
    }
    this.#edges.add(page.id - 1, (this.#places.get(url)?.id ?? 1) - 1)
  }

  #enter(
    url: CanonicalUrl,
    facts: Pick<Place, 'depth' | 'signals' | 'foundOn' | 'inLinks'> & {
      readonly foundAt?: number
      readonly refused?: boolean
    },
  ): void {
    const { refused = false, foundAt = this.#places.size + 1, ...rest } = facts
    const id = this.#places.size + 1
    const place: Place = { ...rest, url, id, foundAt, heapAt: -1, state: 'waiting' }
    if (refused) place.state = 'refused'
    this.#places.set(url, place)
    this.#put(place)
  }

  #addKnown(
    place: Place,
    fresh: { readonly depth: number; readonly signals: Signals | null; readonly refused: boolean },
  ): void {
    place.inLinks += 1
    place.depth = Math.min(place.depth, fresh.depth)
    if (fresh.signals !== null) place.signals = this.#merged(place, fresh.signals)
    if (!fresh.refused) place.state = 'waiting'
    this.#put(place)
  }

  #merged(place: Place, fresh: Signals): Signals {
    const { scorer } = this
    if (place.signals === null) return fresh
    if (scorer.merge) return scorer.merge(place.signals, fresh)
    const better = scorer.score({ ...place, signals: fresh }) > scorer.score(place)
    return better ? fresh : place.signals
  }

  #rankWhenDue(): void {
    const { ranking } = this.scorer
    if (!ranking?.isDue(this.#settled, this.#settled - this.#rankedAt)) return
    this.#rankedAt = this.#settled
    const ranks = ranking.rank(this.#edges.build(this.#places.size))
    for (const place of this.#waiting()) {
      place.signals = [ranks[place.id - 1] ?? 0, ...(place.signals?.slice(1) ?? [])]
      this.#put(place)
    }
  }

  #put(place: Place): void {
    if (place.state === 'waiting') this.#queue.put(place, -this.#scoreOf(place), place.id)
  }

  #scoreOf(place: Place): number {
    const score = this.scorer.score(place)
    if (!Number.isFinite(score)) throw new Error(`${this.#ordering.name} scores ${score}`)
    return score
  }

  #waiting(): Place[] {
    return [...this.#places.values()].filter(({ state }) => state === 'waiting')
  }
}

export function defaultsOf({ options = [] }: Ordering): OptionValues {
  return Object.fromEntries(options.map((option) => [option.name, option.default]))
}

/** `a.test/x` for short. */
export function urlOf(href: string): CanonicalUrl {
  const url = canonicalise(href.includes('//') ? href : `http://${href}`)
  if (url === null) throw new Error(`no URL: ${href}`)
  return url
}
