// Which pages were in a parser thread when the whole parser died. One such death may be anybody's
// fault; a page that is there each time is refused for good.

/** A parser that ended by itself (out of memory, a crash) accuses what it was parsing. */
const OWN_DEATHS = 2
/** SIGKILL may also come from outside (an operator, the kernel under pressure): weaker evidence. */
const KILLS = 3

export class Strikes {
  readonly #weights = new Map<number, number>()
  #weight = 1 / KILLS

  parserDied(killed: boolean): void {
    this.#weight = 1 / (killed ? KILLS : OWN_DEATHS)
  }

  /** Counts one more death against a page; true when it has had enough. */
  strike(id: number): boolean {
    const weight = (this.#weights.get(id) ?? 0) + this.#weight
    this.#weights.set(id, weight)
    // Thirds do not add up to one exactly.
    return weight > 0.99
  }

  forget(id: number): void {
    if (this.#weights.size > 0) this.#weights.delete(id)
  }
}
