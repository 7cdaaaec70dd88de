// What a step has left undone, since a script can do it neither by itself nor at once: scores of rows that
// depend on others now, and shorter paths that lead on.
import type { Word } from './calls.ts'
import type { OrderingRuntime } from './ordering-runtime.ts'
import { chunksOf } from './portions.ts'
import { decodeStaleRow, listOf } from './reply.ts'
import type { ScriptName } from './scripts.ts'

/**
 * Others may change a row again and again. Each time one of them got through, so this is more than sessions
 * need that speak of one URL at the same moment; past it what this one said is lost.
 */
const RESCORED_AT_MOST = 50

export type Undone = {
  readonly guidance: OrderingRuntime
  readonly run: (name: ScriptName, words: readonly Word[]) => Promise<readonly unknown[]>
  /** As of the last answer. */
  readonly isLowering: () => boolean
}

/** `told`: the stale rows that the step told of. */
export async function putRight(told: unknown, undone: Undone): Promise<void> {
  await rescore(told, undone)
  while (undone.isLowering()) {
    const [stale] = await undone.run('lower', [])
    await rescore(stale, undone)
  }
}

/** Scores rows by the facts that were told; again where they changed meanwhile. */
async function rescore(told: unknown, { guidance, run }: Undone): Promise<void> {
  let stale = listOf(told)
  for (let times = 0; stale.length > 0 && times < RESCORED_AT_MOST; times += 1) {
    const changed: unknown[] = []
    for (const rows of chunksOf(stale)) {
      const words = rows.flatMap((row) => guidance.rescoreWords(decodeStaleRow(row)))
      const [more] = await run('rescore', [rows.length, ...words])
      for (const row of listOf(more)) changed.push(row)
    }
    stale = changed
  }
}
