// Spherical k-means: texts and centres are vectors of length 1, and a text belongs to the centre with the largest
// cosine. Starts are chosen by k-means++, several times, and the start with the most similar clusters wins.
//
// Sums and centres are tables with a row per term and a column per cluster: the products of one text with all of
// them then read memory in order, which is most of the time that this takes.
import { seededRandom } from '../lib/seeded-random.ts'
import { Centres, productsWith } from './centres.ts'
import type { Vector } from './vocabulary.ts'

export type KMeansOptions = {
  readonly k: number
  /** Number of terms. */
  readonly width: number
  readonly seed: number
  /** Hears how much is done, 0 to 1. */
  readonly onShare?: (share: number) => void
}

type Clustering = {
  readonly centres: Centres
  /** The sum of the cosines of texts and their centres. */
  readonly similarity: number
  /** The mean silhouette, -1 to 1. */
  readonly silhouette: number
}

const MAX_STARTS = 8
/** Pairs of a text and a centre in one round of all starts: with more clusters there are fewer starts. */
const PAIRS_PER_ROUND = 16_000_000
/** Most sets settle in fewer; then nothing changes any more. */
const MAX_ROUNDS = 40
/** The share of texts that may still change their cluster in the last round. */
const RESTLESS_SHARE = 0.001

export function kMeans(vectors: readonly Vector[], options: KMeansOptions): Clustering {
  const { k, seed, width, onShare } = options
  const random = seededRandom(seed)
  const wanted = Math.floor(PAIRS_PER_ROUND / (vectors.length * k))
  const starts = Math.min(MAX_STARTS, Math.max(1, wanted))
  let best: { readonly clusterOf: Int32Array; readonly similarity: number } | null = null
  for (let start = 0; start < starts; start++) {
    const groups = new Groups(vectors, {
      k,
      width,
      clusterOf: firstClusters(vectors, options, random),
    })
    for (let round = 0; round < MAX_ROUNDS; round++) {
      onShare?.((start + round / MAX_ROUNDS) / starts)
      if (groups.improve() <= RESTLESS_SHARE * vectors.length) break
    }
    const { clusterOf, similarity } = groups
    if (best === null || similarity > best.similarity) best = { clusterOf, similarity }
  }
  if (best === null) throw new Error('there is always one start')
  return new Groups(vectors, { k, width, clusterOf: best.clusterOf }).result()
}

/** The clusters of texts that are drawn as centres: those far from the ones before are likely to be the next. */
function firstClusters(
  vectors: readonly Vector[],
  { k, width }: KMeansOptions,
  random: () => number,
): Int32Array {
  const clusterOf = new Int32Array(vectors.length)
  const nearest = new Float64Array(vectors.length)
  const centre = new Float32Array(width)
  let next = Math.floor(random() * vectors.length)
  for (let cluster = 0; cluster < k; cluster++) {
    const drawnOne = vectors[next]
    setTerms(centre, drawnOne, 1)
    let total = 0
    for (const [at, vector] of vectors.entries()) {
      const similarity = cosine(vector, centre)
      if (similarity > (nearest[at] ?? 0)) {
        nearest[at] = similarity
        clusterOf[at] = cluster
      }
      total += distance(nearest[at] ?? 0)
    }
    setTerms(centre, drawnOne, 0)
    next = drawn(nearest, random() * total)
  }
  return clusterOf
}

/** Writes the weights of a text into a row of all terms, or zeros. */
function setTerms(row: Float32Array, vector: Vector | undefined, times: 0 | 1): void {
  vector?.terms.forEach((term, at) => {
    row[term] = times * (vector.weights[at] ?? 0)
  })
}

function cosine({ terms, weights }: Vector, centre: Float32Array): number {
  let sum = 0
  for (let at = 0; at < terms.length; at++)
    sum += (weights[at] ?? 0) * (centre[terms[at] ?? 0] ?? 0)
  return sum
}

/** The text at which the sum of distances reaches `wanted`. */
function drawn(nearest: Float64Array, wanted: number): number {
  let sum = 0
  for (const [at, similarity] of nearest.entries()) {
    sum += distance(similarity)
    if (sum >= wanted) return at
  }
  return nearest.length - 1
}

function distance(similarity: number): number {
  return Math.max(0, 1 - similarity) ** 2
}

type Grouping = {
  readonly k: number
  readonly width: number
  readonly clusterOf: Int32Array
}

/**
 * Moves texts one by one to where they make the sum of similarities largest, and takes a text out of its own
 * centre first. With all texts moved at once, as usual, a short text stays where it is: its own words hold it.
 */
class Groups {
  readonly clusterOf: Int32Array
  readonly #vectors: readonly Vector[]
  readonly #k: number
  /** The sums of the vectors of each cluster, and the lengths of these sums. */
  readonly #sums: Float32Array
  readonly #lengths: Float64Array
  readonly #sizes: Int32Array
  /** The products of one text with all sums. */
  readonly #products: Float64Array

