// Facts about queued URLs that change during the crawl, and the scores computed from them. Every page of a
// site may link to the same URLs, so this must be cheap: changed rows are in memory, and where only the
// highest score counts, most links need one comparison.
import type { Found } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Candidate, Scorer, Signals } from '../../ordering/ordering.ts'
import { finiteScore } from '../finite-score.ts'
import { isPathRefusal } from './admission.ts'
import type { Hosts } from './hosts.ts'
import type { Facts, UrlRow } from './rows.ts'
import type { ScoreFloors } from './score-floors.ts'
import type { SeenUrls } from './seen-urls.ts'
import { isOpen, QUEUED, REFUSED } from './states.ts'
import { candidateOf, type UrlTable } from './url-table.ts'

export type RescoringOptions = {
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
