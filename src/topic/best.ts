/** The choice with the lowest loss; the first one if several are equal. */
export function best<T>(choices: readonly [T, ...T[]], lossOf: (choice: T) => number): T {
  const ranked = choices.map((choice) => ({ choice, loss: lossOf(choice) }))
  return ranked.reduce((a, b) => (b.loss < a.loss ? b : a)).choice
}
