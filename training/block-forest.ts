// The forest that tells main content from the rest, block by block.
import { binColumns } from './bins.ts'
import { crossValidated, weightsWithout } from './cross-validation.ts'
import type { Dataset } from './dataset.ts'
import { type TrainedForest, trainForest } from './forest-trainer.ts'
import type { LabelledPage } from './labelled-page.ts'

export type BlockOptions = { readonly trees: number; readonly learningRate: number }

const OPTIONS = {
  depth: 6,
  l2: 5,
  minChildWeight: 20,
  rowShare: 0.7,
  featureShare: 0.4,
  seed: 1,
}
/** Of one block: longer ones weigh no more, short ones not less than the second. */
const MAX_WORDS = 150
const MIN_WORDS = 3
/** What a page weighs, about; one of which only a few blocks are known weighs less. */
const PAGE_WEIGHT = 300
const SNIPPETS_WEIGHT = 200
/** Few pages of the sets are in the language many of our users read. */
const INDONESIAN_WEIGHT = 3

export class BlockForest {
  readonly #data: Dataset
  readonly #folds: Uint8Array
  readonly #options: BlockOptions
  readonly #labels: Float32Array
  readonly #weights: Float32Array
  readonly #binned: ReturnType<typeof binColumns>

  constructor(
    pages: readonly LabelledPage[],
    data: Dataset,
    folds: Uint8Array,
    options: BlockOptions,
  ) {
    this.#data = data
    this.#options = options
    this.#folds = Uint8Array.from(data.pageOfRow, (page) => folds[page] ?? 0)
    this.#labels = new Float32Array(data.pageOfRow.length)
    this.#weights = new Float32Array(data.pageOfRow.length)
    for (const [at, page] of pages.entries()) {
      this.#labels.set(page.labels, data.starts[at])
      const times = page.truth.lang === 'id' ? INDONESIAN_WEIGHT : 1
      this.#weights.set(
        weightsOf(page).map((weight) => times * weight),
        data.starts[at],
      )
    }
    this.#binned = binColumns(data.blocks)
  }

  train(without: number): TrainedForest {
    const rows = {
      columns: this.#data.blocks,
      binned: this.#binned,
      labels: this.#labels,
      weights: weightsWithout(this.#weights, this.#folds, without),
      groups: this.#data.pageOfRow,
    }
    return trainForest(rows, { ...OPTIONS, ...this.#options })
  }

  /** How likely each block is main content, said without its fold. */
  probabilities(onFold: (fold: number) => void): Float32Array {
    return crossValidated({
      columns: this.#data.blocks,
      folds: this.#folds,
      forest: (without) => {
        const { forest } = this.train(without)
        onFold(without)
        return forest
      },
    })
  }
}

/** Pages count about the same, whatever their length; within one, words count. */
function weightsOf({ words, labels, metric }: LabelledPage): Float32Array {
  const known = labels.filter((label) => !Number.isNaN(label)).length
  if (metric === 'snippet') {
    return labels.map((label) => (Number.isNaN(label) ? 0 : SNIPPETS_WEIGHT / known))
  }
  const size = (row: number): number => Math.min(words[row] ?? 0, MAX_WORDS) + MIN_WORDS
  let all = 0
  let wanted = 0
  for (const [row, label] of labels.entries()) {
    if (Number.isNaN(label)) continue
    all += size(row)
    wanted += label * size(row)
  }
  // Half by what there is and half by what is wanted: a little text among much noise counts, too.
  const scale = PAGE_WEIGHT / (0.5 * all + 0.5 * wanted + 50)
  return labels.map((label, row) => (Number.isNaN(label) ? 0 : size(row) * scale))
}
