// How many clusters a set of texts has: the number with the best mean silhouette, which compares how near each
// text is to its own centre and to the second nearest (k-means.ts).
import { type KMeansOptions, kMeans } from './k-means.ts'
import type { Vector } from './vocabulary.ts'

/** More are hard to read, and can be asked for. */
const MOST = 20
const FEWEST = 2
/** So many texts are enough to choose by. */
const SAMPLE = 4_000

export function chosenK(all: readonly Vector[], options: Omit<KMeansOptions, 'k'>): number {
  const stride = Math.ceil(all.length / SAMPLE)
  const vectors = all.filter((_, at) => at % stride === 0)
  const most = Math.min(MOST, Math.floor(Math.sqrt(vectors.length)))
  let best = { k: Math.min(FEWEST, vectors.length), value: Number.NEGATIVE_INFINITY }
  for (let k = FEWEST; k <= most; k++) {
    const onShare = (share: number) => options.onShare?.((k - FEWEST + share) / (most - FEWEST + 1))
    const value = kMeans(vectors, { ...options, k, onShare }).silhouette
    if (value > best.value) best = { k, value }
  }
  return best.k
}
