// Forests trained without one fold after the other, each asked about the fold it has not seen: what
// they say of a page is then what they would say of a page of a site nobody knows.
import type { Forest } from '../src/parser/forest/forest.ts'
import { ForestScorer } from '../src/parser/forest/forest-scorer.ts'

export const FOLDS = 5
/** No fold is left out. */
export const NONE = -1

export type Asked = {
  readonly columns: readonly Float32Array[]
  /** The fold of each row. */
  readonly folds: Uint8Array
  /** A forest trained without the rows of that fold. */
  readonly forest: (without: number) => Forest
}

/** What is said of each row by the forest that was trained without its fold. */
export function crossValidated({ columns, folds, forest }: Asked): Float32Array {
  const answers = new Float32Array(folds.length)
  const all = new Float32Array(folds.length)
  for (let fold = 0; fold < FOLDS; fold++) {
    new ForestScorer(forest(fold)).score(columns, folds.length, all)
    for (let row = 0; row < folds.length; row++) {
      if (folds[row] === fold) answers[row] = all[row] ?? 0
    }
  }
  return answers
}

/** The weights, but none for the rows of one fold. */
export function weightsWithout(
  weights: Float32Array,
  folds: Uint8Array,
  fold: number,
): Float32Array {
  return fold === NONE ? weights : weights.map((weight, row) => (folds[row] === fold ? 0 : weight))
}
