// How alike two texts are in what they are about.
import type { TermVector } from './term-vector.ts'

/**
 * The cosine of the angle between two vectors: 1 for the same direction, 0 for no term in common
 * or an empty text. Weights are not negative, so neither is this.
 */
export function cosine(a: TermVector, b: TermVector): number {
  if (a.norm === 0 || b.norm === 0) return 0
  const walked = walkedOf(a, b)
  const product = dot(walked, walked === a ? b : a)
  // Rounding may pass 1 by a bit.
  return Math.min(1, product / (a.norm * b.norm))
}

/** The one to walk through: not the one that is ready for look-ups, else the smaller. */
function walkedOf(a: TermVector, b: TermVector): TermVector {
  if (a.indexed !== b.indexed) return a.indexed ? b : a
  return a.size < b.size ? a : b
}

function dot({ ids, weights }: TermVector, other: TermVector): number {
  let sum = 0
  for (let at = 0; at < ids.length; at++) {
    sum += (weights[at] ?? 0) * other.weightOf(ids[at] ?? 0)
  }
  return sum
}
