// Folds of labelled texts: each is judged by what was learned from the others.
import { seededRandom, shuffledNumbers } from '../lib/seeded-random.ts'

/** The fold of each text, from 0; every fold has its share of every label. The seed decides which. */
export function stratifiedFolds(labelOf: Int32Array, folds: number, seed: number): Uint32Array {
  const order = shuffledNumbers(labelOf.length, seededRandom(seed))
  const byLabel = order.sort((a, b) => (labelOf[a] ?? 0) - (labelOf[b] ?? 0))
  const foldOf = new Uint32Array(labelOf.length)
  // The counter continues over all labels; if it restarted, small labels would all be in the first folds.
  for (const [turn, text] of byLabel.entries()) foldOf[text] = turn % folds
  return foldOf
}

export type Split = { readonly learned: Uint32Array; readonly judged: Uint32Array }

/** One fold to judge, the others to learn from. */
export function splitAt(foldOf: Uint32Array, fold: number): Split {
  const learned: number[] = []
  const judged: number[] = []
  for (const [text, own] of foldOf.entries()) (own === fold ? judged : learned).push(text)
  return { learned: Uint32Array.from(learned), judged: Uint32Array.from(judged) }
}
