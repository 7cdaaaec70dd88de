// Facts about queued URLs that change as the crawl goes on, and the scores that follow from them.
// Links and signals are gathered over a whole batch: a menu that every page repeats costs one
// change per batch, not one per page.
import type { Found } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Candidate, Signals, Steering } from '../../ordering/ordering.ts'
import { isPathRefusal } from './admission.ts'
import type { Hosts } from './hosts.ts'
import type { ScoreFloors } from './score-floors.ts'
import type { SeenUrls } from './seen-urls.ts'
import { isOpen, QUEUED, REFUSED } from './states.ts'
import type { Facts, UrlRow } from './url-row.ts'
import type { UrlTable } from './url-table.ts'

type News = { links: number; signals: Signals[] }

export type RescoringOptions = {
  readonly urls: UrlTable
  readonly seen: SeenUrls
  readonly hosts: Hosts
  readonly steering: Steering
  /** Null where more than the highest score counts. */
  readonly floors: ScoreFloors | null
  readonly isHeld: (id: number) => boolean
  readonly depthMatters: boolean
}

export class Rescoring {
  readonly #parts: RescoringOptions
  readonly #news = new Map<number, News>()

  constructor(options: RescoringOptions) {
    this.#parts = options
  }

  noteLink(id: number): void {
    this.#newsOf(id).links += 1
  }

  /** One more page speaks of a URL that is known. */
  noteSignals(id: number, link: Found, signals: Signals): void {
    const { floors, steering } = this.#parts
    if (floors !== null) {
      const score = steering.score(new KnownCandidate(id, link, signals, this.#parts))
      if (!floors.mayBeBelow(id, score)) return
    }
    this.#newsOf(id).signals.push(signals)
  }

  setDepth(row: UrlRow, depth: number): void {
    const { seen, steering, depthMatters } = this.#parts
    seen.setDepth(row.id, depth)
    const isRescored = depthMatters && isOpen(row.state)
    const priority = isRescored ? steering.score({ ...row, depth }) : row.priority
    this.#change(row, { depth, inLinks: row.inLinks, signals: row.signals, priority })
  }

  setSignals(row: UrlRow, signals: Signals): void {
    const { depth, inLinks } = row
    const priority = this.#parts.steering.score({ ...row, signals })
    this.#change(row, { depth, inLinks, signals, priority })
  }

  /** Applies what was noted; call before a transaction ends. */
  apply(): void {
    for (const [id, news] of this.#news) this.#applyNews(id, news)
    this.#news.clear()
  }

  /** Applies what was noted of one URL. */
  applyTo(id: number): void {
    const news = this.#news.get(id)
    if (news === undefined) return
    this.#news.delete(id)
    this.#applyNews(id, news, true)
  }

  #applyNews(id: number, news: News, isLeaving = false): void {
    const { urls, seen, steering, floors } = this.#parts
    const row = urls.read(id)
    if (!isOpen(row.state) && !isLeaving) {
      if (row.state !== REFUSED || !isPathRefusal(row.reason)) seen.setClosed(id, true)
      return
    }
    const signals = this.#merged(row, news.signals)
    const { depth } = row
    const inLinks = row.inLinks + news.links
    if (signals === row.signals && news.links === 0) {
      floors?.set(id, row.priority)
      return
    }
    const priority = steering.score({ ...row, inLinks, signals })
    this.#change(row, { depth, inLinks, signals, priority })
  }

  /** What counts of all that was said of a URL; the very array of the row when nothing changed. */
  #merged(row: UrlRow, fresh: readonly Signals[]): Signals | null {
    const { steering } = this.#parts
    let known = row.signals
    for (const signals of fresh) {
      if (known === null) known = signals
      else if (steering.merge !== undefined) known = steering.merge(known, signals)
      else if (this.#scoreOf(row, signals) > this.#scoreOf(row, known)) known = signals
    }
    return isSame(known, row.signals) ? row.signals : known
  }

  #scoreOf(row: UrlRow, signals: Signals): number {
    return this.#parts.steering.score({ ...row, signals })
  }

  #change(row: UrlRow, facts: Facts): void {
    const { urls, hosts, steering, floors, isHeld } = this.#parts
    const { priority } = facts
    urls.setFacts(row.id, facts)
    floors?.set(row.id, priority)
    if (row.state !== QUEUED || isHeld(row.id)) return
    // Where scores drift, the queue has the facts in its head, not only the score.
    if (priority === row.priority && !steering.drifts) return
    const origin = hosts.originWithId(row.originId)
    if (origin === undefined) return
    origin.queue.move(row.id, priority)
    hosts.touch(origin.host)
  }

  #newsOf(id: number): News {
    const known = this.#news.get(id)
    if (known) return known
    const news: News = { links: 0, signals: [] }
    this.#news.set(id, news)
    return news
  }
}

/** A known URL as if only one link spoke of it; what is not in memory is read when it is asked for. */
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
