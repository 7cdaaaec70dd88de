/** How fast a count has grown recently. */
export class Rate {
  readonly #windowMs: number
  #samples: { readonly at: number; readonly count: number }[] = []

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** Records the count at a moment and returns its growth per second over the window. */
  perSecond(count: number, at: number): number {
    this.#samples.push({ at, count })
    // One sample older than the window is kept as its beginning.
    const begin = this.#samples.findLastIndex((sample) => sample.at <= at - this.#windowMs)
    if (begin > 0) this.#samples = this.#samples.slice(begin)
    const first = this.#samples[0] ?? { at, count }
    return at === first.at ? 0 : ((count - first.count) * 1000) / (at - first.at)
  }
}
