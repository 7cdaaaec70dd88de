// The blocks of a page as numbers, one column per feature: the input of the forest. A trained forest
// depends on the order of FEATURES, so every change of a group needs new training (training/README.md).
import type { Outline } from '../content/outline.ts'
import type { BlockShapes } from './block-shapes.ts'
import type { FeatureGroup } from './block-view.ts'
import type { ContainerFacts } from './container-facts.ts'
import { neighbourFeatures } from './neighbour-features.ts'
import { pathFeatures } from './path-features.ts'
import { positionFeatures } from './position-features.ts'
import { textFeatures } from './text-features.ts'

const GROUPS: readonly FeatureGroup[] = [
  textFeatures,
  pathFeatures,
  positionFeatures,
  neighbourFeatures,
]

export const FEATURES: readonly string[] = GROUPS.flatMap(({ names }) => names)
const PLACES = new Map(FEATURES.map((name, at) => [name, at]))
const FIRST_ROWS = 512

export class BlockFeatures {
  /** One column per feature, and the extra ones after them; only the first `count` rows are valid. */
  columns: Float32Array[] = []
  count = 0
  readonly #extra: number

  /** `extra`: columns to add for facts that are not in the outline. */
  constructor(extra: number) {
    this.#extra = extra
    this.#grow(FIRST_ROWS)
  }

  read(outline: Outline, shapes: BlockShapes, facts: ContainerFacts, titleWords: number): void {
    this.count = outline.blocks.count
    if ((this.columns[0]?.length ?? 0) < this.count) this.#grow(this.count)
    const column = (name: string): Float32Array => this.#column(name)
    for (const group of GROUPS) group.fill({ outline, shapes, facts, titleWords, column })
  }

  #column(name: string): Float32Array {
    const column = this.columns[PLACES.get(name) ?? -1]
    if (column === undefined) throw new Error(`there is no feature ${name}`)
    return column
  }

  #grow(needed: number): void {
    const rows = 2 ** Math.ceil(Math.log2(needed))
    const count = FEATURES.length + this.#extra
    this.columns = Array.from({ length: count }, () => new Float32Array(rows))
  }
}
