// Which partitions a program should claim or release. Every program decides for itself, from what all of them
// have reported. The quotas add up to the number of partitions, so the programs agree after a few reports.
import type { CrawlView } from '../storage.ts'

type Steps = {
  readonly claim: readonly number[]
  readonly release: readonly number[]
}

/** How many partitions a program should own. */
function quotaOf(view: CrawlView, owner: string): number {
  const { owners, partitions } = view
  const at = owners.indexOf(owner)
  if (at < 0) return 0
  const remainder = partitions.length % owners.length
  return Math.floor(partitions.length / owners.length) + (at < remainder ? 1 : 0)
}

export function stepsOf(view: CrawlView, owner: string): Steps {
  const { owners, partitions } = view
  const own = partitions.filter((one) => one.owner === owner).map((one) => one.partition)
  const free = partitions.filter((one) => one.owner === '').map((one) => one.partition)
  const quota = quotaOf(view, owner)
  // Programs that start at the same moment begin at different places, so that few claims collide.
  const before = owners.slice(0, Math.max(0, owners.indexOf(owner)))
  const from = before.reduce((sum, other) => sum + quotaOf(view, other), 0) % (free.length || 1)
  const inTurn = [...free.slice(from), ...free.slice(0, from)]
  return {
    claim: inTurn.slice(0, Math.max(0, quota - own.length)),
    release: own.slice(quota),
  }
}
