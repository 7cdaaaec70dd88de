// The links that a fetched page adds to the frontier, as a parser thread sends them. Without a judge they
// come from the graph alone; with one the texts are read and judged, and the results are kept for the next
// replay with the same judge.
import type { Found } from '../core/link.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import { type Judge, judgeLinks, type Signals } from '../ordering/ordering.ts'
import type { Judgement, Topic } from '../topic/topic.ts'
import type { ReplayWorld } from './replay-world.ts'

type BroughtLinks = { readonly judged: Signals | null; readonly found: readonly Found[] }

export interface PageLinks {
  of(page: number): Promise<BroughtLinks>
}

/** Salt of URL hashes: a replay has no attackers, so it is constant. */
export const REPLAY_SALT = 1
/** Links with their signals kept between replays: some 300 MB at most. */
const MAX_LINKS_KEPT = 3_000_000

/** Every URL of a world as a link to it, created once. */
export class FoundPages {
  readonly #urls: readonly CanonicalUrl[]
  readonly #found: Found[] = []
  readonly #hash = createUrlHasher(REPLAY_SALT)

  constructor({ urls }: Pick<ReplayWorld, 'urls'>) {
    this.#urls = urls
  }

  of(page: number): Found {
    const known = this.#found[page]
    if (known !== undefined) return known
    const url = this.#urls[page]
    if (url === undefined) throw new RangeError(`there is no page ${page}`)
    const found = { url, hash: this.#hash(url), nofollow: false, signals: null }
    this.#found[page] = found
    return found
  }
}

/** Links from the graph alone: for orderings that ignore content. */
export class PlainLinks implements PageLinks {
  readonly #world: ReplayWorld
  readonly #found: FoundPages

  constructor(world: ReplayWorld, found: FoundPages) {
    this.#world = world
    this.#found = found
  }

  async of(page: number): Promise<BroughtLinks> {
    const { offsets, targets } = this.#world.links
    const found: Found[] = []
    for (let at = offsets[page] ?? 0; at < (offsets[page + 1] ?? 0); at++) {
      found.push(this.#found.of(targets[at] ?? 0))
    }
    return { judged: null, found }
  }
}

/** A topic's judgement of each page, computed at most once. */
export class JudgedTexts {
  readonly #topic: Topic
  readonly #world: ReplayWorld
  readonly #known: Judgement[] = []

  constructor(topic: Topic, world: ReplayWorld) {
    this.#topic = topic
    this.#world = world
  }

  async of(page: number): Promise<Judgement> {
    return this.#known[page] ?? (await this.read(page)).judgement
  }

  /** The judgement with the page's links; the text is read only if it was not judged yet. */
  async read(page: number) {
    const known = this.#known[page]
    if (known !== undefined) {
      return { judgement: known, links: await this.#world.readLinks(page) }
    }
    const { text, links } = await this.#world.read(page)
    const judgement = this.#topic.judge(text)
    this.#known[page] = judgement
    return { judgement, links }
  }
}

/** Links as judged by one ordering's judge. */
export class JudgedLinks implements PageLinks {
  readonly #world: ReplayWorld
  readonly #found: FoundPages
  readonly #judge: Judge
  readonly #texts: JudgedTexts | null
  readonly #kept: BroughtLinks[] = []
  #room: number

  constructor(options: {
    readonly world: ReplayWorld
    readonly found: FoundPages
    readonly judge: Judge
    /** Null for a judge that needs no topic. */
    readonly texts: JudgedTexts | null
    /** Whether another replay will read the same pages. */
    readonly again: boolean
  }) {
    this.#world = options.world
    this.#found = options.found
    this.#judge = options.judge
    this.#texts = options.texts
    this.#room = options.again ? MAX_LINKS_KEPT : 0
  }

  async of(page: number): Promise<BroughtLinks> {
    const kept = this.#kept[page]
    if (kept !== undefined) return kept
    const brought = await this.#judged(page)
    this.#room -= brought.found.length
    if (this.#room >= 0) this.#kept[page] = brought
    return brought
  }

  async #judged(page: number): Promise<BroughtLinks> {
    const { judgement, links } =
      this.#texts === null
        ? { judgement: null, links: await this.#world.readLinks(page) }
        : await this.#texts.read(page)
    const { judged, signals } = judgeLinks({
      judge: this.#judge,
      url: this.#found.of(page).url,
      judgement,
      links: links.map(({ to, anchor, context }) => ({
        url: this.#found.of(to).url,
        anchor,
        context,
      })),
    })
    const found = links.map(({ to }, at) => ({
      ...this.#found.of(to),
      signals: signals[at] ?? null,
    }))
    return { judged, found }
  }
}
