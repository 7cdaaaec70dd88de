// Limits concurrent DNS lookups. Names under one domain share its name servers, so a domain with silent
// servers can occupy only some of the slots. Waiting domains are served in turns.

export type LookupQueueOptions = {
  readonly total: number
  /** The share of `total` for names under one registrable domain. */
  readonly perSite: number
  /** Lookups are rejected if this many wait already, in total or for their own site. */
  readonly waiting: number
  readonly waitingPerSite: number
}

export class LookupQueue {
  readonly #options: LookupQueueOptions
  readonly #busy = new Map<string, number>()
  readonly #waiting = new Map<string, (() => void)[]>()
  #total = 0
  #length = 0

  constructor(options: LookupQueueOptions) {
    this.#options = options
  }

  /** True while lookups wait. */
  get isPressed(): boolean {
    return this.#length > 0
  }

  /** Resolves with true when a slot is free, which `leave` releases; with false if too many wait. */
  async enter(site: string): Promise<boolean> {
    if (this.#mayGo(site)) {
      this.#take(site)
      return true
    }
    const line = this.#waiting.get(site) ?? []
    const { waiting, waitingPerSite } = this.#options
    if (this.#length >= waiting || line.length >= waitingPerSite) return false
    this.#length++
    this.#waiting.set(site, line)
    await new Promise<void>((resolve) => line.push(resolve))
    return true
  }

  leave(site: string): void {
    const busy = (this.#busy.get(site) ?? 1) - 1
    if (busy === 0) this.#busy.delete(site)
    else this.#busy.set(site, busy)
    this.#total--
    this.#callNext()
  }

  /** At most `total / perSite` sites are at their limit, so a few steps find one that is not. */
  #callNext(): void {
    for (const [site, line] of this.#waiting) {
      if (!this.#mayGo(site)) continue
      const next = line.shift()
      // Moves the site to the end, so that each site has its turn.
      this.#waiting.delete(site)
      if (line.length > 0) this.#waiting.set(site, line)
      if (next === undefined) continue
      this.#length--
      this.#take(site)
      next()
      return
    }
  }

  #mayGo(site: string): boolean {
    const { total, perSite } = this.#options
    return this.#total < total && (this.#busy.get(site) ?? 0) < perSite
  }

  #take(site: string): void {
    this.#total++
    this.#busy.set(site, (this.#busy.get(site) ?? 0) + 1)
  }
}
