// The matches of one query: the best of them, their number, or all.
import type { Match, Matching } from '../matcher.ts'
import { normFor } from './bm25.ts'
import { countOf, type DocBits, eachDoc } from './doc-bits.ts'
import type { IndexView } from './index-view.ts'
import { matchingDocs, type Wanted } from './matching-docs.ts'
import { ScoredWindows } from './window.ts'

/** So many of the best matches are looked at again. */
const TOLD = 100

type MatchingOptions = Wanted & {
  readonly rankWeight: number
  readonly headShare: number
  /** Is told the numbers of the best matches that were found. */
  readonly onFound: (id: number, doc: number) => void
}

export class SegmentMatching implements Matching {
  readonly countsFast = true
  readonly #view: IndexView
  readonly #options: MatchingOptions
  /** The pages that match, once they were looked for. */
  #found: DocBits | null = null

  constructor(view: IndexView, options: MatchingOptions) {
    this.#view = view
    this.#options = options
  }

  async best(limit: number): Promise<readonly Match[]> {
    const { columns } = this.#view
    const best = new BestDocs(limit, columns.valuesOf('id'))
    // Without words, all pages score alike, and the newest come first.
    const isScored = this.#options.groups.length > 0
    if (isScored) this.#addBest(best)
    else {
      const fetchedAt = columns.valuesOf('fetched')
      eachDoc(this.#docs(), (doc) => best.add(doc, fetchedAt(doc)))
    }
    const matches: Match[] = []
    const matchOf = matchesIn(this.#view)
    best.each((doc, score) => matches.push(matchOf(doc, isScored ? score : 0)))
    for (const [nth, { id }] of matches.slice(0, TOLD).entries()) {
      this.#options.onFound(id, best.docAt(nth))
    }
    return matches
  }

  async count(): Promise<number> {
    return countOf(this.#docs())
  }

  async hasMore(pages: number): Promise<boolean> {
    return countOf(this.#docs()) > pages
  }

  async ids(): Promise<readonly number[]> {
    const idOf = this.#view.columns.valuesOf('id')
    const ids: number[] = []
    eachDoc(this.#docs(), (doc) => ids.push(idOf(doc)))
    return ids.sort((a, b) => a - b)
  }

  #docs(): DocBits {
    this.#found ??= matchingDocs(this.#view, this.#options)
    return this.#found
  }

  #addBest(best: BestDocs): void {
    const { rankWeight, headShare } = this.#options
    const { pages, length } = this.#view
    const norm = normFor(length / Math.max(1, pages), headShare)
    const windows = new ScoredWindows(this.#view, this.#options, this.#docs(), { norm, rankWeight })
    while (windows.next(best.least)) {
      const { base, left, scores } = windows
      let { least } = best
      eachDoc(left, (place) => {
        const score = (scores[place] ?? 0) * windows.factorOf(place)
        if (score < least) return
        best.add(base + place, score)
        least = best.least
      })
    }
  }
}

function matchesIn({ columns, textOf }: IndexView): (doc: number, score: number) => Match {
  const [id, crawl, hot] = [
    columns.valuesOf('id'),
    columns.valuesOf('crawl'),
    columns.valuesOf('hot'),
  ]
  const [host, language] = [columns.valuesOf('host'), columns.valuesOf('language')]
  const [kind, cluster] = [columns.valuesOf('kind'), columns.valuesOf('cluster')]
  const [urlKey, fetched] = [columns.valuesOf('urlKey'), columns.valuesOf('fetched')]
  const published = columns.valuesOf('published')
  return (doc, score) => {
    const publishedAt = published(doc)
    return {
      id: id(doc),
      crawlId: crawl(doc),
      host: textOf(host(doc)),
      language: textOf(language(doc)),
      kind: textOf(kind(doc)),
      hot: hot(doc) === 1,
      cluster: cluster(doc) || null,
      urlKey: urlKey(doc),
      fetchedAt: fetched(doc),
      publishedAt: Number.isNaN(publishedAt) ? null : publishedAt,
      score,
    }
  }
}

/** The best pages so far: a heap with the worst of them on top. */
class BestDocs {
  size = 0
  readonly #limit: number
  readonly #idOf: (doc: number) => number
  readonly #docs: Int32Array
  readonly #scores: Float64Array
  #order = new Uint32Array(0)

  constructor(limit: number, idOf: (doc: number) => number) {
    this.#limit = limit
    this.#idOf = idOf
    this.#docs = new Int32Array(limit)
    this.#scores = new Float64Array(limit)
  }

  /** A page with a lower score is none of them. */
  get least(): number {
    return this.size < this.#limit ? Number.NEGATIVE_INFINITY : (this.#scores[0] ?? 0)
  }

  add(doc: number, score: number): void {
    if (this.size < this.#limit) {
      this.#up(this.size++, doc, score)
    } else if (this.#isWorse(0, doc, score)) {
      this.#down(doc, score)
    }
  }

  /** Best first; ties by id. Nothing can be added afterwards. */
  each(visit: (doc: number, score: number) => void): void {
    const [docs, scores] = [this.#docs, this.#scores]
    const order = Uint32Array.from({ length: this.size }, (_, at) => at)
    order.sort((a, b) => {
      const difference = (scores[b] ?? 0) - (scores[a] ?? 0)
      return difference === 0 ? this.#idOf(docs[a] ?? 0) - this.#idOf(docs[b] ?? 0) : difference
    })
    this.#order = order
    for (const at of order) visit(docs[at] ?? 0, scores[at] ?? 0)
  }

  /** The page of this place among all, after `each`. */
  docAt(place: number): number {
    return this.#docs[this.#order[place] ?? 0] ?? 0
  }

  /** True if the one at a place is worse than another. */
  #isWorse(at: number, doc: number, score: number): boolean {
    const known = this.#scores[at] ?? 0
    if (known !== score) return known < score
    return this.#idOf(this.#docs[at] ?? 0) > this.#idOf(doc)
  }

  #up(from: number, doc: number, score: number): void {
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      if (this.#isWorse(above, doc, score)) break
      this.#move(above, at)
      at = above
    }
    this.#docs[at] = doc
    this.#scores[at] = score
  }

  #down(doc: number, score: number): void {
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= this.size) break
      const right = below + 1
      if (
        right < this.size &&
        this.#isWorse(right, this.#docs[below] ?? 0, this.#scores[below] ?? 0)
      )
        below = right
      if (!this.#isWorse(below, doc, score)) break
      this.#move(below, at)
      at = below
    }
    this.#docs[at] = doc
    this.#scores[at] = score
  }

  #move(from: number, to: number): void {
    this.#docs[to] = this.#docs[from] ?? 0
    this.#scores[to] = this.#scores[from] ?? 0
  }
}
