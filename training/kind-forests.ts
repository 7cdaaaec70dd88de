// Forests that tell the class of a page, one for each class against all others.
import { CLASSES, type PageClass } from '../src/parser/content/page-kinds.ts'
import type { Forest } from '../src/parser/forest/forest.ts'
import { binColumns } from './bins.ts'
import { crossValidated, weightsWithout } from './cross-validation.ts'
import type { Dataset } from './dataset.ts'
import { trainForest } from './forest-trainer.ts'
import type { LabelledPage } from './labelled-page.ts'

const OPTIONS = {
  trees: 70,
  depth: 4,
  learningRate: 0.1,
  l2: 3,
  minChildWeight: 3,
  rowShare: 0.7,
  featureShare: 0.3,
  seed: 1,
}
/** The set that has all classes; the others are news, and would drown the rest. */
const MIXED_SET = 'wcxb'
const OTHER_SETS_WEIGHT = 0.2

export class KindForests {
  readonly #pages: readonly LabelledPage[]
  readonly #data: Dataset
  readonly #folds: Uint8Array
  readonly #binned: ReturnType<typeof binColumns>

  constructor(pages: readonly LabelledPage[], data: Dataset, folds: Uint8Array) {
    this.#pages = pages
    this.#data = data
    this.#folds = folds
    this.#binned = binColumns(data.pages)
  }

  /** One forest per class, in the order of CLASSES. */
  forests(without: number): Forest[] {
    return CLASSES.map((name) => this.#forest(name, without))
  }

  /** How likely each page is of each class, said without its fold; the sum over classes is 1. */
  probabilities(): Float32Array[] {
    const columns = CLASSES.map((name) =>
      crossValidated({
        columns: this.#data.pages,
        folds: this.#folds,
        forest: (without) => this.#forest(name, without),
      }),
    )
    for (let page = 0; page < this.#pages.length; page++) {
      const sum = columns.reduce((total, column) => total + (column[page] ?? 0), 0) || 1
      for (const column of columns) column[page] = (column[page] ?? 0) / sum
    }
    return columns
  }

  /** The share of pages whose likeliest class is theirs. */
  accuracy(probabilities: readonly Float32Array[]): number {
    const mixed = [...this.#pages.entries()].filter(([, { set }]) => set === MIXED_SET)
    const right = mixed.filter(([at, page]) => {
      const all = probabilities.map((column) => column[at] ?? 0)
      return CLASSES[all.indexOf(Math.max(...all))] === classOf(page)
    })
    return right.length / Math.max(1, mixed.length)
  }

  #forest(name: PageClass, without: number): Forest {
    const labels = Float32Array.from(this.#pages, (page) => (classOf(page) === name ? 1 : 0))
    const members = labels.reduce((sum, label) => sum + label, 0)
    // Rare classes weigh more, or they would never be told.
    const boost = Math.sqrt(labels.length / Math.max(1, members))
    const weights = Float32Array.from(this.#pages, ({ set }, at) => {
      const own = set === MIXED_SET ? 1 : OTHER_SETS_WEIGHT
      return labels[at] === 1 ? own * boost : own
    })
    const rows = {
      columns: this.#data.pages,
      binned: this.#binned,
      labels,
      weights: weightsWithout(weights, this.#folds, without),
    }
    return trainForest(rows, OPTIONS).forest
  }
}

function classOf({ truth }: LabelledPage): string {
  return truth.kind === 'news' || truth.kind === 'blog' ? 'article' : truth.kind
}
