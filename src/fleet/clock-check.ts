// Warns about machines whose clocks disagree. Shared state uses the clocks of the servers, so nothing breaks,
// but times shown to users would be confusing.
import type { Clock } from '../lib/clock.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Smaller differences are usual without a time service, and confuse nobody. */
const APART_MS = 60_000

/** Warnings; empty if there are none. */
export async function clockWarnings(
  workspace: Workspace,
  clock: Clock,
): Promise<readonly string[]> {
  const before = clock.now()
  const clocks = await workspace.clocks()
  // The answer is from some moment in between.
  const here = (before + clock.now()) / 2
  return clocks.flatMap(({ of, now }) => clockWarning(of, now - here))
}

export function clockWarning(of: string, aheadMs: number): readonly string[] {
  if (Math.abs(aheadMs) < APART_MS) return []
  const apart = showApart(Math.abs(aheadMs))
  const way = aheadMs > 0 ? 'behind' : 'ahead of'
  return [
    `the clock of this machine is ${apart} ${way} that of ${of}. ` +
      'Delays and leases go by the servers and hold; set this clock right, or times will look odd.',
  ]
}

function showApart(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  return `${Math.round(minutes / 60)} hours`
}
