// How good a known URL is at least, in memory: four bytes each. A link that promises no more than
// what is known already cannot change anything, and most links are of that kind; they cost no look
// at the disk. Only for orderings of which the highest score counts.
//
// A floor is the score rounded down, so that it never claims too much; where nothing is known yet
// (after a restart) it is NaN, and every comparison with it says: look.
import type { Facts } from './url-row.ts'

const SPACING = 2 ** -23
const SMALLEST = 2 ** -149

export class ScoreFloors {
  #floors = new Float32Array(1024).fill(Number.NaN)

  set(id: number, { priority }: Pick<Facts, 'priority'>): void {
    if (id >= this.#floors.length) this.#growTo(id)
    this.#floors[id] = floorOf(priority)
  }

  /** False when this score is certainly not above the one that is known. */
  mayBeBelow(id: number, score: number): boolean {
    return !(score <= (this.#floors[id] ?? Number.NaN))
  }

  #growTo(id: number): void {
    const grown = new Float32Array(Math.max(id + 1, Math.ceil(this.#floors.length * 1.5)))
    grown.set(this.#floors)
    grown.fill(Number.NaN, this.#floors.length)
    this.#floors = grown
  }
}

/** The largest float32 not above a number, or one just below that. */
export function floorOf(score: number): number {
  const rounded = Math.fround(score)
  if (rounded <= score) return rounded
  const below = Math.fround(score - Math.abs(score) * SPACING - SMALLEST)
  return below <= score ? below : Number.NEGATIVE_INFINITY
}
