// Whether somebody works on a crawl now. Who begins a run of it may take over at once what the last one
// held only where nobody does: what is still held by others comes free by itself, a lease later.
import { hostname } from 'node:os'
import type { Announcement, WorkerRegistry } from '../../fleet/worker-registry.ts'

/** One that died counts until it is forgotten, but for an owner on this machine, where that can be seen. */
export async function isSharedNow(
  registry: Pick<WorkerRegistry, 'workers' | 'announcements'>,
  crawlId: number,
): Promise<boolean> {
  const workers = await registry.workers()
  const shares = workers.flatMap((worker) => worker.shares)
  if (shares.some(({ crawl, pairs }) => crawl === crawlId && pairs > 0)) return true
  const runs = await registry.announcements()
  return runs.some(({ crawl, phase, owner }) => {
    return crawl === crawlId && phase !== 'over' && mayLive(owner)
  })
}

/** Runs of this very process are over: they ended before another began. */
function mayLive({ machine, pid }: Announcement['owner']): boolean {
  if (machine !== hostname()) return true
  return pid !== process.pid && isThere(pid)
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
