// How well clusters agree with labels that people gave.

export type Agreement = {
  readonly texts: number
  readonly labels: number
  /** The share of texts whose label is the most frequent one of their cluster, 0 to 1; grows with the clusters. */
  readonly purity: number
  /** Normalised mutual information (arithmetic mean of both entropies), 0 to 1. */
  readonly nmi: number
}

export function agreementOf(pairs: Iterable<readonly [cluster: number, label: string]>): Agreement {
  const [clusters, labels, both] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ]
  const most = new Map<string, number>()
  let texts = 0
  for (const [cluster, label] of pairs) {
    texts++
    add(clusters, String(cluster))
    add(labels, label)
    const count = add(both, `${cluster} ${label}`)
    most.set(String(cluster), Math.max(most.get(String(cluster)) ?? 0, count))
  }
  const right = [...most.values()].reduce((sum, count) => sum + count, 0)
  const [ofClusters, ofLabels] = [entropy(clusters, texts), entropy(labels, texts)]
  const shared = ofClusters + ofLabels - entropy(both, texts)
  const mean = (ofClusters + ofLabels) / 2
  return {
    texts,
    labels: labels.size,
    purity: texts === 0 ? 0 : right / texts,
    nmi: mean === 0 ? 1 : Math.max(0, shared / mean),
  }
}

function add(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1
  counts.set(name, count)
  return count
}

function entropy(counts: ReadonlyMap<string, number>, texts: number): number {
  let sum = 0
  for (const count of counts.values()) sum -= (count / texts) * Math.log(count / texts)
  return sum
}
