// A lower bound of the score of each known URL, in memory: four bytes each. A link with no higher score than
// the known one cannot change anything, and most links are of that kind; they need no read from the disk.
// Only for orderings where the highest score counts.
//
// A floor is the score rounded down, so it is never too high. Where nothing is known yet (after a restart) it
// is NaN, and every comparison with it leads to a read.
import type { Facts } from './rows.ts'

const SPACING = 2 ** -23
const SMALLEST = 2 ** -149

export class ScoreFloors {
  #floors = new Float32Array(1024).fill(Number.NaN)

  set(id: number, { priority }: Pick<Facts, 'priority'>): void {
    if (id >= this.#floors.length) this.#growTo(id)
    this.#floors[id] = floorOf(priority)
  }

  /** False if this score is certainly not above the known one. */
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
