// Facts about queued URLs that change during the crawl, and the scores computed from them. Every page of a
// site may link to the same URLs, so this must be cheap: changed rows are in memory, and where only the
// highest score counts, most links need one comparison.
import type { Found } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Candidate, Scorer, Signals } from '../../ordering/ordering.ts'
import { finiteScore } from '../../ordering/ordering.ts'
import { isPathRefusal, isUnfollowed, TOO_DEEP } from './admission.ts'
import type { Nearer } from './foreign-links.ts'
import type { Hosts } from './hosts.ts'
import { type EdgeRows, type Facts, FIRST_PARTITION, type UrlRow } from './rows.ts'
import type { SeenUrls } from './seen-urls.ts'
import { isOpen, QUEUED, REFUSED } from './states.ts'
import { candidateOf, type UrlTable } from './url-table.ts'

type RescoringOptions = {
  readonly urls: UrlTable
  readonly seen: SeenUrls
  readonly hosts: Hosts
  readonly scorer: Scorer
  /** Null if more than the highest score counts. */
  readonly floors: ScoreFloors | null
  readonly isHeld: (id: number) => boolean
  readonly depthMatters: boolean
}

export class Rescoring {
  readonly #parts: RescoringOptions

  constructor(options: RescoringOptions) {
    this.#parts = options
  }

  /** One more page links to a known URL. */
  addLink(id: number): void {
    this.#add(id, 1, null)
  }

  /** One more page has signals for a known URL. */
  addSignals(id: number, link: Found, signals: Signals): void {
    const { floors, scorer } = this.#parts
    if (floors !== null) {
      const score = finiteScore(scorer, new KnownCandidate(id, link, signals, this.#parts))
      if (!floors.mayBeBelow(id, score)) return
    }
    this.#add(id, 0, signals)
  }

  setDepth(row: UrlRow, depth: number): void {
    const { seen, depthMatters } = this.#parts
    const { inLinks, signals, priority } = row
    seen.setDepth(row.id, depth)
    if (depthMatters && isOpen(row.state)) this.#rescore(row, { depth, inLinks, signals })
    else this.#change(row, { depth, inLinks, signals, priority })
  }

  setSignals(row: UrlRow, signals: Signals): void {
    this.#rescore(row, { depth: row.depth, inLinks: row.inLinks, signals })
  }

  #add(id: number, links: number, fresh: Signals | null): void {
    const { urls, seen, floors } = this.#parts
    const row = urls.read(id)
    if (!isOpen(row.state)) {
      if (row.state !== REFUSED || !isPathRefusal(row.reason)) seen.setClosed(id, true)
      return
    }
    const signals = fresh === null ? row.signals : this.#merged(row, fresh)
    if (links === 0 && signals === row.signals) floors?.set(id, row)
    else this.#rescore(row, { depth: row.depth, inLinks: row.inLinks + links, signals })
  }

  /** The merged signals of all links to a URL; the row's own array if nothing changed. */
  #merged(row: UrlRow, fresh: Signals): Signals | null {
    const { scorer } = this.#parts
    const { depth, inLinks, signals: known } = row
    if (known === null) return fresh
    if (scorer.merge !== undefined) {
      const merged = scorer.merge(known, fresh)
      return isSame(merged, known) ? known : merged
    }
    const score = finiteScore(scorer, candidateOf(row))
    return this.#scoreOf(row, { depth, inLinks, signals: fresh }) > score ? fresh : known
  }

  #scoreOf({ url, foundAt }: UrlRow, facts: Omit<Facts, 'priority'>): number {
    const { depth, inLinks, signals } = facts
    return finiteScore(this.#parts.scorer, { url, depth, foundAt, inLinks, signals })
  }

  #rescore(row: UrlRow, facts: Omit<Facts, 'priority'>): void {
    const { depth, inLinks, signals } = facts
    this.#change(row, { depth, inLinks, signals, priority: this.#scoreOf(row, facts) })
  }

  #change(row: UrlRow, facts: Facts): void {
    const { urls, hosts, scorer, floors, isHeld } = this.#parts
    const { priority } = facts
    // If scores change with learning, the queue's head also holds the facts, not only the score.
    const isMoved = priority !== row.priority || scorer.drifts === true
    urls.setFacts(row.id, facts)
    floors?.set(row.id, facts)
    if (!isMoved || row.state !== QUEUED || isHeld(row.id)) return
    const origin = hosts.originWithId(row.originId)
    if (origin?.queue.move(row.id, priority)) hosts.moved(origin.host)
  }
}

/** A known URL as if only one link had led to it. Fields that are not in memory are read on demand. */
class KnownCandidate implements Candidate {
  readonly signals: Signals
  readonly #id: number
  readonly #link: Found
  readonly #parts: Pick<RescoringOptions, 'urls' | 'seen'>

  constructor(
    id: number,
    link: Found,
    signals: Signals,
    parts: Pick<RescoringOptions, 'urls' | 'seen'>,
  ) {
    this.signals = signals
    this.#id = id
    this.#link = link
    this.#parts = parts
  }

  get url(): CanonicalUrl {
    return this.#link.url
  }

