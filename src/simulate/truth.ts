// Which pages count as relevant for a topic, and which are left out because they were examples for it.
import { InvalidInput } from '../core/errors.ts'
import { reachableFrom } from './reach.ts'
import type { Truth } from './replay-result.ts'
import type { ReplayWorld } from './replay-world.ts'

export type TruthOptions = {
  readonly topic: string
  readonly world: ReplayWorld
  readonly seeds: readonly number[]
  /** Example pages. */
  readonly examples: readonly number[]
  /** 1 for each relevant page; null: the replay is about nothing in particular. */
  readonly relevant: Uint8Array | null
}

/** InvalidInput at `--truth` when a topic has no relevant page that could be found. */
export function truthFor({ topic, world, seeds, examples, relevant }: TruthOptions): Truth {
  const reachable = reachableFrom(seeds, world.links).fill(0, world.alive)
  const leftOut = new Uint8Array(world.pages)
  for (const page of examples) leftOut[page] = 1
  const counted = (page: number) => reachable[page] === 1 && leftOut[page] === 0
  if (relevant !== null && !relevant.some((mark, page) => mark === 1 && counted(page))) {
    throw new InvalidInput(
      '--truth',
      `${topic}: no relevant page can be reached from the seeds, examples not counted`,
    )
  }
  return { topic, relevant: relevant ?? new Uint8Array(world.pages), leftOut, reachable }
}
