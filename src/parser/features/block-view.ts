// What the groups of features look at, and where they write: one column per feature, one row per block.
import type { Outline } from '../content/outline.ts'
import type { BlockShapes } from './block-shapes.ts'
import type { ContainerFacts } from './container-facts.ts'

export type BlockView = {
  readonly outline: Outline
  readonly shapes: BlockShapes
  readonly facts: ContainerFacts
  /** How many different words the title has. */
  readonly titleWords: number
  /** The column of a feature, by its name; only as many rows count as there are blocks. */
  readonly column: (name: string) => Float32Array
}

/** Features that are computed together. What one reads of another must stand before it in the list. */
export type FeatureGroup = {
  readonly names: readonly string[]
  readonly fill: (view: BlockView) => void
}