  get depth(): number {
    return this.#parts.seen.depthOf(this.#id)
  }

  get foundAt(): number {
    return this.#parts.urls.read(this.#id).foundAt
  }

  get inLinks(): number {
    return this.#parts.urls.read(this.#id).inLinks
  }
}

function isSame(a: Signals | null, b: Signals | null): boolean {
  if (a === b) return true
  if (a === null || b === null || a.length !== b.length) return false
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false
  return true
}

const SPACING = 2 ** -23
const SMALLEST = 2 ** -149

/**
 * A lower bound of the score of each known URL, in memory: four bytes each. A link with no higher score than
 * the known one cannot change anything, and most links are of that kind; they need no read from the disk.
 * Only for orderings where the highest score counts.
 *
 * A floor is the score rounded down, so it is never too high. Where nothing is known yet (after a restart) it
 * is NaN, and every comparison with it leads to a read.
 */
export class ScoreFloors {
  #floors = new Float32Array(1024).fill(Number.NaN)

  set(id: number, { priority }: Pick<Facts, 'priority'>): void {
    if (id >= this.#floors.length) this.#growTo(id)
    this.#floors[id] = floorOf(priority)
  }

  /** False if this score is certainly not above the known one. */
  mayBeBelow(id: number, score: number): boolean {
    return !(score <= (this.#floors[id] ?? Number.NaN))
  }

  #growTo(id: number): void {
    const grown = new Float32Array(Math.max(id + 1, Math.ceil(this.#floors.length * 1.5)))
    grown.set(this.#floors)
    grown.fill(Number.NaN, this.#floors.length)
    this.#floors = grown
  }
}

/** The largest float32 not above a number, or one just below that. */
export function floorOf(score: number): number {
  const rounded = Math.fround(score)
  if (rounded <= score) return rounded
  const below = Math.fround(score - Math.abs(score) * SPACING - SMALLEST)
  return below <= score ? below : Number.NEGATIVE_INFINITY
}

/** Checks a URL again that was refused because of the path that led to it. */
interface Reconsiders {
  reconsider(row: UrlRow, depth: number): void
}

interface OtherPartitions {
  numberOf(id: number): number
  lower(to: number, nearer: Nearer): void
}

/**
 * Depths only ever fall: a shorter path found later makes a URL nearer and, in a crawl with a depth limit,
 * everything behind it. So the limit means the true distance, in whatever order pages arrive.
 */
export class Depths {
  readonly #urls: UrlTable
  readonly #seen: SeenUrls
  readonly #rescoring: Rescoring
  readonly #edges: EdgeRows
  readonly #exact: boolean
  readonly #otherPartitions: OtherPartitions | null

  constructor(options: {
    readonly edges: EdgeRows
    readonly urls: UrlTable
    readonly seen: SeenUrls
    readonly rescoring: Rescoring
    readonly exact: boolean
    readonly otherPartitions: OtherPartitions | null
  }) {
    this.#urls = options.urls
    this.#seen = options.seen
    this.#rescoring = options.rescoring
    this.#exact = options.exact
    this.#edges = options.edges
    this.#otherPartitions = options.otherPartitions
  }

  /** Records that a path of this length leads to the URL. */
  lower(id: number, depth: number, refused: Reconsiders): void {
    // Nearest first, so that hardly any URL is lowered twice. The list grows while it is read.
    const paths: [id: number, depth: number][] = [[id, depth]]
    for (const path of paths) {
      if (!this.#lowerOne(...path, refused) || !this.#exact) continue
      const [id, depth] = path
      const number = this.#otherPartitions?.numberOf(id) ?? id
      for (const next of this.#behind(number, depth)) paths.push(next)
    }
  }

  /** The same for everything that a page of another partition leads to; `page`: its number over all of them. */
  lowerBehind(page: number, depth: number, refused: Reconsiders): void {
    for (const [id, next] of this.#behind(page, depth)) this.lower(id, next, refused)
  }

  /** True if the URL was farther away before. */
  #lowerOne(id: number, depth: number, refused: Reconsiders): boolean {
    if (this.#seen.depthOf(id) <= depth) return false
    const row = this.#urls.read(id)
    const wasFollowed = row.state !== REFUSED || !isUnfollowed(row.reason)
    if (wasFollowed && row.depth <= depth) {
      this.#seen.setDepth(id, row.depth)
      return false
    }
    if (!wasFollowed || (row.state === REFUSED && row.reason === TOO_DEEP)) {
      refused.reconsider(row, depth)
    } else {
      this.#rescoring.setDepth(row, depth)
    }
    return true
  }

  /** The URLs of this partition that a page leads to. Other partitions are notified. */
  #behind(page: number, depth: number): [id: number, depth: number][] {
    const edges = this.#edges.get(page)
    if (edges === undefined) return []
    const next = depth + edges.step
    const behind: [id: number, depth: number][] = []
    for (const to of edges.toIds) {
      if (to < FIRST_PARTITION) behind.push([to, next])
      else this.#otherPartitions?.lower(to - FIRST_PARTITION, { page, depth })
    }
    return behind
  }
}
