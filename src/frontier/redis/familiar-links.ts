// Links that the frontier is known to know: most links of most pages. Where an ordering weighs nothing
// that one more link changes, they need not be sent. Only a cache: what it has forgotten is sent again.
import type { Found } from '../../core/link.ts'

/** Some 6 MB. */
const SLOTS = 2 ** 19
const LANES = 3
/** Deeper than any path: no link to be followed has led there. */
const NO_DEPTH = 0xffff

export class FamiliarLinks {
  readonly #slots = new Uint32Array(SLOTS * LANES)
  /** False: a shorter path to what is known changes nothing. */
  readonly #weighsDepth: boolean

  constructor({ weighsDepth }: { readonly weighsDepth: boolean }) {
    this.#weighsDepth = weighsDepth
  }

  clear(): void {
    this.#slots.fill(0)
  }

  /** Whether a link that leads so deep would change nothing. */
  has({ hash, nofollow }: Found, depth: number): boolean {
    const at = (hash.lo & (SLOTS - 1)) * LANES
    const known = this.#slots[at + 2] ?? 0
    if (known === 0 || this.#slots[at] !== hash.hi || this.#slots[at + 1] !== hash.lo) return false
    if (nofollow) return true
    return known - 1 <= depth || (!this.#weighsDepth && known - 1 < NO_DEPTH)
  }

  /** The frontier has taken in a link that leads so deep. */
  learn(link: Found, depth: number): void {
    if (this.has(link, depth)) return
    const { hash, nofollow } = link
    const at = (hash.lo & (SLOTS - 1)) * LANES
    this.#slots[at] = hash.hi
    this.#slots[at + 1] = hash.lo
    this.#slots[at + 2] = 1 + (nofollow ? NO_DEPTH : Math.min(depth, NO_DEPTH))
  }
}
