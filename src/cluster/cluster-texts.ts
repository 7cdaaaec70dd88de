// Groups texts in three passes over them: words are counted, a sample becomes vectors and is clustered, and every
// text is assigned. Only the sample and the vocabulary are in memory.
import { InvalidInput } from '../core/errors.ts'
import type { Centres } from './centres.ts'
import type { Assigned, ClusterText, FoundCluster } from './cluster.ts'
import { type KMeansOptions, kMeans } from './k-means.ts'
import { type Vector, Vocabulary } from './vocabulary.ts'

export type ClusterPass = 'counting' | 'sampling' | 'clustering' | 'assigning'

type ClusterOptions<T extends ClusterText> = {
  /** Begins again with every call. */
  readonly texts: () => AsyncIterable<T>
  /** Null: chosen from the texts. */
  readonly k: number | null
  readonly seed: number
  /** Texts whose vectors are held at once; every n-th of more. */
  readonly sample?: number
  /** `done`: of all texts; of clustering so much of its work as if it went by texts. */
  readonly onPass?: (pass: ClusterPass, done: number) => void
  /** Called for every text, in order. */
  readonly onText: (text: T, assigned: Assigned) => void | Promise<void>
}

/** Vectors of at most 100 terms: 16 MB. */
const SAMPLE = 20_000
const LABEL_TERMS = 8
const TEXT_TERMS = 8

/** Throws InvalidInput if there are too few texts with words. */
export async function clusterTexts<T extends ClusterText>(
  options: ClusterOptions<T>,
): Promise<readonly FoundCluster[]> {
  const { texts, k: wanted, seed, sample = SAMPLE, onPass, onText } = options
  const vocabulary = new Vocabulary()
  let count = 0
  for await (const text of texts()) {
    vocabulary.learn(text)
    onPass?.('counting', ++count)
  }
  vocabulary.close()
  const tell = (pass: ClusterPass) => (done: number) => onPass?.(pass, done)
  const every = Math.max(1, Math.ceil(count / sample))
  const vectors = await sampled(texts(), vocabulary, { every, onRead: tell('sampling') })
  refuseTooFew(vectors.length, wanted)
  const centres = centresOf(vectors, {
    ...{ k: wanted, width: vocabulary.size, seed },
    onShare: (share) => onPass?.('clustering', share * count),
  })
  const order = bySize(centres, vectors)
  const idOf = new Map(order.map((cluster, id) => [cluster, id]))
  const labels = order.map((one) => vocabulary.heaviest(centres.vectorOf(one), LABEL_TERMS))
  const sums = order.map(() => ({ size: 0, score: 0 }))
  let done = 0
  for await (const text of texts()) {
    const vector = vocabulary.vectorOf(text)
    const near = centres.nearest(vector)
    const [cluster, score] = near === null ? [0, 0] : [idOf.get(near.cluster) ?? 0, near.similarity]
    const sum = sums[cluster]
    if (sum !== undefined) Object.assign(sum, { size: sum.size + 1, score: sum.score + score })
    await onText(text, { cluster, score, terms: vocabulary.heaviest(vector, TEXT_TERMS) })
    onPass?.('assigning', ++done)
  }
  return sums.map(({ size, score }, id) => ({
    id,
    terms: labels[id] ?? [],
    size,
    cohesion: size === 0 ? 0 : score / size,
  }))
}

async function sampled(
  texts: AsyncIterable<ClusterText>,
  vocabulary: Vocabulary,
  { every, onRead }: { readonly every: number; readonly onRead: (texts: number) => void },
): Promise<Vector[]> {
  const vectors: Vector[] = []
  let at = 0
  for await (const text of texts) {
    onRead(at)
    if (at++ % every !== 0) continue
    const vector = vocabulary.vectorOf(text)
    if (vector.terms.length > 0) vectors.push(vector)
  }
  // The order in which pages were fetched must not decide where they belong.
  return vectors.sort(byContent)
}

function byContent({ terms: a, weights: ofA }: Vector, { terms: b, weights: ofB }: Vector): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const differs = (a[at] ?? 0) - (b[at] ?? 0) || (ofA[at] ?? 0) - (ofB[at] ?? 0)
    if (differs !== 0) return differs
  }
  return a.length - b.length
}

function refuseTooFew(texts: number, k: number | null): void {
  const least = Math.max(2, k ?? 2)
  if (texts >= least) return
  const what = `only ${texts} ${texts === 1 ? 'text shares' : 'texts share'} words with others`
  throw new InvalidInput('cluster', `${what}; ${least} clusters need at least as many`)
}

type CentresOptions = Omit<KMeansOptions, 'k'> & {
  readonly k: number | null
  readonly onShare: (share: number) => void
}

/** Finding out how many there are takes most of the time. */
const CHOICE_SHARE = 0.8

function centresOf(vectors: readonly Vector[], options: CentresOptions): Centres {
  const { k, onShare } = options
  if (k !== null) return kMeans(vectors, { ...options, k }).centres
  const best = chosenK(vectors, { ...options, onShare: (share) => onShare(CHOICE_SHARE * share) })
  const rest = (share: number) => onShare(CHOICE_SHARE + (1 - CHOICE_SHARE) * share)
  return kMeans(vectors, { ...options, k: best, onShare: rest }).centres
}

/** Clusters, the largest first. */
function bySize(centres: Centres, vectors: readonly Vector[]): number[] {
  const sizes = new Int32Array(centres.count)
  for (const vector of vectors) {
    const near = centres.nearest(vector)
    if (near !== null) sizes[near.cluster] = (sizes[near.cluster] ?? 0) + 1
  }
  return [...sizes.keys()].sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0))
}

/** More are hard to read, and can be asked for. */
const MOST_CLUSTERS = 20
const FEWEST_CLUSTERS = 2
/** So many texts are enough to choose by. */
const CHOICE_SAMPLE = 4_000

/**
 * The number of clusters with the best mean silhouette, which compares how near each text is to its own centre
 * and to the second nearest (k-means.ts).
 */
function chosenK(all: readonly Vector[], options: Omit<KMeansOptions, 'k'>): number {
  const stride = Math.ceil(all.length / CHOICE_SAMPLE)
  const vectors = all.filter((_, at) => at % stride === 0)
  const most = Math.min(MOST_CLUSTERS, Math.floor(Math.sqrt(vectors.length)))
  let best = { k: Math.min(FEWEST_CLUSTERS, vectors.length), value: Number.NEGATIVE_INFINITY }
  for (let k = FEWEST_CLUSTERS; k <= most; k++) {
    const onShare = (share: number) =>
      options.onShare?.((k - FEWEST_CLUSTERS + share) / (most - FEWEST_CLUSTERS + 1))
    const value = kMeans(vectors, { ...options, k, onShare }).silhouette
    if (value > best.value) best = { k, value }
  }
  return best.k
}
