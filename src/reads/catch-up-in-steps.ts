// Brings the index of a folder up to date, for who is about to ask it something.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WorkspaceSearch } from './open-search.ts'

/** Before another look at Ctrl-C. */
const STEP_MS = 200

export type StepsOptions = {
  readonly signal: AbortSignal
  /** Changes that are still to be read. */
  readonly onBehind: (behind: number) => void
}

/**
 * How many changes are left: none, unless it was told to stop, or nothing moves, since another process
 * writes the index or nobody can.
 */
export async function catchUpInSteps(
  place: WorkspaceSearch,
  { signal, onBehind }: StepsOptions,
): Promise<number> {
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    // So that a signal is heard.
    await nextTurn()
    if (signal.aborted) return before
    const { behind } = await place.catchUp(STEP_MS)
    onBehind(behind)
    if (behind === 0 || behind >= before) return behind
    before = behind
  }
}
