// Clusters: groups of texts that share words. Texts become vectors of TF-IDF over their stems (vocabulary.ts),
// spherical k-means groups them (k-means.ts), and the heaviest terms of a group's centre are its label.
//
// Everything is seeded: the same texts with the same options give the same clusters, in whatever order they
// come, unless only a sample of them fits. Memory is bounded by options, not by the number of texts: the
// vocabulary is pruned, a sample of the texts is held as vectors, and the other texts are only assigned to the
// centres that the sample gave (cluster-texts.ts).
//
// Not here: reading pages and keeping the result (cli/cluster/).

/** A text to group. */
export type ClusterText = {
  /** Its terms come first among those of its text. */
  readonly title: string
  readonly text: string
  /** A tag that decides its stems; '' if it is unknown. */
  readonly language: string
}

export type FoundCluster = {
  /** From 0; the largest cluster is the first. */
  readonly id: number
  /** The words that tell it from others, the strongest first. */
  readonly terms: readonly string[]
  readonly size: number
  /** The mean cosine of its texts and its centre, 0 to 1. */
  readonly cohesion: number
}

/** Where a text belongs. */
export type Assigned = {
  readonly cluster: number
  /** The cosine of the text and the centre of its cluster, 0 to 1; 0 for a text without known words. */
  readonly score: number
  /** Its own words of most weight, the heaviest first. */
  readonly terms: readonly string[]
}
