// A worker as the plan of who works where sees it.
import type { Member } from './assign-workers.ts'
import type { Announcement, WorkerRecord } from './worker-registry.ts'

export function memberOf(
  { id, pairs, shares, declined }: WorkerRecord,
  running: readonly Announcement[],
): Member {
  const troubled = shares.filter(({ trouble, end }) => trouble !== null || end !== null)
  const refused = running.filter(({ crawl }) => declined.some((one) => one.crawl === crawl))
  const cannot = new Set([...troubled, ...refused].map(({ run }) => run))
  const seen = shares.map(({ run, pairs: there, begunAt = 0, goingTo = [] }) => {
    return { run, pairs: there, begunAt, goingTo }
  })
  return { id, pairs, cannot, shares: seen }
}
