// Compares answers with the truth.

export type LabelScore = {
  readonly label: string
  /** Number of texts that truly have it. */
  readonly texts: number
  /** The share of the texts given this label that have it; 0 if none was given it. */
  readonly precision: number
  /** The share of the texts with this label that were given it; 0 if none has it. */
  readonly recall: number
  readonly f1: number
}

export type Scores = {
  readonly texts: number
  readonly accuracy: number
  /** The unweighted mean over the labels that occur among truths or answers. */
  readonly macroF1: number
  readonly labels: readonly LabelScore[]
  /** Texts by true label (outer) and given label (inner), in the order of `labels`. */
  readonly confusion: readonly (readonly number[])[]
}

/** Counts answers; new labels may appear at any time. */
export class ScoreCounts {
  readonly #labels: string[]
  readonly #counts = new Map<string, Map<string, number>>()

  constructor(labels: readonly string[] = []) {
    this.#labels = [...labels]
  }

  add(truth: string, given: string): void {
    for (const label of [truth, given]) {
      if (!this.#labels.includes(label)) this.#labels.push(label)
    }
    const row = this.#counts.get(truth) ?? new Map<string, number>()
    row.set(given, (row.get(given) ?? 0) + 1)
    this.#counts.set(truth, row)
  }

  scores(): Scores {
    const confusion = this.#labels.map((truth) =>
      this.#labels.map((given) => this.#counts.get(truth)?.get(given) ?? 0),
    )
    const labels = this.#labels.map((label, at) => scoreOf(label, at, confusion))
    const texts = labels.reduce((sum, one) => sum + one.texts, 0)
    const right = confusion.reduce((sum, row, at) => sum + (row[at] ?? 0), 0)
    const met = labels.filter((one, at) => one.texts > 0 || columnSum(confusion, at) > 0)
    const macroF1 = met.reduce((sum, { f1 }) => sum + f1, 0)
    return {
      texts,
      accuracy: share(right, texts),
      macroF1: share(macroF1, met.length),
      labels,
      confusion,
    }
  }
}

function scoreOf(label: string, at: number, confusion: readonly (readonly number[])[]): LabelScore {
  const right = confusion[at]?.[at] ?? 0
  const texts = confusion[at]?.reduce((sum, count) => sum + count, 0) ?? 0
  const given = columnSum(confusion, at)
  return {
    label,
    texts,
    precision: share(right, given),
    recall: share(right, texts),
    f1: share(2 * right, texts + given),
  }
}

function columnSum(confusion: readonly (readonly number[])[], at: number): number {
  return confusion.reduce((sum, row) => sum + (row[at] ?? 0), 0)
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
