// Converts counted texts to TF-IDF: damped counts times rarity, each text scaled to length 1.
import type { Examples } from './examples.ts'
import { dampedCount, rarity } from './linear-classifier.ts'

/** By cell. */
export function tfIdfOf({ labelOf, starts, columns, counts, textsWith }: Examples): Float64Array {
  const rarities = Float64Array.from(textsWith, (count) => rarity(labelOf.length, count))
  const values = new Float64Array(columns.length)
  for (let text = 0; text < labelOf.length; text++) {
    const [begin, end] = [starts[text] ?? 0, starts[text + 1] ?? 0]
    let squares = 0
    for (let cell = begin; cell < end; cell++) {
      const value = dampedCount(counts[cell] ?? 0) * (rarities[columns[cell] ?? 0] ?? 0)
      values[cell] = value
      squares += value * value
    }
    const length = Math.sqrt(squares)
    for (let cell = begin; cell < end; cell++) values[cell] = (values[cell] ?? 0) / length
  }
  return values
}
