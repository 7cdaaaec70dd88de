// Whether any process works on a crawl now. A new run may take over leases of the last one at once only if
// none does; leases held by others expire by themselves.
import { hostname } from 'node:os'
import type { Announcement, WorkerRegistry } from '../../fleet/worker-registry.ts'

/** A dead owner counts until it is forgotten, unless it was on this machine, where that can be checked. */
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

/** Runs of this process have ended: they ended before another began. */
function mayLive({ machine, pid }: Announcement['owner']): boolean {
  if (machine !== hostname()) return true
  return pid !== process.pid && isThere(pid)
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It exists, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
