// The input of the feature groups, and their output: one column per feature, one row per block.
import type { Outline } from '../content/outline.ts'
import type { BlockShapes } from './block-shapes.ts'
import type { ContainerFacts } from './container-facts.ts'

export type BlockView = {
  readonly outline: Outline
  readonly shapes: BlockShapes
  readonly facts: ContainerFacts
  readonly titleWords: number
  /** The column of a feature by name; only as many rows are valid as there are blocks. */
  readonly column: (name: string) => Float32Array
}

/**
 * Features that are computed together. A group that reads columns of another must follow it in the list.
 */
export type FeatureGroup = {
  readonly names: readonly string[]
  readonly fill: (view: BlockView) => void
}
