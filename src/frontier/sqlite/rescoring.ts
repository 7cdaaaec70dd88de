// Facts about queued URLs that change as the crawl goes on, and the scores that follow from them.
// Links and signals are gathered over a whole batch: a menu that every page repeats costs one
// change per batch, not one per page.
import type { Admission } from './admission.ts'
import type { Hosts } from './hosts.ts'
import type { SeenUrls } from './seen-urls.ts'
import { isOpen, QUEUED } from './states.ts'
import type { UrlRow, UrlTable } from './url-table.ts'

type News = { links: number; signals: (readonly number[])[] }
type Facts = Pick<UrlRow, 'depth' | 'inLinks' | 'signals'>

export class Rescoring {
  readonly #urls: UrlTable
  readonly #seen: SeenUrls
  readonly #hosts: Hosts
  readonly #admission: Admission
  readonly #isHeld: (id: number) => boolean
  readonly #depthMatters: boolean
  readonly #news = new Map<number, News>()

  constructor(options: {
    readonly urls: UrlTable
    readonly seen: SeenUrls
    readonly hosts: Hosts
    readonly admission: Admission
    readonly isHeld: (id: number) => boolean
    readonly depthMatters: boolean
  }) {
    this.#urls = options.urls
    this.#seen = options.seen
    this.#hosts = options.hosts
    this.#admission = options.admission
    this.#isHeld = options.isHeld
    this.#depthMatters = options.depthMatters
  }

  noteLink(id: number): void {
    this.#newsOf(id).links += 1
  }

  noteSignals(id: number, signals: readonly number[]): void {
    this.#newsOf(id).signals.push(signals)
  }

  setDepth(row: UrlRow, depth: number): void {
    this.#seen.setDepth(row.id, depth)
    const facts = { depth, inLinks: row.inLinks, signals: row.signals }
    const rescored = this.#depthMatters && isOpen(row.state)
    this.#change(row, facts, rescored ? this.#admission.score({ ...row, depth }) : row.priority)
  }

  /** Applies what was noted; call before a transaction ends. */
  apply(): void {
    for (const [id, news] of this.#news) {
      const row = this.#urls.read(id)
      if (isOpen(row.state)) this.#applyTo(row, news)
      else this.#seen.setClosed(id, true)
    }
    this.#news.clear()
  }

  #applyTo(row: UrlRow, news: News): void {
    let facts: Facts = { ...row, inLinks: row.inLinks + news.links }
    let best = this.#admission.score({ ...row, ...facts })
    // Of several pages that speak of a URL the most promising one counts.
    for (const signals of news.signals) {
      const score = this.#admission.score({ ...row, ...facts, signals })
      if (score <= best) continue
      best = score
      facts = { ...facts, signals }
    }
    this.#change(row, facts, best)
  }

  #change(row: UrlRow, { depth, inLinks, signals }: Facts, priority: number): void {
    this.#urls.setFacts({ id: row.id, depth, inLinks, signals, priority })
    if (row.state !== QUEUED || priority === row.priority || this.#isHeld(row.id)) return
    const origin = this.#hosts.originWithId(row.originId)
    if (origin === undefined) return
    origin.queue.move(row.id, priority)
    this.#hosts.touch(origin.host)
  }

  #newsOf(id: number): News {
    const known = this.#news.get(id)
    if (known) return known
    const news: News = { links: 0, signals: [] }
    this.#news.set(id, news)
    return news
  }
}
