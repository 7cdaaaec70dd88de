// The pages that count as relevant for a topic, and those left out because they were its examples.
import { InvalidInput } from '../core/errors.ts'
import type { Graph } from '../graph/graph.ts'
import type { Truth } from './replay-result.ts'
import type { ReplayWorld } from './replay-world.ts'

export type TruthOptions = {
  readonly topic: string
  readonly world: ReplayWorld
  readonly seeds: readonly number[]
  /** Example pages. */
  readonly examples: readonly number[]
  /** 1 for each relevant page; null: the replay has no topic. */
  readonly relevant: Uint8Array | null
}

/** InvalidInput at `--truth` if a topic has no reachable relevant page. */
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

/** Marks everything reachable by links from the seeds, the seeds included; 1 is yes. */
export function reachableFrom(seeds: readonly number[], { nodes, offsets, targets }: Graph) {
  const marks = new Uint8Array(nodes)
  const found = new Uint32Array(nodes)
  let end = 0
  const note = (node: number) => {
    if (marks[node] !== 0) return
    marks[node] = 1
    found[end++] = node
  }
  for (const seed of seeds) note(seed)
  for (let next = 0; next < end; next++) {
    const node = found[next] ?? 0
    for (let at = offsets[node] ?? 0; at < (offsets[node + 1] ?? 0); at++) note(targets[at] ?? 0)
  }
  return marks
}
