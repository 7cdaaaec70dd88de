/** How fast a count has grown over the last while. */
export class Rate {
  readonly #windowMs: number
  #samples: { readonly at: number; readonly count: number }[] = []

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** Notes the count at a moment and gives its growth per second over the window. */
  perSecond(count: number, at: number): number {
    this.#samples.push({ at, count })
    // One sample older than the window stays: it is where the window begins.
    const begin = this.#samples.findLastIndex((sample) => sample.at <= at - this.#windowMs)
    if (begin > 0) this.#samples = this.#samples.slice(begin)
    const first = this.#samples[0] ?? { at, count }
    return at === first.at ? 0 : ((count - first.count) * 1000) / (at - first.at)
  }
}