  constructor(vectors: readonly Vector[], { k, width, clusterOf }: Grouping) {
    this.#vectors = vectors
    this.#k = k
    this.clusterOf = clusterOf
    this.#sums = new Float32Array(width * k)
    this.#sizes = new Int32Array(k)
    this.#products = new Float64Array(k)
    for (const [at, vector] of vectors.entries()) this.#add(clusterOf[at] ?? 0, vector, 1)
    this.#lengths = lengthsOf(this.#sums, k)
  }

  /** The sum of the cosines of texts and their centres. */
  get similarity(): number {
    return this.#lengths.reduce((sum, length) => sum + length, 0)
  }

  /** One pass over all texts; returns how many moved. */
  improve(): number {
    let moved = 0
    for (const [at, vector] of this.#vectors.entries()) {
      const from = this.clusterOf[at] ?? 0
      // The last one stays, so that no cluster is empty.
      if ((this.#sizes[from] ?? 0) <= 1) continue
      productsWith(vector, this.#sums, this.#products)
      const lost = this.#change(from, -1)
      const { to, gained } = this.#best(from)
      if (gained + lost < MIN_GAIN) continue
      this.clusterOf[at] = to
      this.#add(from, vector, -1)
      this.#add(to, vector, 1)
      this.#lengths[from] = (this.#lengths[from] ?? 0) + lost
      this.#lengths[to] = (this.#lengths[to] ?? 0) + gained
      moved++
    }
    // Rounding errors must not add up.
    this.#lengths.set(lengthsOf(this.#sums, this.#k))
    return moved
  }

  /** The sums become the centres: nothing can be moved afterwards. */
  result(): Clustering {
    const { similarity } = this
    const silhouette = this.#silhouette()
    return { similarity, silhouette, centres: new Centres(this.#sums, this.#lengths) }
  }

  /**
   * Compares how near each text is to its own centre and to the second nearest. The text is taken out of its own
   * centre: else more clusters would always look better.
   */
  #silhouette(): number {
    let sum = 0
    for (const [at, vector] of this.#vectors.entries()) {
      productsWith(vector, this.#sums, this.#products)
      const { own, second } = this.#nearness(this.clusterOf[at] ?? 0)
      const larger = Math.max(1 - own, 1 - second)
      sum += larger === 0 ? 0 : (own - second) / larger
    }
    return sum / Math.max(1, this.#vectors.length)
  }

  /** Reads `#products` of one text. */
  #nearness(from: number): { readonly own: number; readonly second: number } {
    let [own, second] = [0, 0]
    for (const [cluster, product] of this.#products.entries()) {
      const length = this.#lengths[cluster] ?? 0
      if (cluster === from) {
        const without = Math.sqrt(Math.max(0, length * length - 2 * product + 1))
        own = without < MIN_GAIN ? 0 : (product - 1) / without
      } else second = Math.max(second, length === 0 ? 0 : product / length)
    }
    return { own: Math.max(0, own), second }
  }

  /** Where that text adds most; of equal ones the first. */
  #best(from: number): { readonly to: number; readonly gained: number } {
    let [to, gained] = [from, Number.NEGATIVE_INFINITY]
    for (let cluster = 0; cluster < this.#k; cluster++) {
      if (cluster === from) continue
      const gain = this.#change(cluster, 1)
      if (gain > gained) [to, gained] = [cluster, gain]
    }
    return { to, gained }
  }

  /** How the length of a cluster's sum changes if that text is added (1) or taken away (-1). */
  #change(cluster: number, sign: 1 | -1): number {
    const length = this.#lengths[cluster] ?? 0
    const product = this.#products[cluster] ?? 0
    return Math.sqrt(Math.max(0, length * length + sign * 2 * product + 1)) - length
  }

  #add(cluster: number, { terms, weights }: Vector, sign: 1 | -1): void {
    const sums = this.#sums
    this.#sizes[cluster] = (this.#sizes[cluster] ?? 0) + sign
    for (let at = 0; at < terms.length; at++) {
      const place = (terms[at] ?? 0) * this.#k + cluster
      sums[place] = (sums[place] ?? 0) + sign * (weights[at] ?? 0)
    }
  }
}

/** A smaller one is a rounding error. */
const MIN_GAIN = 1e-6

function lengthsOf(sums: Float32Array, k: number): Float64Array {
  const squares = new Float64Array(k)
  for (let row = 0; row < sums.length; row += k) {
    for (let cluster = 0; cluster < k; cluster++) {
      const value = sums[row + cluster] ?? 0
      squares[cluster] = (squares[cluster] ?? 0) + value * value
    }
  }
  return squares.map(Math.sqrt)
}
