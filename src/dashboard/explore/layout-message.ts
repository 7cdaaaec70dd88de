// What page and layout worker say to each other.
import type { LayoutStart } from '../../map/layout.ts'

export type LayoutOrder =
  | { readonly order: 'start'; readonly start: LayoutStart; readonly maxSteps: number }
  /** So many steps more, settled or not. */
  | { readonly order: 'more'; readonly steps: number }
  | { readonly order: 'stop' }

export type LayoutNews = {
  readonly positions: Float32Array<ArrayBuffer>
  /** How far it is, from 0 to 1; 1: nothing more will come unless more is ordered. */
  readonly share: number
  readonly steps: number
}
