/** The best pages so far: a heap with the worst of them on top. */
export class BestDocs {
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
